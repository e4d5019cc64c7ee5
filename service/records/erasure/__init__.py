"""Erasure: a record is forgotten with all its parts and with what repeats it elsewhere."""

from service.records.erasure.plan import Erasure

__all__ = ["Erasure"]
