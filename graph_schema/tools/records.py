"""Tools with their methods, how calls of them ended, what users asked again, and what is recommended."""

from types import MappingProxyType

from graph_schema.model.fields import EvidenceLayer, Key, Keys, Long, Text, Texts, Timestamp, Words, field
from graph_schema.model.record import Record
from graph_schema.tools.words import (
    TOOL_STATES,
    RecommendationKind,
    RecommendationState,
    ToolErrorClass,
    ToolOutcomeType,
    ToolWorld,
)


class Tool(Record):
    """Something that agents call to get a thing done. Its methods say what for, and by when it is done well."""

    label = "Tool"
    plural = "tools"
    prefix = "tool"
    layer = EvidenceLayer.memory
    colour = "#4fa3a5"
    carded = True
    saved = True
    ordered_by = ("name",)
    states = TOOL_STATES

    summary: Text = field("What it does, in a sentence or two.", default="", fulltext=True)
    capability_patterns: Words = field("Kinds of work that it is asked for, such as http_fetch.", make=list)


class ToolMethod(Record):
    """One way of calling a tool, with its contract. By its outside key `tool/method` it is tied to its tool."""

    label = "ToolMethod"
    plural = "tool_methods"
    prefix = "tmet"
    layer = EvidenceLayer.memory
    colour = "#7cc0bf"
    saved = True
    states = TOOL_STATES

    purpose: Text = field("What it is for.", default="", fulltext=True)
    deliverable: Text | None = field("What it hands back.", default=None)
    acceptance: Texts = field("How one sees that what it hands back is good.", make=list)
    failure_policy: Text | None = field("What it does when it cannot deliver.", default=None)
    world: ToolWorld | None = field(
        "What it works on. Only a method of the open world is asked to judge what it hands back.",
        default=None,
        filtered=True,
    )


class ToolOutcome(Record):
    """How one call of a tool ended, as whoever called it reports."""

    label = "ToolOutcome"
    plural = "tool_outcomes"
    prefix = "tout"
    layer = EvidenceLayer.learning
    colour = "#a8d5d1"
    events = MappingProxyType({"created": "tool.outcome.reported"})
    indexed_together = (("tool_id", "audience", "occurred_at"), ("audience", "outcome_type", "occurred_at"))

    tool_id: Key = field("Id of the tool.", filtered=True, authored=False)
    method_key: Key | None = field("The method, as the caller calls it.", default=None, filtered=True)
    outcome_type: ToolOutcomeType = field("How it ended.", filtered=True)
    occurred_at: Timestamp = field("When it ended.", filtered=True)
    error_class: ToolErrorClass | None = field("Whose fault a failed call is.", default=None, filtered=True)
    error_code: Key | None = field("The error, as the tool calls it.", default=None)
    error_message: Text | None = field("What it said.", default=None)
    boundary_axes: Words = field(
        "Where the request crosses the tool's boundary, in the words that are counted.", make=list
    )
    said_axes: Words = field("The same in the words that were said.", make=list)
    observed_task_shape: Text | None = field("What was asked for, as the tool saw it.", default=None)
    suggested_split: Text | None = field("How the tool could be split.", default=None)
    evidence: Text | None = field("What shows it.", default=None)
    duration_ms: Long | None = field("How long it took, in milliseconds.", default=None, ge=0)
    run_id: Key | None = field("Id of the run that it was called in.", default=None, indexed=True, authored=False)
    span_key: Key | None = field("The span of that run that is the same call: the two count once.", default=None)
    reported_by: Key | None = field("Principal that reported it.", default=None, authored=False)
    content_hash: Key | None = field("Hash of what was reported.", default=None, hidden=True)


class AskSession(Record):
    """A session in which somebody asked for things. Asks of one session are looked at together."""

    label = "AskSession"
    plural = "ask_sessions"
    prefix = "asks"
    layer = EvidenceLayer.learning
    colour = "#d9d2a0"


