"""What people make of suggestions, and what holds because of it."""
