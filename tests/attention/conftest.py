"""The desk."""

from tests.attention.desk import desk

__all__ = ["desk"]
