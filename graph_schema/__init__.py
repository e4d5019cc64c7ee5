"""The single source of truth about the graph: record types, relations, indexes, reference and Browser style."""

from graph_schema.happened import Tombstone
from graph_schema.knowledge import Card
from graph_schema.registry import Registry
from graph_schema.relations import RELATIONS
from graph_schema.system import SYSTEM
from graph_schema.work import Capability, Entity, Goal, Preference, Procedure, Restriction

RECORDS = (Entity, Goal, Preference, Restriction, Procedure, Capability, Card, Tombstone)
REGISTRY = Registry(RECORDS, RELATIONS, SYSTEM)

__all__ = ["REGISTRY"]
