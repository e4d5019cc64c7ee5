"""All tasks, as six lists."""
