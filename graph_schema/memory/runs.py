"""What happened: runs, what they did step by step, what they made, and where it went."""

from typing import Annotated, ClassVar

from pydantic import Field as PydanticField

from graph_schema.context.words import TriggerKind
from graph_schema.memory.words import (
    ArtifactKind,
    ArtifactState,
    ContinuationStatus,
    DeliveryKind,
    DeliveryStatus,
    Endpoint,
    GateKind,
    GateStatus,
    IntakeLevel,
    IntakeRule,
    InterventionKind,
    MappingStatus,
    MemoryMode,
    MessageDirection,
    NativeEventKind,
    OutputCapture,
    OutputClass,
    PromptCapture,
    RetentionClass,
    RunStatus,
    SessionKind,
    SpanKind,
    StepStatus,
    WriteScope,
)
from graph_schema.model.fields import EvidenceLayer, Key, Keys, Long, Name, Text, Texts, Timestamp, Words, field
from graph_schema.model.record import Record

MOST_USD = 1_000_000_000
Stamps = Annotated[list[Text], PydanticField(max_length=1_000)]
Interventions = Annotated[list[InterventionKind], PydanticField(max_length=len(InterventionKind))]


class Tombstone(Record):
    """What is left where a record was erased: that there was one, of which kind, and why it went."""

    label = "Tombstone"
    plural = "tombstones"
    prefix = "tomb"
    layer = EvidenceLayer.run_truth
    colour = "#6d6d6d"

    erased_kind: Key = field("Label of the record that was erased.", filtered=True, authored=False)
    erased_at: Timestamp = field("When it was erased.", ordered=True, authored=False)
    reason: Text | None = field("Why it was erased.", default=None, authored=False)
    key_hash: Key | None = field(
        "Hash of its outside key, so that what comes again by it is known.", default=None, indexed=True, hidden=True
    )


class Reported(Record):
    """What executors report shares: which event each of its values came from, so that order does not matter."""

    layer = EvidenceLayer.run_truth
    reported: ClassVar[bool] = True

    stamps: Stamps = field("The events that its values came from.", make=list, hidden=True)


