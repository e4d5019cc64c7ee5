"""The knowledge pack."""
