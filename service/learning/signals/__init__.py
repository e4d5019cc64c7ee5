"""Signals: what is seen of use, evaluation and edits, and whether something may be learned from it."""