class Run(Reported):
    """One execution of a task, from its trigger to its deliveries."""

    label = "Run"
    plural = "runs"
    prefix = "run"
    colour = "#f2a65a"
    indexed_together = tuple(
        ("audience", one, "started_at")
        for one in ("task_key", "template_key", "status", "trigger_kind", "failure_code")
    )
    receipt = ("status", "phase", "started_at", "completed_at", "duration_ms", "failure_code")

    task_key: Key | None = field("What the executor calls the task.", default=None, indexed=True)
    task_name: Name | None = field("The task's name at the time.", default=None)
    template_key: Key | None = field("What the executor calls the template that was used.", default=None, indexed=True)
    blueprint_key: Key | None = field("What the executor calls the blueprint.", default=None)
    trace_id: Key | None = field("Trace that its spans belong to.", default=None, indexed=True)
    status: RunStatus = field("Where it stands.", default=RunStatus.pending, filtered=True, authored=False)
    phase: RunStatus | None = field("What its own events say, apart from its activations.", default=None, hidden=True)
    started_at: Timestamp | None = field("When it first started.", default=None, indexed=True, ordered=True)
    completed_at: Timestamp | None = field("When it ended.", default=None, ordered=True)
    duration_ms: Long | None = field("From start to end.", default=None, ordered=True, authored=False, ge=0)
    trigger_kind: TriggerKind | None = field("What began it.", default=None, filtered=True)
    trigger_summary: Text | None = field("What began it, in a sentence.", default=None)
    workflow_summary: Text | None = field("What it does, in a few sentences.", default=None, fulltext=True)
    quality_summary: Text | None = field("How good the result is said to be.", default=None)
    failure_code: Key | None = field("Why it failed, as a code.", default=None, filtered=True)
    failure_summary: Text | None = field("Why it failed, in a sentence.", default=None)
    failed_module_key: Key | None = field("The module that it failed in.", default=None)
    graph_snapshot_ref: Key | None = field("Where the graph that was run is kept.", default=None)
    blueprint_snapshot_ref: Key | None = field("Where the blueprint that was run is kept.", default=None)
    key_config_snapshot_ref: Key | None = field("Where its key configuration is kept.", default=None)
    raw_run_ref: Key | None = field("Where the executor keeps its own record of it.", default=None)
    total_cost_usd: float | None = field("Cost as the executor added it up.", default=None, ge=0, le=MOST_USD)
    cost_usd: float | None = field(
        "Cost in dollars: the executor's total, else what its activations and the spans outside them add up to.",
        default=None,
        ordered=True,
        authored=False,
        ge=0,
    )
    spent_micros: Long = field("Cost of its activations, in millionths of a dollar.", default=0, hidden=True)
    costed_count: int = field("Activations whose cost is known.", default=0, hidden=True)
    outside_micros: Long | None = field("Cost of spans outside its activations.", default=None, hidden=True)
    whole_micros: Long | None = field("Cost of it all, as the span of the run says.", default=None, hidden=True)
    activation_count: int = field("Activations so far.", default=0, authored=False)
    running_count: int = field("Activations that run now.", default=0, authored=False)
    waiting_count: int = field("Activations that wait now.", default=0, authored=False)
    error_count: int = field("Activations that ended in an error.", default=0, filtered=True, authored=False)
    success_count: int = field("Activations that did their work.", default=0, hidden=True)
    skipped_count: int = field("Activations that were passed over.", default=0, hidden=True)
    cancelled_count: int = field("Activations that were cancelled.", default=0, hidden=True)
    named_count: int = field("Activations that others only named so far.", default=0, hidden=True)
    module_count: int = field("Modules that were activated.", default=0, hidden=True)
    artifact_count: int = field(
        "Artifacts that it made, of those that you may see.", default=0, counts="Artifact", authored=False
    )
    delivery_count: int = field(
        "Deliveries that it made, of those that you may see.", default=0, counts="Delivery", authored=False
    )
    forked: bool = field("Whether it carries out a fork request.", default=False, filtered=True, authored=False)
    memory_mode: MemoryMode = field("How much of it is remembered.", filtered=True, authored=False)
    artifact_default_level: IntakeLevel = field("How far its artifacts go, if nothing else says.", authored=False)
    capture_prompts: PromptCapture = field("What is kept of its prompts.", authored=False)
    capture_outputs: OutputCapture = field("What is kept of its outputs.", authored=False)
    memory_write_scope: WriteScope = field("What of it may become memory.", authored=False)
    entity_linking_enabled: bool = field("Whether it is linked to entities.", authored=False)
    goal_linking_enabled: bool = field("Whether it is linked to goals.", authored=False)
    matter_linking_enabled: bool = field("Whether it is linked to its matters.", authored=False)
    followup_session_linking_enabled: bool = field("Whether later sessions are linked to it.", authored=False)
    retention_class: RetentionClass = field("How long it is kept.", filtered=True, authored=False)
    user_can_retroactively_promote: bool = field("Whether its artifacts may be promoted later.", authored=False)
    working_task_key: Key | None = field(
        "The task of an ephemeral run, while it is at work: its policies hold. It goes when the run ends.",
        default=None,
        hidden=True,
    )
    working_template_key: Key | None = field("The same of its template.", default=None, hidden=True)
    due: Key | None = field(
        "Its class and the time that its age counts from, until it is compacted.",
        default=None,
        indexed=True,
        hidden=True,
    )
    compacting_since: Timestamp | None = field(
        "When its compaction began, while that goes on.", default=None, authored=False
    )
    compacted_at: Timestamp | None = field("When it was compacted.", default=None, filtered=True, authored=False)


class InRun(Reported):
    """A part of one run. There are many of them, so what nobody searches by has no index."""

    name: Name = field("What people call it.")
    updated_at: Timestamp = field("When it was last changed.", authored=False)
    run_id: Key = field("The run that it belongs to.", indexed=True, authored=False)


class InStep(InRun):
    """A part of a run that may belong to one activation."""

    module_key: Key | None = field("The module, as the executor calls it.", default=None, filtered=True)
    activation_seq: int | None = field("Which activation of that module, from 1.", default=None, ge=1)


