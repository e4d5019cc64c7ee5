"""Which runs there were: by task, template, subject, status, time, trigger, output, quality, failure, tool and cost."""

from service.memory.history.read import (
    BEYOND_RUN,
    HistoryEmptyReason,
    TaskHistory,
    TaskHistoryConnection,
    runs_found,
)
from service.memory.history.request import ArtifactsKept, HistoryFilter, HistoryRequest

__all__ = [
    "BEYOND_RUN",
    "ArtifactsKept",
    "HistoryEmptyReason",
    "HistoryFilter",
    "HistoryRequest",
    "TaskHistory",
    "TaskHistoryConnection",
    "runs_found",
]
