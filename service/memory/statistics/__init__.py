"""How tasks, templates and presets do in operation: how often, how long, how dear, how well."""

from service.memory.statistics.presets import (
    PresetPage,
    PresetStatistics,
    preset_statistics,
    presets_counted,
    saved_presets,
)
from service.memory.statistics.read import (
    SavedTask,
    Statistics,
    TaskFilter,
    TaskOrder,
    TaskOrderField,
    TaskPage,
    TaskRow,
    TasksAsked,
    TaskTab,
    last_runs,
    saved_tasks,
    statistics_of,
    task_statistics,
    tasks_counted,
)

__all__ = [
    "PresetPage",
    "PresetStatistics",
    "SavedTask",
    "Statistics",
    "TaskFilter",
    "TaskOrder",
    "TaskOrderField",
    "TaskPage",
    "TaskRow",
    "TaskTab",
    "TasksAsked",
    "last_runs",
    "preset_statistics",
    "presets_counted",
    "saved_presets",
    "saved_tasks",
    "statistics_of",
    "task_statistics",
    "tasks_counted",
]