class Costed(InRun):
    """What takes time and money."""

    status: StepStatus = field("Where it stands.", default=StepStatus.pending, filtered=True)
    started_at: Timestamp | None = field("When it first started.", default=None, ordered=True)
    completed_at: Timestamp | None = field("When it ended.", default=None)
    duration_ms: Long | None = field("From start to end.", default=None, authored=False, ge=0)
    cost_usd: float | None = field("Cost in dollars.", default=None, ge=0, le=MOST_USD)
    input_tokens: Long | None = field("Tokens that went in.", default=None, ge=0)
    output_tokens: Long | None = field("Tokens that came out.", default=None, ge=0)
    model_ref: Key | None = field("Model that was used.", default=None, filtered=True)
    agent_ref: Key | None = field("Agent that did it.", default=None)
    error_code: Key | None = field("Why it failed, as a code.", default=None, filtered=True)
    error_message: Text | None = field("Why it failed, in a sentence.", default=None)


class Activation(Costed):
    """One module at work, once. A module that runs again in the same run has another `activation_seq`.

    Cost and tokens that it does not tell itself are what its spans add up to.
    """

    label = "Activation"
    plural = "activations"
    prefix = "act"
    colour = "#f7c59f"
    natural_key = ("run_id", "module_key", "activation_seq")
    indexed_together = (("audience", "preset_key"), ("run_id", "audience", "place"), ("run_id", "status", "moment"))

    module_key: Key = field("The module, as the executor calls it.", filtered=True)
    activation_seq: int = field("Which activation of that module, from 1.", ge=1)
    place: Text = field(
        "When it began, its module and its number: where it stands in its run.", default="", hidden=True
    )
    moment: Text = field("When the last that is known of it happened.", default="", hidden=True)
    module_type: Key | None = field("Type of the module.", default=None, filtered=True)
    preset_key: Key | None = field("What the executor calls the preset that the module was set to then.", default=None)
    branch_label: Key | None = field("The branch of the flow that it is on.", default=None)
    loop_iteration: int | None = field("Which round of its loop it is.", default=None, ge=0)
    output_port_id: Key | None = field("The port that its result left by.", default=None)
    waiting_since: Timestamp | None = field("Since when it waited, the last time that it did.", default=None)
    waiting_reason: Text | None = field("What it waited for, the last time that it did.", default=None)
    skip_reason: Text | None = field("Why it was skipped.", default=None)
    think_level: Key | None = field("How hard the agent was told to think.", default=None)
    fallback_used: bool | None = field("Whether another model had to step in.", default=None)
    input_summary: Texts = field("What went in, a line each.", make=list)
    output_summary: Texts = field("What came out, a line each.", make=list)
    input_bundle_ref: Key | None = field("Where its inputs are kept.", default=None)
    output_bundle_ref: Key | None = field("Where its outputs are kept.", default=None)
    detail_ref: Key | None = field("Where the executor keeps its details.", default=None)


class Span(Costed, InStep):
    """One operation inside a run: a call, a decision, a wait, an error."""

    label = "Span"
    plural = "spans"
    prefix = "span"
    colour = "#ffe3c2"
    natural_key = ("run_id", "span_key")
    indexed_together = (("tool_key", "audience", "completed_at"),)

    span_key: Key = field("The span, as the executor calls it.")
    trace_id: Key | None = field("The trace that it belongs to.", default=None)
    parent_span_key: Key | None = field("The span that it is part of.", default=None)
    span_kind: SpanKind | None = field("What kind of operation it is.", default=None, filtered=True)
    tool_key: Key | None = field("The tool that it called, as the executor calls it.", default=None, filtered=True)
    tool_method: Key | None = field("The method of that tool.", default=None)
    input_ref: Key | None = field("Where its input is kept.", default=None)
    output_ref: Key | None = field("Where its output is kept.", default=None)
    summary: Text | None = field("What it did, in a sentence.", default=None)
    subagent_trace_ref: Key | None = field("Where the trace of a subagent is kept.", default=None)
    idempotency_key: Key | None = field("Name of its side effect, the same however often it is tried.", default=None)
    tags: Words = field("Words to find it by.", make=list)


