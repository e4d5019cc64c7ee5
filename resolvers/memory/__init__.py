"""Fields of task activity memory."""
