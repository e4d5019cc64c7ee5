"""The single source of truth about the graph: record types, relations, indexes, reference and Browser style."""

from graph_schema.after import Consult, FollowUp, Fork, Thread
from graph_schema.assets import Module, Task, Template
from graph_schema.happened import (
    Activation,
    Artifact,
    Delivery,
    Gate,
    Intervention,
    NativeEvent,
    Run,
    Session,
    Span,
    Tombstone,
)
from graph_schema.knowledge import Card
from graph_schema.registry import Registry
from graph_schema.relations import RELATIONS
from graph_schema.snapshots import Checkpoint, Snapshot
from graph_schema.system import SYSTEM
from graph_schema.work import Capability, Entity, Goal, Preference, Procedure, Restriction, WorkProduct

RECORDS = (
    Entity,
    Goal,
    Preference,
    Restriction,
    Procedure,
    Capability,
    WorkProduct,
    Task,
    Template,
    Module,
    Run,
    Activation,
    Span,
    Artifact,
    Delivery,
    Gate,
    Snapshot,
    Checkpoint,
    Session,
    Intervention,
    NativeEvent,
    Fork,
    FollowUp,
    Thread,
    Consult,
    Card,
    Tombstone,
)
REGISTRY = Registry(RECORDS, RELATIONS, SYSTEM)

__all__ = ["REGISTRY"]
