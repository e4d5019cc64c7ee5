"""Sharing a run or a task: what is told, how much, to whom, until when."""
