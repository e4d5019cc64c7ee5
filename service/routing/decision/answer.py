"""What routing answers: the mode, what speaks for and against it, what it is about, and what to say."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

from graph_schema.memory.continuation_words import Entrypoint
from graph_schema.model.fields import Timestamp
from graph_schema.routing.decision_words import ConsultPolicy, ExecutionMode, OpportunityLevel, TaskSignal, TaskVeto
from graph_schema.routing.words import ConfirmationPolicy
from service.notices import Notice
from service.routing.evidence.kinds import ModeEvidence
from service.search.answer import StageTime
from service.views import Id, JsonObject, Linked

SCHEMA_VERSION = "1.0"


@dataclass(frozen=True, slots=True)
class HeldSignal:
    """Something that speaks for a saved task."""

    signal: Annotated[TaskSignal, "Which signal it is."]
    evidence: Annotated[tuple[ModeEvidence, ...], "What makes it hold."]


@dataclass(frozen=True, slots=True)
class HeldVeto:
    """Something that speaks against a saved task."""

    veto: Annotated[TaskVeto, "Which veto it is."]
    evidence: Annotated[tuple[ModeEvidence, ...], "What makes it hold."]
    rules_out: Annotated[tuple[ExecutionMode, ...], "The modes that cannot be because of it."]


@dataclass(frozen=True, slots=True)
class LosingMode:
    """A mode that was not selected."""

    mode: Annotated[ExecutionMode, "The mode."]
    because: Annotated[str, "Why it lost, in a sentence."]
    veto: Annotated[TaskVeto | None, "The veto that ruled it out, if one did."]


@dataclass(frozen=True, slots=True)
class MeantRecord:
    """A record that the request calls by name, matches or means."""

    id: Annotated[Id, "Id of the record."]
    kind: Annotated[str, "Type of the record."]
    name: Annotated[str, "What people call it."]
    score: Annotated[float | None, "How surely it is meant, from 0 to 1."]
    because: Annotated[str, "Why it is here, in a sentence."]
    version: Annotated[int | None, "Its version when it was looked at."] = None
    record: ClassVar = Linked("id", "The record itself.")


Meant = tuple[MeantRecord, ...]


@dataclass(frozen=True, slots=True)
class TaskChip:
    """A button for the user, with what it does. There is none that does nothing."""

    label: Annotated[str, "What is written on it."]
    operation: Annotated[str, "Our operation that it calls."]
    arguments: Annotated[JsonObject, "What the operation is given, as far as it is known."]
    entrypoint: Annotated[Entrypoint | None, "What the Task Agent is asked to do with it, if it is."] = None
    record_id: Annotated[Id | None, "Id of the record that it is about, if it is about one."] = None
    record: ClassVar = Linked("record_id", "The record that it is about.")


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutingRanker:
    """The rules that decided. Decisions of different rules are not compared."""

    name: Annotated[str, "Its name."]
    version: Annotated[str, "Changes whenever the same evidence could lead elsewhere."]
    words: Annotated[str, "Version of the words and phrases, with a mark of what the operator has added."]
    model: Annotated[str | None, "The embedding model that compared meanings; null when none was asked."]


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskModeDecision:
    """What a request becomes, and why. Nothing is started by it."""

    decision_id: Annotated[str, "The same content has the same. Nothing is stored under it until it is recorded."]
    user_request_ref: Annotated[str, "What the caller calls the request, else a hash of its text."]
    resolved_intent_summary: Annotated[str, "What it was taken to mean, in a sentence."]
    selected_mode: Annotated[ExecutionMode, "What the request becomes."]
    task_opportunity_level: Annotated[OpportunityLevel, "How much speaks for a saved task."]
    task_agent_consult_policy: Annotated[ConsultPolicy, "Whether the Task Agent is asked."]
    task_fit_score: Annotated[float, "The probability that a saved task is right."]
    direct_answer_fit_score: Annotated[float, "The probability that a direct answer is right."]
    existing_template_match_score: Annotated[
        float | None, "The probability that a saved template fits; null when none was compared."
    ]
    positive_task_signals: Annotated[tuple[HeldSignal, ...], "What speaks for a saved task."]
    task_veto_signals: Annotated[tuple[HeldVeto, ...], "What speaks against one."]
    matched_invocation_directives: Annotated[Meant, "What was taught that holds for this request."]
    matched_task_templates: Annotated[Meant, "Saved templates that fit or are called by name, best first."]
    matched_module_presets: Annotated[Meant, "Presets that fit or are called by name, best first."]
    opportunity_packet_ref: Annotated[str | None, "Name of the packet that goes with it; null at none and low."]
    task_agent_consult_ref: Annotated[str | None, "Always null: a decision asks nobody."] = None
    should_inject_task_packet: Annotated[bool, "Whether the model is told of tasks at all. Never at none and low."]
    should_inject_knowledge_cards: Annotated[bool, "Whether it is given cards of the knowledge pack."]
    visible_to_llm: Annotated[bool, "Whether the model sees something of it."]
    visible_to_user: Annotated[bool, "Whether the user sees something of it."]
    created_at: Annotated[Timestamp, "When it was decided."]
    schema_version: Annotated[str, "Version of this shape."] = SCHEMA_VERSION
    because: Annotated[str, "The row of the table that decided, in a sentence."]
    losing_modes: Annotated[tuple[LosingMode, ...], "The other modes, and why they lost."]
    tasks: Annotated[Meant, "Saved tasks that are called by name, or open."]
    runs: Annotated[Meant, "Runs that are meant, best first."]
    outputs: Annotated[Meant, "Outputs that are asked for."]
    context_class: Annotated[str, "The class of context that feedback on it is counted by."]
    say: Annotated[str | None, "A sentence that could be said to the user; null when nothing is to be said of tasks."]
    chips: Annotated[tuple[TaskChip, ...], "Buttons that could be shown. None at none and low."]
    operation: Annotated[str | None, "Our operation that comes next, if one does."]
    confirmation_policy: Annotated[
        ConfirmationPolicy | None, "What has to be asked before anything runs; null when nothing would."
    ]
    entrypoint: Annotated[Entrypoint | None, "What the Task Agent would be asked to do."]
    leaves_receipt: Annotated[
        bool, "Whether what the Task Agent does for it leaves a receipt that the user sees, by its profile."
    ]
    missing: Annotated[tuple[Notice, ...], "What could not be looked at, and what that means for the answer."]
    notices: Annotated[tuple[Notice, ...], "What a reader should know about the request."]
    ranker: Annotated[RoutingRanker, "The rules that decided."]
    timings: Annotated[tuple[StageTime, ...], "How long each stage took."] = ()
