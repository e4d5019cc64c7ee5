"""How tasks, templates and presets do in operation: how often, how long, how dear, how well."""

from service.memory.statistics.presets import PresetPage, PresetStatistics, preset_statistics, saved_presets
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

__all__ = [
    "PresetPage",
    "PresetStatistics",
    "SavedTask",
    "Statistics",
    "TaskFilter",
    "TaskPage",
    "TaskRow",
    "TaskTab",
    "preset_statistics",
    "saved_presets",
    "saved_tasks",
    "statistics_of",
]
