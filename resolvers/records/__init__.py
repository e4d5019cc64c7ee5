"""Commands on records, and what they were before."""
