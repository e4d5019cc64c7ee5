"""How good routing is on labelled requests."""
