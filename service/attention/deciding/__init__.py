"""Decisions: what they know, what is kept of them, and doing them again."""
