"""Traces of how requests were met."""
