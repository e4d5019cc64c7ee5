"""Traces of how requests were met: what was decided, what the user did, and what came of it."""

from graph_schema.memory.continuation_words import Entrypoint
from graph_schema.model.fields import EvidenceLayer, Key, Text, Timestamp, field
from graph_schema.model.record import Record
from graph_schema.routing.decision_words import ExecutionMode, OpportunityLevel
from graph_schema.routing.words import UserResponse, Verdict


class InvocationTrace(Record):
    """How one request was met, kept for audits and to learn from."""

    label = "InvocationTrace"
    plural = "invocation_traces"
    prefix = "invt"
    layer = EvidenceLayer.memory
    colour = "#c98a6b"
    indexed_together = (("recorded_by", "suggested_at"), ("context_class", "verdict", "responded_at"))

    user_request_ref: Key = field("Where the request is kept.", indexed=True)
    initial_user_text_summary: Text = field("What the user said, in short.", default="")
    resolved_intent_summary: Text = field("What it was taken to mean.", default="")
    selected_mode: ExecutionMode = field("What was decided.", filtered=True)
    task_opportunity_level: OpportunityLevel = field("How much spoke for a task.", filtered=True)
    context_class: Key = field("The class of context that it belongs to.", filtered=True)
    task_agent_invoked: bool = field("Whether the Task Agent was asked.", default=False, filtered=True)
    task_agent_entrypoint: Entrypoint | None = field("What the Task Agent was asked to do.", default=None)
    user_visible_task_suggestion_shown: bool = field("Whether the user saw a suggestion.", default=False, filtered=True)
    user_response: UserResponse | None = field("What the user did.", default=None, filtered=True)
    edit_count_after_acceptance: int = field("How often the user edited what they had accepted.", default=0, ge=0)
    resulting_task_receipt_ref: Key | None = field("Where the receipt of the task is kept.", default=None)
    decided_at: Timestamp = field("When it was decided.", filtered=True)
    suggested_at: Timestamp | None = field(
        "When the user saw a suggestion that they had not asked for.", default=None, authored=False
    )
    responded_at: Timestamp | None = field("When the user responded.", default=None)
    verdict: Verdict | None = field(
        "How the response is read, for unasked suggestions.", default=None, filtered=True, authored=False
    )
    counted: bool = field(
        "Whether it was counted in a tally; feedback on the same request may have been.", default=False, authored=False
    )
    recorded_by: Key | None = field("Principal that recorded it.", default=None, authored=False)