class Artifact(InStep):
    """Something that a run made or received, as an entry of the index. Its content stays with its owner."""

    label = "Artifact"
    plural = "artifacts"
    prefix = "art"
    colour = "#68bdf6"
    indexed_together = (("run_id", "output_class"),)

    run_id: Key | None = field(  # pyright: ignore[reportIncompatibleVariableOverride] - of all parts, only this may lack it
        "The run that it belongs to; none when a follow-up made it.", default=None, indexed=True, authored=False
    )
    name: Name = field("What people call it.", ordered=True, fulltext=True)
    name_words: Text | None = field(
        "The words of a file's name, each by itself, for search.", default=None, fulltext=True, hidden=True
    )
    port_name: Key | None = field("The port that it came out of.", default=None)
    artifact_kind: ArtifactKind | None = field("What it is.", default=None, filtered=True)
    output_class: OutputClass | None = field("What part it plays in its run.", default=None, filtered=True)
    output_archetype: Key | None = field("The kind of result that it is an example of.", default=None, filtered=True)
    storage_ref: Key | None = field("Where its content is kept.", default=None)
    media_type: Key | None = field("Media type of its content.", default=None)
    content_hash: Key | None = field("Hash of its content.", default=None)
    size_bytes: Long | None = field("Size of its content.", default=None, ge=0)
    summary: Text | None = field("What it says, in a few sentences.", default=None, fulltext=True)
    key_points: Texts = field("Its main points.", make=list)
    produced_at: Timestamp | None = field("When it was made.", default=None, ordered=True)
    intake_level: IntakeLevel = field(
        "How far it goes beyond its run.", default=IntakeLevel.run_only, filtered=True, authored=False
    )
    intake_rule: IntakeRule | None = field("The rule that decided this.", default=None, authored=False)
    intake_policy_id: Key | None = field("The policy that decided this, if one did.", default=None, authored=False)
    intake_policy_version: int | None = field("Which version of it.", default=None, authored=False)
    endpoint: Endpoint | None = field("Where it ends up once it was processed.", default=None, authored=False)
    suggested_level: IntakeLevel | None = field("The level that a person is asked about.", default=None, authored=False)
    suggested_by_id: Key | None = field("The policy that suggests it, if one does.", default=None, authored=False)
    review_required: bool = field("Whether a person is asked.", default=False, filtered=True, authored=False)
    artifact_state: ArtifactState = field("Where it stands.", default=ArtifactState.active, filtered=True)
    promoted_by: Key | None = field("Who had it promoted.", default=None)
    promoted_at: Timestamp | None = field("When it was promoted.", default=None, filtered=True)
    memory_ref: Key | None = field("Its name in the memory.", default=None)
    document_ingestion_ref: Key | None = field("Its name in document processing.", default=None)
    library_ref: Key | None = field("Its name in a library.", default=None)
    opened_count: int = field("How often it was opened.", default=0, authored=False)
    bookmarked_count: int = field("How often it was bookmarked.", default=0, authored=False)
    cited_count: int = field("How often it was cited.", default=0, authored=False)
    score: float | None = field("What a judge gave, for evaluation evidence.", default=None)
    verdict: Key | None = field("What a judge found, for evaluation evidence.", default=None)
    channel: Key | None = field("How a message went: chat, forum, task, webhook.", default=None, filtered=True)
    direction: MessageDirection | None = field("Which way a message went.", default=None)
    sender: Key | None = field("Who sent a message.", default=None)
    recipients: Keys = field("Who a message went to.", make=list)
    thread_ref: Key | None = field("The conversation that a message belongs to.", default=None)


class Delivery(InStep):
    """Something that left a run: sent, saved, posted. One for each side effect, however often it is reported."""

    label = "Delivery"
    plural = "deliveries"
    prefix = "dlv"
    colour = "#569480"
    natural_key = ("run_id", "idempotency_key")
    receipt = ("idempotency_key", "delivery_kind", "status", "delivered_at", "module_key", "activation_seq")

    idempotency_key: Key = field("Name of the side effect, the same however often it is tried.", indexed=True)
    delivery_key: Key | None = field("What the executor calls the delivery.", default=None)
    artifact_key: Key | None = field("The artifact that was delivered, as the executor calls it.", default=None)
    delivery_kind: DeliveryKind | None = field("How it left.", default=None, filtered=True)
    status: DeliveryStatus = field(
        "What became of it. The last outcome stands, by its own time.", default=DeliveryStatus.pending, filtered=True
    )
    destination_summary: Text | None = field("Where it went, in a sentence.", default=None)
    delivered_to: Keys = field("Who it went to.", make=list)
    delivered_at: Timestamp | None = field("When it was delivered.", default=None, ordered=True)
    external_message_id: Key | None = field("What the outside calls it.", default=None)
    saved_path: Key | None = field("Where it was saved.", default=None)
    open_url: Key | None = field("Where it can be opened.", default=None)
    receipt_ref: Key | None = field("Where its receipt is kept.", default=None)
    policy_approval_ref: Key | None = field("Where the approval for it is kept.", default=None)
    outcomes: Stamps = field("Every outcome that was reported for it.", make=list, hidden=True)
    conflicting: bool = field(
        "Whether it was delivered otherwise than what stands says.", default=False, filtered=True, authored=False
    )
    conflicts: Texts = field("Deliveries that were reported beside what stands.", make=list, authored=False)


