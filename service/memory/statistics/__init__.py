"""How tasks and templates do in operation: how often, how long, how dear, how well."""

from service.memory.statistics.read import Statistics, TaskPage, TaskRow, TaskTab, saved_tasks, statistics_of

__all__ = ["Statistics", "TaskPage", "TaskRow", "TaskTab", "saved_tasks", "statistics_of"]
