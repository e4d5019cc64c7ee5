"""What an event may say, by its type: one model each. What a domain has to say beyond it goes into `values`."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from graph_schema.attention.words import AgentEventType, PreferenceDimension
from graph_schema.model.fields import KEY_LENGTH, TEXT_LENGTH, Key, Text
from graph_schema.model.texts import PLAIN

LONGEST_PAYLOAD = 8_000
_MOST_VALUES = 40

Share = Annotated[float, Field(ge=0, le=1)]
Name = Annotated[str, StringConstraints(pattern=r"^[a-z_][a-z0-9_]*$", max_length=60)]
Said = Annotated[str, StringConstraints(min_length=1, max_length=TEXT_LENGTH, pattern=PLAIN)]
Value = bool | int | float | Annotated[str, StringConstraints(max_length=KEY_LENGTH, pattern=PLAIN)]
Values = Annotated[dict[Name, Value], Field(max_length=_MOST_VALUES)]
Names = Annotated[list[Key], Field(max_length=100)]


class _Said(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    values: Values | None = Field(None, description="What a domain has to say beyond the other fields, by name.")


class FocusTarget(BaseModel):
    """What a user is to look at."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    target_type: Key = Field(description="What kind of thing it is, such as trace or spectrum_region.")
    target_id: Key = Field(description="What the component calls it.")
    highlight_region: Values | None = Field(None, description="The part of it, by names of the component.")


class DecisionOption(BaseModel):
    """Something to choose."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: Key = Field(description="What the component calls it.")
    label: Said = Field(description="What the user reads.")


class _Telling(_Said):
    detail: Text | None = Field(None, description="What there is to know beyond the summary.")
    hint: Text | None = Field(None, description="What to try.")
    why: Text | None = Field(None, description="Why it matters.")


class AnalysisCompleted(_Said):
    analysis_id: Key | None = Field(None, description="What the component calls the analysis.")
    result: Text | None = Field(None, description="What came of it, in a sentence.")


class AnalysisFailed(_Telling):
    analysis_id: Key | None = Field(None, description="What the component calls the analysis.")
    error_code: Key | None = Field(None, description="Why it failed, as a code.")
    message: Text | None = Field(None, description="Why it failed, in a sentence.")
    critical: bool | None = Field(None, description="Whether it is critical.")


class _Finding(_Telling):
    confidence: Share | None = Field(None, description="How sure it is, from 0 to 1.")
    urgency: Share | None = Field(None, description="How urgent it is, from 0 to 1.")
    finding_id: Key | None = Field(None, description="What the component calls the finding.")
    finding_kind: Key | None = Field(None, description="What kind of finding it is; rules ask for it.")
    compare_with: Key | None = Field(None, description="What it is to be compared with.")
    critical: bool | None = Field(None, description="Whether it is critical.")
    focus: FocusTarget | None = Field(None, description="What to look at.")
    evidence_refs: Names | None = Field(None, description="Where the evidence is kept.")


class ArtifactCreated(_Finding):
    artifact_key: Key | None = Field(None, description="What the component calls the artifact.")
    summary: Said | None = Field(None, description="What it is about, in a sentence.")
    attention_worthy: bool | None = Field(None, description="Whether it is something to be looked at.")


class AttentionRequested(_Finding):
    summary: Said | None = Field(None, description="What it is about, in a sentence.")


class ToolRendered(_Said):
    active_panels: Names | None = Field(None, description="Panels that are shown.")
    visible_traces: Names | None = Field(None, description="Lines that are shown.")
    primary_panel_id: Key | None = Field(None, description="The panel that matters most.")
    primary_trace_id: Key | None = Field(None, description="The line that matters most.")
    state_id: Key | None = Field(None, description="What the component calls what it shows.")


class DecisionRequired(_Telling):
    question: Said = Field(description="What is to be decided.")
    options: Annotated[list[DecisionOption], Field(max_length=20)] | None = Field(
        None, description="What there is to choose from. At most three of them are shown."
    )
    decision_id: Key | None = Field(None, description="What the component calls the decision.")
    confidence: Share | None = Field(None, description="How sure it is, from 0 to 1.")
    urgency: Share | None = Field(None, description="How urgent it is, from 0 to 1.")


class UserAction(_Said):
    action: Key = Field(description="What the user did: undo, hover, ask, decided, or what the component calls it.")
    target_type: Key | None = Field(None, description="What kind of thing it was done to.")
    target_id: Key | None = Field(None, description="What the component calls that.")
    decision_id: Key | None = Field(None, description="The decision that it settles.")


class UserFeedback(_Said):
    feedback: Key | None = Field(None, description="What the user says of it: too_much, needed_help, not_now or so.")
    comment: Text | None = Field(None, description="In their words.")
    dimension: PreferenceDimension | None = Field(None, description="What it tells of how they like to be helped.")
    value: Share | None = Field(None, description="Its value, from 0 to 1.")
    confidence: Share | None = Field(None, description="How sure that is, from 0 to 1; 1 when left out.")
    first_time: bool | None = Field(None, description="Whether they say that the component is new to them.")


class SystemHealth(_Said):
    status: Key = Field(description="How the component does.")
    message: Text | None = Field(None, description="In a sentence.")


PAYLOADS: dict[AgentEventType, type[_Said]] = {
    AgentEventType.analysis_completed: AnalysisCompleted,
    AgentEventType.analysis_failed: AnalysisFailed,
    AgentEventType.artifact_created: ArtifactCreated,
    AgentEventType.tool_rendered: ToolRendered,
    AgentEventType.attention_requested: AttentionRequested,
    AgentEventType.decision_required: DecisionRequired,
    AgentEventType.user_action: UserAction,
    AgentEventType.user_feedback: UserFeedback,
    AgentEventType.system_health: SystemHealth,
}
"""What an event of each type may say."""


def payload_fields() -> dict[str, tuple[Any, list[AgentEventType]]]:
    """Every field that some type has, with its declaration and the types that have it."""
    found: dict[str, tuple[Any, list[AgentEventType]]] = {}
    for kind, model in PAYLOADS.items():
        for name, info in model.model_fields.items():
            found.setdefault(name, (info, []))[1].append(kind)
    return found
