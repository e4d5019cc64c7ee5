"""Which runs there were: by task, template, subject, status, time, trigger, output, quality, failure, tool and cost."""

from service.memory.history.read import EmptyReason, HistoryPage, RunInHistory, task_history
from service.memory.history.request import HistoryFilter, HistoryRequest, Kept

__all__ = ["EmptyReason", "HistoryFilter", "HistoryPage", "HistoryRequest", "Kept", "RunInHistory", "task_history"]
