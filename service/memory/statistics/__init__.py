"""How tasks and templates do in operation: how often, how long, how dear, how well."""

from service.memory.statistics.read import (
    SavedTask,
    Statistics,
    TaskFilter,
    TaskPage,
    TaskRow,
    TaskTab,
    saved_tasks,
    statistics_of,
)

__all__ = ["SavedTask", "Statistics", "TaskFilter", "TaskPage", "TaskRow", "TaskTab", "saved_tasks", "statistics_of"]
