"""The work itself: who and what it is about, what it is for, and the standing rules that hold for it."""

from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field as PydanticField

from graph_schema.attention.words import ViewCommand
from graph_schema.context.words import TriggerKind
from graph_schema.library.words import CapabilityState
from graph_schema.memory.runs import Reported
from graph_schema.model.fields import EvidenceLayer, Key, Keys, Long, Name, Text, Texts, Timestamp, Words, field
from graph_schema.model.record import Record


class EntityKind(StrEnum):
    """What an entity is in the world."""

    matter = "matter"
    project = "project"
    person = "person"
    organisation = "organisation"
    document = "document"
    library = "library"
    conversation = "conversation"
    room = "room"
    panel = "panel"
    account = "account"
    calendar = "calendar"
    folder = "folder"
    source_set = "source_set"
    other = "other"


_SECOND_LABELS = {
    EntityKind.matter: "Matter",
    EntityKind.document: "Document",
    EntityKind.library: "Library",
    EntityKind.conversation: "Conversation",
}


class Entity(Record):
    """Someone or something that work is about: a matter, a person, a document, a library, a conversation."""

    label = "Entity"
    plural = "entities"
    prefix = "ent"
    layer = EvidenceLayer.memory
    colour = "#4c8eda"
    carded = True
    saved = True
    ordered_by = ("name", "updated_at")
    second_labels = tuple(_SECOND_LABELS.values())

    kind: EntityKind = field("What it is in the world.", filtered=True)
    aliases: Words = field("Other names that people use for it.", make=list, fulltext=True)
    keys: Keys = field("Exact identifiers: an address, a docket number, an account.", make=list)
    summary: Text | None = field("What it is, in a few sentences.", default=None, fulltext=True)
    storage_ref: Key | None = field("Where its owner keeps the content.", default=None)
    media_type: Key | None = field("Media type of that content.", default=None)
    page_count: int | None = field("Pages of that content.", default=None, ge=0)

    @classmethod
    def labels(cls, values: dict[str, Any]) -> list[str]:
        second = _SECOND_LABELS.get(values.get("kind", ""))
        return [*super().labels(values), *([second] if second else [])]


class GoalType(StrEnum):
    """What kind of aim a goal states."""

    task_outcome_goal = "task_outcome_goal"
    process_quality_goal = "process_quality_goal"
    output_quality_goal = "output_quality_goal"
    artifact_memory_goal = "artifact_memory_goal"
    cost_latency_goal = "cost_latency_goal"
    risk_control_goal = "risk_control_goal"
    user_preference_goal = "user_preference_goal"


class GoalSource(StrEnum):
    """Where a goal comes from."""

    architect_authored = "architect_authored"
    user_stated = "user_stated"
    learned_from_task_creation = "learned_from_task_creation"
    learned_from_task_assessment = "learned_from_task_assessment"
    system_inferred = "system_inferred"


class Goal(Record):
    """A reusable aim that blueprints, templates, runs and decisions serve."""

    label = "Goal"
    plural = "goals"
    prefix = "goal"
    layer = EvidenceLayer.memory
    colour = "#57c7a3"
    carded = True
    saved = True
    ordered_by = ("name", "updated_at")

    goal_type: GoalType = field("What kind of aim it is.", filtered=True)
    goal_statement: Text = field("The aim, in a sentence.", fulltext=True)
    applies_to_context_class: Key | None = field(
        "The class of context that it is meant for.", default=None, filtered=True
    )
    success_criteria: Texts = field("How one sees that it was reached.", make=list)
    disfavored_tradeoffs: Texts = field("What should not be given up for it.", make=list)
    goal_source: GoalSource = field("Where it comes from.", default=GoalSource.user_stated, filtered=True)
    evidence_refs: Keys = field("Where the evidence for it is kept.", make=list)
    confidence: float = field("How sure its source is, from 0 to 1.", default=1.0, ge=0, le=1)


