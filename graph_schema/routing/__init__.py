"""Routing: what a request becomes, what was taught and learned about it, and the Task Agent."""

from graph_schema.routing.agent import AgentCapability, AgentProfile, FallbackReceipt, SubagentPolicy, SystemAgent
from graph_schema.routing.decisions import ModeDecision
from graph_schema.routing.directives import InvocationDirective
from graph_schema.routing.feedback import InvocationSignal, SuggestionFeedback, SuggestionTally
from graph_schema.routing.invocations import InvocationTrace
from graph_schema.routing.relations import RELATIONS

RECORDS = (
    ModeDecision,
    InvocationDirective,
    InvocationTrace,
    SuggestionFeedback,
    InvocationSignal,
    SuggestionTally,
    SystemAgent,
    AgentCapability,
    AgentProfile,
    SubagentPolicy,
    FallbackReceipt,
)

__all__ = ["RECORDS", "RELATIONS"]
