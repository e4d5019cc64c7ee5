"""Scope and context: what a run is about, what its modules were given to know, and what was kept from them."""

from graph_schema.context.records import (
    Agent,
    ContextPacket,
    ExpansionReceipt,
    Feedback,
    Memory,
    Schedule,
    ScopeEnvelope,
    SurfaceContext,
    Trigger,
)
from graph_schema.context.relations import RELATIONS

RECORDS = (
    Memory,
    Agent,
    SurfaceContext,
    Schedule,
    Trigger,
    ScopeEnvelope,
    ContextPacket,
    ExpansionReceipt,
    Feedback,
)

__all__ = ["RECORDS", "RELATIONS"]
