"""Help with prompts."""