class Ask(Record):
    """Something that a user asked for, without its text: by what it was to be met, and what shape it had."""

    label = "Ask"
    plural = "asks"
    prefix = "ask"
    layer = EvidenceLayer.learning
    colour = "#c9bf7a"
    events = MappingProxyType({"created": "ask.reported"})
    indexed_together = (("session_id", "asked_at"),)

    session_id: Key | None = field("Id of its session.", default=None, authored=False)
    user_key: Key | None = field("Who asked, as the caller calls them.", default=None)
    asked_at: Timestamp | None = field("When.", default=None, filtered=True)
    capability_pattern: Words = field("Kinds of work that it was met by, such as http_fetch.", make=list)
    task_shape: Key | None = field("What shape of task it is, as the caller calls it.", default=None, filtered=True)
    top_level: bool = field("Whether the user asked, and not an agent for them.", default=True, filtered=True)
    phrase_rules: Words = field(
        "Rules on phrases that would have called it a correction. They count only where that is switched on.",
        make=list,
        authored=False,
    )
    reported_by: Key | None = field("Principal that reported it.", default=None, authored=False)
    content_hash: Key | None = field("Hash of what was reported.", default=None, hidden=True)


class UserCorrection(Record):
    """A user asked again for what they had just been given: what they got was not it."""

    label = "UserCorrection"
    plural = "user_corrections"
    prefix = "ucor"
    layer = EvidenceLayer.learning
    colour = "#d98c5f"
    events = MappingProxyType({"created": "user_correction"})

    corrected_at: Timestamp = field("When they asked again.", filtered=True, authored=False)
    seconds_between: Long = field("How long after the first time.", authored=False, ge=0)
    likeness: float = field("How alike the two were, from 0 to 1.", authored=False, ge=0, le=1)
    shared_pattern: Words = field("Kinds of work that both were met by.", make=list, authored=False)
    task_shape: Key | None = field("The shape of both.", default=None, authored=False)
    by_phrase: Words = field("Rules on phrases that say so too, where they are switched on.", make=list, authored=False)
    rules: Key = field("Name and version of the rules that found it.", authored=False)


class Recommendation(Record):
    """What a builder is advised to do about a tool, with what speaks for it and against. It changes nothing."""

    label = "Recommendation"
    plural = "recommendations"
    prefix = "reco"
    layer = EvidenceLayer.learning
    colour = "#b7791f"
    events = MappingProxyType({"created": "tool.recommendation.created"})

    tool_id: Key = field("Id of the tool.", indexed=True, authored=False)
    method_key: Key | None = field("The method, where it is about one.", default=None, filtered=True, authored=False)
    recommendation_kind: RecommendationKind = field("What to do.", filtered=True, authored=False)
    state: RecommendationState = field("What became of it.", filtered=True, authored=False)
    rationale: Text = field("Why, in a sentence or two.", authored=False)
    thresholds: Texts = field("What had to be reached, and what was.", make=list, authored=False)
    evidence_count: int = field("Outcomes and corrections that speak for it.", default=0, authored=False, ge=0)
    counter_count: int = field("Outcomes that speak against it.", default=0, authored=False, ge=0)
    boundary_axes: Words = field("Axes that the tool was left on, most often first.", make=list, authored=False)
    suggested_splits: Texts = field("Splits that calls suggested.", make=list, authored=False)
    window_from: Timestamp = field("The first moment that was looked at.", authored=False)
    window_to: Timestamp = field("The last.", authored=False)
    expires_at: Timestamp = field("When it lapses, unless somebody decides or it is found again.", authored=False)
    rules: Key = field("Name and version of the rules that made it.", authored=False)
    decided_at: Timestamp | None = field("When somebody decided.", default=None, authored=False)
    decided_by: Key | None = field("Principal that did.", default=None, authored=False)
    decision_note: Text | None = field("Why.", default=None, authored=False)
    evidence_ids: Keys = field("Ids of what speaks for it, the latest of it.", make=list, hidden=True)
