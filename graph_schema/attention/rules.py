"""Rules of a domain: what its components find, and how it is told. They are data, beside those that come with us."""

from typing import Annotated

from pydantic import Field as PydanticField

from graph_schema.attention.words import AttentionAction, AttentionMoment, AttentionRuleKind, InterventionClass
from graph_schema.model.fields import EvidenceLayer, Key, Keys, LongText, Text, Texts, Words, field
from graph_schema.model.record import Record

Options = Annotated[list[Text], PydanticField(max_length=3)]


class AttentionRule(Record):
    """A rule for a moment: when it is one for these components, or how it is told."""

    label = "AttentionRule"
    plural = "attention_rules"
    prefix = "atru"
    layer = EvidenceLayer.memory
    colour = "#d0a5c0"
    saved = True

    rule_id: Key = field("Its name with its version, such as POLICY_WOLF_TONE_FINDING_v1.", indexed=True)
    rule_kind: AttentionRuleKind = field("What it is for.", default=AttentionRuleKind.policy, filtered=True)
    moment: AttentionMoment = field("The moment that it is about.", filtered=True)
    components: Keys = field("Components that it is for; none named means all.", make=list)
    finding_kinds: Words = field("Kinds of finding that it is for; none named means all.", make=list)
    seconds: float | None = field("Detection: the window in seconds.", default=None, ge=0, le=86_400)
    least: int | None = field("Detection: how many events make it one.", default=None, ge=1, le=1_000)
    conditions: Texts = field("What must hold, such as `visible_panels > 1`.", make=list)
    intervention_class: InterventionClass | None = field("How far it goes; absent: by its moment.", default=None)
    action: AttentionAction | None = field("What is asked for; absent: by its class.", default=None)
    summary: Text = field("What is said in a sentence, with {names} of what the event says.", default="")
    detail: LongText = field("What is said beyond that.", default="")
    hint: Text = field("What to try.", default="")
    why: Text = field("Why it matters.", default="")
    urgency: Words = field("From 0 to 1, the first whose condition holds: `0.7 if confidence > 0.8`.", make=list)
    confidence: float | None = field("How sure it is, where the event does not say.", default=None, ge=0, le=1)
    focus_type: Key | None = field("What kind of thing it points at.", default=None)
    focus_id: Text | None = field("What that thing is called.", default=None)
    view_commands: Texts = field("What may be done to the view: `focus_trace({primary_trace_id})`.", make=list)
    evidence_refs: Texts = field("Where the evidence is kept.", make=list)
    options: Options = field("What to choose from.", make=list)
