"""Retention: how long runs are kept, and what stays of them afterwards."""

from service.memory.retention.aged import Aged, AgedDue, due_aged, retain_aged
from service.memory.retention.batches import Due, Retained, due, retain
from service.memory.retention.read import Retention, Retentions
from service.memory.retention.rules import Ages, RetentionStanding, due_of

__all__ = [
    "Aged",
    "AgedDue",
    "Ages",
    "Due",
    "Retained",
    "Retention",
    "RetentionStanding",
    "Retentions",
    "due",
    "due_aged",
    "due_of",
    "retain",
    "retain_aged",
]
