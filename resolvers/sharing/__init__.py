"""Sharing, as the API shows it."""
