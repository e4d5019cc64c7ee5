"""Which runs there were: by task, template, subject, status, time, trigger, output, quality, failure, tool and cost."""

from service.memory.history.read import BEYOND_RUN, EmptyReason, HistoryPage, RunInHistory, runs_found, task_history
from service.memory.history.request import HistoryFilter, HistoryRequest, Kept

__all__ = [
    "BEYOND_RUN",
    "EmptyReason",
    "HistoryFilter",
    "HistoryPage",
    "HistoryRequest",
    "Kept",
    "RunInHistory",
    "runs_found",
    "task_history",
]
