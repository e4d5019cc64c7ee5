"""One share: what it grants, who opened it, and closing it."""
