"""Fields of routing."""
