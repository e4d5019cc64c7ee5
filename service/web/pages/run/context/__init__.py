"""What the modules of a run were given, and what held for them."""
