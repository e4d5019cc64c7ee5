"""Rules of how far artifacts go, as data: their language, their checks, and which of them hold when."""

from service.memory.intake.check import check_policy
from service.memory.intake.policies import Holding, Policies

__all__ = ["Holding", "Policies", "check_policy"]
