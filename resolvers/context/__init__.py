"""Fields of scope and context."""
