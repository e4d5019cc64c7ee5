"""When a user is asked for attention, and why."""
