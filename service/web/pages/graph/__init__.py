"""Graphs: one with what a run of it does, and how two of them differ."""
