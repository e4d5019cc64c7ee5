"""Promotion: artifacts that go further because somebody decided so, with receipts."""

from service.memory.promotion.commands import Promotions
from service.memory.promotion.rules import Wish

__all__ = ["Promotions", "Wish"]
