"""Kept decisions: what was asked, which mode it got, and why."""

from graph_schema.model.fields import EvidenceLayer, Key, Text, Timestamp, field
from graph_schema.model.record import Record
from graph_schema.routing.decision_words import ConsultPolicy, ExecutionMode, OpportunityLevel


class ModeDecision(Record):
    """A decision that was kept: what a request became, or why it was answered directly."""

    label = "ModeDecision"
    plural = "mode_decisions"
    prefix = "mode"
    layer = EvidenceLayer.memory
    colour = "#d9a25f"

    user_request_ref: Key | None = field("Where the request is kept.", default=None, filtered=True, authored=False)
    request: Text = field("What the user said.", authored=False)
    resolved_intent_summary: Text = field("What it was taken to mean.", authored=False)
    selected_mode: ExecutionMode = field("What it became.", filtered=True, authored=False)
    task_opportunity_level: OpportunityLevel = field("How much spoke for a task.", filtered=True, authored=False)
    task_agent_consult_policy: ConsultPolicy = field("Whether the Task Agent is asked.", authored=False)
    context_class: Key = field("The class of context that it belongs to.", filtered=True, authored=False)
    decided_at: Timestamp = field("When it was decided.", ordered=True, authored=False)
