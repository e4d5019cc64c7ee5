"""Attention: when a user is asked for it, why, and when they are left alone."""
