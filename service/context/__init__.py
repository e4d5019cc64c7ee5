"""Scope and context: what a run is about, what its modules may know, and a receipt for all that was kept out."""
