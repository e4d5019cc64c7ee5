"""What one activation was given and not given, and why."""
