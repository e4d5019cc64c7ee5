"""A run: where it is, what it made, what its modules were given."""
