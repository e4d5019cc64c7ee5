"""What callers say of suggestions and of what they teach."""

from dataclasses import dataclass
from typing import Annotated

from graph_schema.model.fields import DataClass
from graph_schema.routing.words import InvocationSignalKind, RecommendedUpdate, SuggestionKind, SuggestionResponse
from service.commands import RecordRef
from service.views import Id, OrNull, Time

_REQUEST = "Where the request is kept, as the caller calls it. Left out, the decision says it."
_CLASS = "The class of context. Left out, the decision says it."
_DECISION = "The decision that was kept, if one was."


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestionFeedbackInput:
    """What the user made of a suggestion, or of its absence."""

    decision: Annotated[RecordRef | None, _DECISION] = None
    user_request_ref: Annotated[str | None, _REQUEST] = None
    context_class_key: Annotated[str | None, _CLASS] = None
    suggestion_kind: Annotated[SuggestionKind, "What it is about."]
    user_response: Annotated[SuggestionResponse, "What the user made of it."]
    matched_templates: Annotated[OrNull[tuple[RecordRef, ...]], "Templates that had matched."] = ()
    matched_invocation_directives: Annotated[
        OrNull[tuple[RecordRef, ...]], "Invocation directives that had matched."
    ] = ()
    evidence_ref: Annotated[str | None, "Where the evidence for it is kept."] = None
    user_comment: Annotated[str | None, "What the user said with it."] = None
    given_at: Annotated[Time | None, "When the user responded; now, when left out."] = None
    data_class: Annotated[DataClass | None, "How sensitive it is, beside what it inherits."] = None
    matter_ids: Annotated[OrNull[tuple[Id, ...]], "Matters that it belongs to, beside those that it inherits."] = ()
    matters: Annotated[OrNull[tuple[RecordRef, ...]], "The same by what their owner calls them."] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class InvocationSignalInput:
    """What a use of tasks teaches, told by somebody who saw it."""

    trace: Annotated[RecordRef | None, "The trace that shows it, if one was kept."] = None
    decision: Annotated[RecordRef | None, _DECISION] = None
    user_request_ref: Annotated[str | None, _REQUEST] = None
    context_class_key: Annotated[str | None, _CLASS] = None
    signal_kind: Annotated[InvocationSignalKind, "What it teaches."]
    task_type: Annotated[str | None, "What type of task it is about."] = None
    document_archetype: Annotated[str | None, "What kind of document it is about."] = None
    matched_templates: Annotated[OrNull[tuple[RecordRef, ...]], "Templates that it is about."] = ()
    matched_invocation_directives: Annotated[
        OrNull[tuple[RecordRef, ...]], "Invocation directives that it is about."
    ] = ()
    evidence_ref: Annotated[str | None, "Where the evidence for it is kept."] = None
    recommended_update_kind: Annotated[
        RecommendedUpdate | None, "What it recommends to change; by its kind, when left out."
    ] = None
    data_class: Annotated[DataClass | None, "How sensitive it is, beside what it inherits."] = None
    matter_ids: Annotated[OrNull[tuple[Id, ...]], "Matters that it belongs to, beside those that it inherits."] = ()
    matters: Annotated[OrNull[tuple[RecordRef, ...]], "The same by what their owner calls them."] = ()
