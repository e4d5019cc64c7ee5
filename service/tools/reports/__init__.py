"""Reports of how calls of tools ended and of what users asked: in batches, in any order, each once."""

from service.tools.reports.commands import AskReports, OutcomeReports

__all__ = ["AskReports", "OutcomeReports"]
