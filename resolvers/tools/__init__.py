"""Fields of tools."""
