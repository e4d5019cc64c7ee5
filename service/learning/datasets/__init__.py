"""Datasets that changes are tried on: gathered, frozen, and scored by judges outside."""
