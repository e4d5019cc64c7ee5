"""A run's flow and steps."""