class Gate(InStep):
    """A point where a run waits for a person, a signal or a time."""

    label = "Gate"
    plural = "gates"
    prefix = "gate"
    colour = "#d9534f"
    natural_key = ("run_id", "gate_key")

    gate_key: Key = field("The gate, as the executor calls it.")
    gate_kind: GateKind | None = field("What it waits for.", default=None, filtered=True)
    status: GateStatus = field("Whether it still holds.", default=GateStatus.open, filtered=True)
    question: Text | None = field("What is asked.", default=None)
    opened_at: Timestamp | None = field("When it began to hold.", default=None, ordered=True)
    deadline_at: Timestamp | None = field("Until when an answer is expected.", default=None)
    decided_at: Timestamp | None = field("When it was decided.", default=None)
    decided_by: Key | None = field("Who decided.", default=None)
    decision_note: Text | None = field("What was said with the decision.", default=None)


class Session(InStep):
    """The agent's session that a module ran in, as its runtime reported it."""

    label = "Session"
    plural = "sessions"
    prefix = "sess"
    colour = "#a391c9"
    natural_key = ("run_id", "session_key")

    session_key: Key = field("The session, as its runtime calls it.")
    session_kind: SessionKind | None = field("What kind of session it is.", default=None, filtered=True)
    continuation_status: ContinuationStatus = field(
        "Whether it can be continued.", default=ContinuationStatus.unknown, filtered=True
    )
    supported_interventions: Interventions = field(
        "What its runtime takes from a person while the module runs; what is not listed is not offered.", make=list
    )
    child_session_key: Key | None = field("A session that it spawned.", default=None)
    runtime_run_id: Key | None = field("What the runtime calls the run.", default=None)
    agent_ref: Key | None = field("Agent whose session it is.", default=None)
    model_ref: Key | None = field("Model that it uses.", default=None)
    think_level: Key | None = field("How hard the agent is told to think.", default=None)
    agent_config_snapshot_ref: Key | None = field("Where the agent's configuration is kept.", default=None)
    tool_call_trace_refs: Keys = field("Where its tool calls are kept.", make=list)
    subagent_trace_refs: Keys = field("Where its subagents' traces are kept.", make=list)
    completed_at: Timestamp | None = field("When it ended.", default=None)
    archived_at: Timestamp | None = field("When it was archived.", default=None)


class Intervention(InStep):
    """What a person asked of a module while it ran, and whether its runtime did it."""

    label = "Intervention"
    plural = "interventions"
    prefix = "itv"
    colour = "#e07b91"
    natural_key = ("run_id", "intervention_key")

    intervention_key: Key = field("The intervention, as the executor calls it.")
    intervention_kind: InterventionKind | None = field("What was asked.", default=None, filtered=True)
    note: Text | None = field("What was said.", default=None)
    requested_by: Key | None = field("Who asked.", default=None)
    supported_by_runtime: bool | None = field("Whether the runtime can do this.", default=None)
    applied: bool | None = field("Whether it was done.", default=None)
    applied_at: Timestamp | None = field("When it was done.", default=None)
    receipt_ref: Key | None = field("Where the receipt is kept.", default=None)


class NativeEvent(InStep):
    """What an agent's own runtime said, kept by reference and not turned into a span that nobody reported."""

    label = "NativeEvent"
    plural = "native_events"
    prefix = "nev"
    colour = "#9aa5b1"
    natural_key = ("run_id", "native_key")

    native_key: Key = field("The event, as its runtime calls it.")
    native_event_kind: NativeEventKind | None = field("What it says.", default=None, filtered=True)
    native_event_ref: Key | None = field("Where it is kept.", default=None)
    mapping_status: MappingStatus | None = field("What became of it here.", default=None, filtered=True)
    degraded_reason_codes: Keys = field("Why it could not be mapped.", make=list)
    session_key: Key | None = field("Session that it came from.", default=None)
    child_session_key: Key | None = field("Session that it is about.", default=None)
    span_key: Key | None = field("Span that it was mapped to.", default=None)
