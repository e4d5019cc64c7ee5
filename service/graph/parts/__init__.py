"""Wholes and their parts, and the legal holds that keep them together."""

from service.graph.parts.family import Hold, family, holds, parts_of
from service.graph.parts.tombs import key_hash

__all__ = ["Hold", "family", "holds", "key_hash", "parts_of"]
