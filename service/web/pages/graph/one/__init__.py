"""A graph: its modules and cables, and of a chosen module how it is set and how it ran."""
