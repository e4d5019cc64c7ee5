"""How tasks, templates and presets do in operation: how often, how long, how dear, how well."""

from service.memory.statistics.presets import PresetsInOperation, PresetStatistics, SavedPresetConnection
from service.memory.statistics.read import (
    OperationalStatistics,
    SavedTaskConnection,
    TaskFilter,
    TaskOrder,
    TaskOrderField,
    TasksAsked,
    TasksInOperation,
    TaskTab,
)
from service.memory.statistics.usage import AssetUsage, AssetUses, GroupUsage

__all__ = [
    "AssetUsage",
    "AssetUses",
    "GroupUsage",
    "OperationalStatistics",
    "PresetStatistics",
    "PresetsInOperation",
    "SavedPresetConnection",
    "SavedTaskConnection",
    "TaskFilter",
    "TaskOrder",
    "TaskOrderField",
    "TaskTab",
    "TasksAsked",
    "TasksInOperation",
]
