"""One proposal: what it would change, on what evidence, and what it would have changed."""
