"""Retention: how long runs are kept, and what stays of them afterwards."""

from service.memory.retention.batches import Due, Retained, due, retain
from service.memory.retention.read import Retention, Retentions
from service.memory.retention.rules import Ages, RetentionStanding, due_of

__all__ = ["Ages", "Due", "Retained", "Retention", "RetentionStanding", "Retentions", "due", "due_of", "retain"]
