"""Rules of how far artifacts go, as data: their language, their checks, and which of them hold when."""

from service.memory.rules.check import check_policy
from service.memory.rules.holding import Holding, Policies

__all__ = ["Holding", "Policies", "check_policy"]
