"""Datasets, and what was given on them."""
