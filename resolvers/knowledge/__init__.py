"""Fields of knowledge."""
