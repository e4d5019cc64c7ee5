"""The second lane: what waits for a heavier look, out of band. Nothing here calls a model, and nothing waits for it."""
