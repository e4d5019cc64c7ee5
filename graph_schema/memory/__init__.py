"""What happened: runs with all their parts, what came of them, and how far it goes."""

from graph_schema.memory import audit, continuation, extraction, policies, relations
from graph_schema.memory.audit import AuditExport
from graph_schema.memory.continuation import Consult, FollowUp, Fork, Thread
from graph_schema.memory.extraction import Extraction
from graph_schema.memory.policies import IntakeReceipt, LibraryIntent, Policy
from graph_schema.memory.runs import (
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
from graph_schema.memory.snapshots import Checkpoint, Snapshot

RECORDS = (
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
    Extraction,
    AuditExport,
    Policy,
    IntakeReceipt,
    LibraryIntent,
    Tombstone,
)
RELATIONS = (
    *relations.RELATIONS,
    *continuation.RELATIONS,
    *extraction.RELATIONS,
    *audit.RELATIONS,
    *policies.RELATIONS,
)

__all__ = ["RECORDS", "RELATIONS"]
