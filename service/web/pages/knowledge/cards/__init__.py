"""Cards, with search."""
