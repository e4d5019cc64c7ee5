"""Recommendations about tools: made out of band, with what speaks for them and against, and decided by people."""

from service.tools.recommendations.commands import Evaluations

__all__ = ["Evaluations"]
