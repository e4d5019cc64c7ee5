"""Tasks that agents make are seen: their receipts, and the gate in front of what has none."""
