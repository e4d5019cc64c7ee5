"""Kept decisions: what was asked, which mode it got, and why."""

from typing import Annotated

from pydantic import Field as PydanticField

from graph_schema.model.fields import EvidenceLayer, Key, LongText, Opaque, Text, Timestamp, field
from graph_schema.model.record import Properties, Record
from graph_schema.routing.decision_words import ConsultPolicy, ExecutionMode, OpportunityLevel, TaskSignal, TaskVeto

Signals = Annotated[list[TaskSignal], PydanticField(max_length=len(TaskSignal))]
Vetoes = Annotated[list[TaskVeto], PydanticField(max_length=len(TaskVeto))]


class ModeDecision(Record):
    """A decision that was kept: what a request became, or why it was answered directly."""

    label = "ModeDecision"
    plural = "mode_decisions"
    prefix = "mode"
    layer = EvidenceLayer.memory
    colour = "#d9a25f"

    user_request_ref: Key | None = field("Where the request is kept.", default=None, filtered=True, authored=False)
    request: LongText = field("What the user said.", authored=False)
    resolved_intent_summary: Text = field("What it was taken to mean.", authored=False)
    selected_mode: ExecutionMode = field("What it became.", filtered=True, authored=False)
    task_opportunity_level: OpportunityLevel = field("How much spoke for a task.", filtered=True, authored=False)
    task_agent_consult_policy: ConsultPolicy = field("Whether the Task Agent is asked.", authored=False)
    task_fit_score: float = field("The probability that a saved task is right.", authored=False, ge=0, le=1)
    direct_answer_fit_score: float = field("The probability that a direct answer is.", authored=False, ge=0, le=1)
    existing_template_match_score: float | None = field(
        "The probability that a template fits, if one was weighed.", default=None, authored=False, ge=0, le=1
    )
    positive_task_signals: Signals = field("What spoke for a task.", make=list, authored=False)
    task_veto_signals: Vetoes = field("What spoke against one.", make=list, authored=False)
    should_inject_task_packet: bool = field("Whether a packet went to the model.", authored=False)
    should_inject_knowledge_cards: bool = field("Whether cards of the knowledge pack did.", authored=False)
    visible_to_llm: bool = field("Whether the model was told of tasks.", authored=False)
    visible_to_user: bool = field("Whether the user was.", authored=False)
    opportunity_packet_ref: Key | None = field(
        "Name of the packet that goes with it: the same content has the same.", default=None, authored=False
    )
    context_class: Key = field("The class of context that it belongs to.", filtered=True, authored=False)
    said: Text | None = field("The sentence for the user.", default=None, authored=False)
    facts: LongText = field("All that was asked and known beside the words, as JSON.", authored=False)
    answer: LongText = field("What was decided, and by which evidence, as JSON.", authored=False)
    weighed: LongText | None = field(
        "What the rules weighed, as JSON, so that they can decide it again.", default=None, authored=False
    )
    ranker: Key = field("Name and version of the rules, and of the words.", filtered=True, authored=False)
    embedding_model: Key | None = field("The model that compared meanings.", default=None, authored=False)
    decided_at: Timestamp = field("When it was decided.", ordered=True, authored=False)


class RestedOn(Properties):
    """How a record came into a decision."""

    rank: int = field("Its place among those of its kind, from 1.", ge=1)
    score: float | None = field("How surely it was meant.", default=None, ge=0, le=1)
    record_version: int | None = field("Its version at the time.", default=None, ge=1)
    facts: Opaque | None = field("Where it stands in what was weighed, as JSON.", default=None, hidden=True)
