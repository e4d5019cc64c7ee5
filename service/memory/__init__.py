"""Task activity memory: what every run did, reported by executors in any order."""

from service.memory.reporting.answers import Answer, Outcome
from service.memory.reporting.commands import MOST_EVENTS, Reporting

__all__ = ["MOST_EVENTS", "Answer", "Outcome", "Reporting"]
