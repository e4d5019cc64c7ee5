"""One activation: what it was prompted with, what it did, what was thought of it, and what can be done with it now."""
