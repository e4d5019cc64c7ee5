"""The API of learning."""
