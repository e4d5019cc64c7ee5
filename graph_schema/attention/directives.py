"""What was decided: directives for a user, and the trace of every decision."""

from types import MappingProxyType
from typing import Annotated

from pydantic import Field as PydanticField

from graph_schema.attention.words import (
    AttentionAction,
    AttentionMoment,
    DirectiveState,
    DirectiveVerbosity,
    InterventionClass,
    OperatingMode,
)
from graph_schema.model.fields import EvidenceLayer, Key, Keys, LongText, Opaque, Text, Texts, Timestamp, Words, field
from graph_schema.model.record import Record

MOST_OPTIONS = 3
Options = Annotated[list[Text], PydanticField(max_length=MOST_OPTIONS)]
Moments = Annotated[list[AttentionMoment], PydanticField(max_length=200)]


class AttentionDirective(Record):
    """That a user was asked for attention: for what, how strongly, and what they made of it."""

    label = "AttentionDirective"
    plural = "attention_directives"
    prefix = "attn"
    layer = EvidenceLayer.run_truth
    colour = "#e0863d"
    indexed_together = (("owner_id", "raised_at"),)
    events = MappingProxyType({"created": "agent.attention_requested"})

    session_id: Key = field("Id of its session.", indexed=True, authored=False)
    owner_id: Key = field("Principal who is asked.", filtered=True, authored=False)
    surface: Key = field("The component that it is about.", filtered=True, authored=False)
    subject: Key = field("What it is about: the same is not raised twice.", authored=False)
    moment: AttentionMoment = field("The moment.", filtered=True, authored=False)
    intervention_class: InterventionClass = field("How far it goes.", filtered=True, authored=False)
    action: AttentionAction = field("What is asked for.", filtered=True, authored=False)
    mode: OperatingMode = field("In which mode it was raised.", filtered=True, authored=False)
    summary: Text = field("What it is about, in a sentence.", authored=False)
    detail: LongText = field("What the user reads, as wordy as they like it.", authored=False)
    verbosity: DirectiveVerbosity = field("How wordy that is.", authored=False)
    focus_type: Key | None = field("What kind of thing it points at.", default=None, authored=False)
    focus_id: Key | None = field("What that thing is called.", default=None, authored=False)
    highlight_region: Text | None = field("The part of it, as JSON.", default=None, authored=False)
    urgency: float = field("How urgent it is, from 0 to 1.", authored=False, ge=0, le=1)
    confidence: float = field("How sure it is, from 0 to 1.", authored=False, ge=0, le=1)
    critical: bool = field("Whether it is critical: there is one such at a time.", default=False, authored=False)
    evidence_refs: Texts = field("Where the evidence is kept.", make=list, authored=False)
    options: Options = field("What to choose from, at most three.", make=list, authored=False)
    options_left_out: int = field("Options that were offered beyond these.", default=0, authored=False, ge=0)
    view_commands: Texts = field(
        "What to do to the view, each as JSON; in actuated mode only.", make=list, authored=False
    )
    rule_id: Key = field("The rule that says it.", filtered=True, authored=False)
    raised_at: Timestamp = field("When it was raised first.", ordered=True, authored=False)
    expires_at: Timestamp = field("Until when it holds, unless its session ends before.", authored=False)
    directive_state: DirectiveState = field(
        "What became of it.", default=DirectiveState.open, filtered=True, authored=False
    )
    snoozed_until: Timestamp | None = field("Until when it is put off.", default=None, authored=False)
    answered_at: Timestamp | None = field("When the user answered.", default=None, authored=False)
    chosen_option: Text | None = field("What the user chose.", default=None, authored=False)
    answer_note: Text | None = field("What the user said with it.", default=None, authored=False)


class PolicyTrace(Record):
    """A decision about attention, also to do nothing: what it rests on, which rules fired, and what came of it."""

    label = "PolicyTrace"
    plural = "policy_traces"
    prefix = "potr"
    layer = EvidenceLayer.run_truth
    colour = "#c9b458"
    events = MappingProxyType({"created": "agent.policy_traced"})

    session_id: Key = field("Id of its session.", indexed=True, authored=False)
    owner_id: Key = field("Principal whose session it is.", filtered=True, authored=False)
    decided_at: Timestamp = field("The moment that was decided for.", ordered=True, authored=False)
    mode: OperatingMode = field("The mode of the component that was in use.", filtered=True, authored=False)
    by_itself: bool = field("Whether nobody asked for it.", filtered=True, authored=False)
    events_count: int = field("Events that were looked at.", authored=False, ge=0)
    moments: Moments = field("Moments that were found.", make=list, authored=False)
    intervention_class: InterventionClass = field("How far it went.", filtered=True, authored=False)
    emitted_count: int = field("Directives that came of it.", default=0, authored=False, ge=0)
    withheld_count: int = field(
        "Directives that would have come of it, had the mode allowed them.", default=0, authored=False, ge=0
    )
    suppressed: Words = field("What was held back, and why.", make=list, authored=False)
    rules_fired: Keys = field("Rules that had a say.", make=list, authored=False)
    rules_version: Key = field("Version of the rules that come with us.", filtered=True, authored=False)
    answer: Opaque = field("What was decided, step by step, as JSON.", authored=False)
    facts: Opaque = field("All that was known beside the events, as JSON.", hidden=True)
    places: LongText = field("The events that were looked at, by their places of arrival.", default="", hidden=True)
