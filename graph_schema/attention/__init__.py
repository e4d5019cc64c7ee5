"""Attention: what is heard of users at work, and when they are asked for attention."""

from graph_schema.attention.directives import AttentionDirective, PolicyTrace
from graph_schema.attention.events import AgentEvent, AttentionSession
from graph_schema.attention.relations import RELATIONS
from graph_schema.attention.rules import AttentionRule
from graph_schema.attention.users import AttentionMode, UserModel

RECORDS = (
    AttentionSession,
    AgentEvent,
    UserModel,
    AttentionMode,
    AttentionRule,
    AttentionDirective,
    PolicyTrace,
)

__all__ = ["RECORDS", "RELATIONS"]
