"""Design sessions: what was asked for, looked up, asked and proposed, and what came of it."""

from typing import Annotated

from pydantic import Field as PydanticField

from graph_schema.learning.design_words import (
    AutonomyTolerance,
    DesignOutcome,
    DesignSlot,
    QuestionVerdict,
    ReviewTolerance,
    StatementKind,
    StatementPolarity,
)
from graph_schema.library.words import LEARNED_STATES
from graph_schema.model.fields import EvidenceLayer, Key, Text, Texts, Timestamp, Words, field
from graph_schema.model.record import Record

Slots = Annotated[list[DesignSlot], PydanticField(max_length=len(DesignSlot))]


class DesignSession(Record):
    """The design of one task: from what somebody wanted to a task that was saved, or to nothing."""

    label = "DesignSession"
    plural = "design_sessions"
    prefix = "dsn"
    layer = EvidenceLayer.learning
    colour = "#6fa8dc"
    ordered_by = ("updated_at",)

    user_initial_request: Text = field("What the user said at first.", authored=False)
    user_request_ref: Key | None = field("Where the request is kept.", default=None, filtered=True, authored=False)
    resolved_intent: Text = field("What it was taken to mean.", authored=False)
    inferred_task_type: Key | None = field("What type of task it is.", default=None, filtered=True, authored=False)
    inferred_domain: Key | None = field("Field of work.", default=None, filtered=True, authored=False)
    context_class_key: Key = field("The class of context that it belongs to.", filtered=True, authored=False)
    new_graph_requested: bool = field("Whether a blank task was asked for.", default=False, authored=False)
    task_goal: Text | None = field("What the task is to achieve.", default=None, authored=False)
    source_materials: Words = field("What it works from.", make=list, authored=False)
    expected_outputs: Words = field("What is to come out.", make=list, authored=False)
    success_criteria: Texts = field("What the result is judged by.", make=list, authored=False)
    required_steps: Texts = field("Steps that it must have.", make=list, authored=False)
    optional_steps: Texts = field("Steps that it may have.", make=list, authored=False)
    review_tolerance: ReviewTolerance | None = field(
        "How much a person is willing to look at.", default=None, authored=False
    )
    autonomy_tolerance: AutonomyTolerance | None = field(
        "How much it may do without being asked.", default=None, authored=False
    )
    side_effects_allowed: Words = field("Classes of side effect that it may have.", make=list, authored=False)
    capability_needs: Words = field("Capabilities that it needs, in words.", make=list, authored=False)
    artifact_memory_preferences: Texts = field("What of its outputs is kept, and where.", make=list, authored=False)
    budget_latency_preferences: Text | None = field("What it may cost and take.", default=None, authored=False)
    told_slots: Slots = field("What was told with the request.", make=list, authored=False)
    answered_slots: Slots = field(
        "What was answered since. A slot can be filled with nothing.", make=list, authored=False
    )
    denied_capabilities: Words = field("Capabilities that it must not use.", make=list, authored=False)
    accepted_suggestions: Texts = field("Suggestions in words that were accepted.", make=list, authored=False)
    rejected_suggestions: Texts = field("Suggestions in words that were refused.", make=list, authored=False)
    repair_iterations: int = field("How often a proposal was found invalid.", default=0, ge=0, authored=False)
    max_repair_iterations: int = field("How often an agent may revise one.", default=3, ge=0, authored=False)
    preflight_report_ref: Key | None = field("Where a report of its preflight is kept.", default=None, authored=False)
    outcome: DesignOutcome | None = field("How it ended.", default=None, filtered=True, authored=False)
    outcome_reason: Text | None = field("Why it ended so.", default=None, authored=False)
    ended_at: Timestamp | None = field("When it ended.", default=None, authored=False)
    rules: Key = field("Name and version of the rules that guide it.", authored=False)
    started_by: Key | None = field("Principal that started it.", default=None, filtered=True, authored=False)


class DesignQuestion(Record):
    """A question that the user was asked in a design session, or an answer that came unasked."""

    label = "DesignQuestion"
    plural = "design_questions"
    prefix = "qst"
    layer = EvidenceLayer.learning
    colour = "#9fc5e8"
    indexed_together = (("context_class_key", "slot"), ("task_type", "slot"))

    slot: DesignSlot = field("What it is about.", filtered=True, authored=False)
    text: Text = field("How it was asked.", default="", authored=False)
    asked: bool = field("Whether it was asked; else the user said it unasked.", default=True, authored=False)
    answer: Texts = field("What the user answered.", make=list, authored=False)
    asked_at: Timestamp | None = field("When it was asked.", default=None, authored=False)
    answered_at: Timestamp | None = field("When it was answered.", default=None, authored=False)
    verdict: QuestionVerdict | None = field("What the user made of it.", default=None, filtered=True, authored=False)
    changed_design: bool | None = field(
        "Whether the answer was another than what would have been taken without it.", default=None, authored=False
    )
    context_class_key: Key = field("The class of context that it was asked in.", filtered=True, authored=False)
    task_type: Key | None = field(
        "The type of task that it was asked for.", default=None, filtered=True, authored=False
    )


class Statement(Record):
    """What the user said about how they like tasks designed, in their own words. It waits for a person."""

    label = "Statement"
    plural = "statements"
    prefix = "stmt"
    layer = EvidenceLayer.learning
    colour = "#b4a7d6"
    states = LEARNED_STATES

    quote: Text = field("The words, as they were said.", authored=False)
    statement_kind: StatementKind = field("What it is a candidate for.", filtered=True, authored=False)
    polarity: StatementPolarity = field("Which way it points.", filtered=True, authored=False)
    subject: Text = field("What it speaks of, in the user's words.", authored=False)
    condition: Text | None = field("When it holds, in the user's words.", default=None, authored=False)
    because: Text | None = field("Why, in the user's words.", default=None, authored=False)
    task_type: Key | None = field("The type of task that it was said about.", default=None, authored=False)
    context_class_key: Key = field("The class of context that it was said in.", filtered=True, authored=False)
    rule: Key = field("Name and version of the rule that found it.", authored=False)
