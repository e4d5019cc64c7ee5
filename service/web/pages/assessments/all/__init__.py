"""What was assessed."""
