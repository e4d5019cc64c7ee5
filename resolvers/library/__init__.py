"""Fields of the library."""
