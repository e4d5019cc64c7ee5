"""Fields of matching."""
