"""One decision, step by step."""