class Standing(Record):
    """What the standing rules share: to which work they apply beside the links that say so."""

    ordered_by = ("name",)

    task_types: Words = field("Types of task that it holds for; none means all.", make=list)
    domains: Words = field("Fields of work that it holds for; none means all.", make=list)
    context_class: Key | None = field("Class of context that it holds for.", default=None, filtered=True)
    trigger_kinds: list[TriggerKind] = field("What begins the runs that it holds for; none means all.", make=list)
    side_effect_classes: Words = field("Classes of side effect that it concerns.", make=list)
    global_: bool = field("Whether it holds everywhere.", default=False, alias="global", filtered=True)
    rationale: Text | None = field("Why it holds.", default=None)


class Preference(Standing):
    """How the user likes things done."""

    label = "Preference"
    plural = "preferences"
    prefix = "pref"
    layer = EvidenceLayer.memory
    colour = "#f79767"
    carded = True
    saved = True

    statement: Text = field("The preference, in a sentence.", fulltext=True)


class Restriction(Standing):
    """What must not be done, or only with leave. It is never trimmed from a context packet."""

    label = "Restriction"
    plural = "restrictions"
    prefix = "rest"
    layer = EvidenceLayer.memory
    colour = "#f16667"
    carded = True
    saved = True

    statement: Text = field("The restriction, in a sentence.", fulltext=True)


class Procedure(Standing):
    """A way of working that was settled once and is followed since."""

    label = "Procedure"
    plural = "procedures"
    prefix = "proc"
    layer = EvidenceLayer.memory
    colour = "#d9c8ae"
    carded = True
    saved = True

    statement: Text = field("What the procedure is for.", fulltext=True)
    steps: Texts = field("Its steps, in order.", make=list)


ViewCommands = Annotated[list[ViewCommand], PydanticField(max_length=len(ViewCommand))]


class CapabilityKind(StrEnum):
    """How a capability is provided."""

    tool = "tool"
    connector = "connector"
    mcp_server = "mcp_server"
    procedure = "procedure"
    skill = "skill"
    model = "model"


class Capability(Record):
    """Something a module can be given the use of: a tool, a connector, a server, a model."""

    label = "Capability"
    plural = "capabilities"
    prefix = "cap"
    layer = EvidenceLayer.memory
    colour = "#8dcc93"
    carded = True
    saved = True
    ordered_by = ("name",)

    capability_kind: CapabilityKind = field("How it is provided.", filtered=True)
    summary: Text = field("What it does, in a sentence or two.", default="", fulltext=True)
    side_effect_classes: Words = field("Classes of side effect that using it may have.", make=list)
    mcp_server_ref: Key | None = field("The server that provides it, as policies name it.", default=None, filtered=True)
    connector_ref: Key | None = field("The connector that it goes through, as policies name it.", default=None)
    schema_hash: Key | None = field(
        "Hash of the schemas of its tools, as its server registered them: another one is another set of tools.",
        default=None,
    )
    tool_pack_policy: Text | None = field(
        "Which of a server's tools modules are given, and no more: its least-privilege policy.", default=None
    )
    require_confirmation: bool = field(
        "Its safe default: whether a person is asked before an agent adjusts its view.", default=True
    )
    automation_limits: ViewCommands = field(
        "What an agent may do to its view where no person has to be asked; none listed means nothing.", make=list
    )
    state: CapabilityState | None = field(
        "Whether it can be used, as last reported; absent when nobody said.",
        default=None,
        authored=False,
        filtered=True,
    )
    state_as_of: Timestamp | None = field("When that was so.", default=None, authored=False)
    state_generation: Long | None = field(
        "The reporter's count of its states; a higher one is newer.", default=None, authored=False, ge=0
    )
    state_reported_by: Key | None = field("Who reported it.", default=None, authored=False)


class WorkProduct(Reported):
    """A result that is kept as such: a brief, a memo, a report. Each version is a record of its own."""

    label = "WorkProduct"
    plural = "work_products"
    prefix = "wp"
    layer = EvidenceLayer.memory
    colour = "#3f8f8b"

    name: Name = field("What people call it.", ordered=True, fulltext=True)
    summary: Text | None = field("What it says, in a few sentences.", default=None, fulltext=True)
    storage_ref: Key | None = field("Where its content is kept.", default=None)
    media_type: Key | None = field("Media type of its content.", default=None)
    produced_at: Timestamp | None = field("When it became a work product.", default=None, ordered=True)
