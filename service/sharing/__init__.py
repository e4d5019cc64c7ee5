"""Sharing: one task, run or artifact, shown to somebody outside, and nothing else."""
