"""Shares: making one, what there is, who opened it, taking it back."""
