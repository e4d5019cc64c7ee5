"""What people make of suggestions, what that teaches, and what holds for a class of context because of it."""

from typing import Annotated

from pydantic import Field as PydanticField

from graph_schema.model.fields import EvidenceLayer, Key, Keys, Text, Timestamp, field
from graph_schema.model.record import Record
from graph_schema.routing.words import (
    InvocationSignalKind,
    RecommendedUpdate,
    SuggestionKind,
    SuggestionResponse,
    Verdict,
)

MOST_OPEN = 50
Times = Annotated[list[Timestamp], PydanticField(max_length=MOST_OPEN)]


class SuggestionFeedback(Record):
    """What the user made of a suggestion of a task, or of its absence."""

    label = "SuggestionFeedback"
    plural = "suggestion_feedback_events"
    prefix = "sugf"
    layer = EvidenceLayer.learning
    colour = "#9f8fd4"
    indexed_together = (("recorded_by", "suggested_at"),)

    user_request_ref: Key = field("Where the request is kept.", indexed=True)
    suggestion_kind: SuggestionKind = field("What it is about.", filtered=True)
    user_response: SuggestionResponse = field("What the user made of it.", filtered=True)
    context_class_key: Key = field("The class of context that it belongs to.", filtered=True)
    evidence_ref: Key | None = field("Where the evidence for it is kept.", default=None)
    user_comment: Text | None = field("What the user said with it.", default=None)
    given_at: Timestamp = field("When the user responded.", ordered=True)
    suggested_at: Timestamp | None = field(
        "When the user saw a suggestion that they had not asked for.", default=None, authored=False
    )
    verdict: Verdict | None = field(
        "How the response is read, for unasked suggestions.", default=None, filtered=True, authored=False
    )
    counted: bool = field(
        "Whether it was counted in a tally; a trace of the same request may have been.", default=False, authored=False
    )
    recorded_by: Key | None = field("Principal that recorded it.", default=None, authored=False)


class InvocationSignal(Record):
    """What a use of tasks teaches. It recommends, and changes nothing by itself."""

    label = "InvocationSignal"
    plural = "invocation_signals"
    prefix = "invs"
    layer = EvidenceLayer.learning
    colour = "#b9a6e0"

    user_request_ref: Key = field("Where the request is kept.", filtered=True)
    signal_kind: InvocationSignalKind = field("What it teaches.", filtered=True)
    context_class_key: Key = field("The class of context that it belongs to.", filtered=True)
    task_type: Key | None = field("What type of task it is about.", default=None, filtered=True)
    document_archetype: Key | None = field("What kind of document it is about.", default=None, filtered=True)
    evidence_ref: Key | None = field("Where the evidence for it is kept.", default=None)
    recommended_update_kind: RecommendedUpdate = field("What it recommends to change.", filtered=True)
    recorded_by: Key | None = field("Principal that recorded it.", default=None, authored=False)


class SuggestionTally(Record):
    """What was accepted and refused in a class of context, counted apart for each circle of readers."""

    label = "SuggestionTally"
    plural = "suggestion_tallies"
    prefix = "tally"
    layer = EvidenceLayer.learning
    colour = "#7d6bb8"

    context_class: Key = field("The class of context.", indexed=True, authored=False)
    refusals: int = field("Refusals in all.", default=0, authored=False, ge=0)
    acceptances: int = field("Acceptances in all.", default=0, authored=False, ge=0)
    open_refusals: Times = field(
        "When somebody refused since the count began, the latest times.", make=list, authored=False
    )
    open_acceptances: Times = field(
        "When somebody accepted since the count began, the latest times.", make=list, authored=False
    )
    last_refused_at: Timestamp | None = field("When somebody last refused.", default=None, authored=False)
    last_accepted_at: Timestamp | None = field("When somebody last accepted.", default=None, authored=False)
    muted_since: Timestamp | None = field(
        "Since when unasked suggestions are muted.", default=None, authored=False, filtered=True
    )
    weight: int = field("Refusals of a mute that no acceptance has outweighed yet.", default=0, authored=False)
    evidence_ids: Keys = field("What was counted last.", make=list, authored=False)
    lifted_at: Timestamp | None = field("When a person last began it anew.", default=None, authored=False)
    lifted_by: Key | None = field("Principal that did.", default=None, authored=False)
    lift_reason: Text | None = field("Why.", default=None, authored=False)
