"""Fields of attention."""
