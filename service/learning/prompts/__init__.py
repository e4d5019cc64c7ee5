"""What is learned about prompts: tests and their results, edits, feedback, and promotion by a proposal."""
