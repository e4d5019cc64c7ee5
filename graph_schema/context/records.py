"""Scope and context: what a run is about, what its modules were given to know, and what was kept from them."""

from graph_schema.context.words import (
    Binding,
    ExpansionBasis,
    FeedbackTarget,
    FeedbackVerdict,
    LaunchSurface,
    MemoryKind,
    Profile,
    SurfaceKind,
    SurfacePolicy,
    TriggerKind,
)
from graph_schema.model.fields import (
    DataClass,
    EvidenceLayer,
    Key,
    Keys,
    LongText,
    Matters,
    Opaque,
    Text,
    Timestamp,
    Words,
    field,
)
from graph_schema.model.record import Record
from graph_schema.work.records import Standing


class Memory(Standing):
    """Something to be remembered: a directive, or an excerpt of what was learned before."""

    label = "Memory"
    plural = "memories"
    prefix = "mem"
    layer = EvidenceLayer.memory
    colour = "#9fb7d9"
    carded = True
    saved = True

    memory_kind: MemoryKind = field("What kind of memory it is.", default=MemoryKind.directive, filtered=True)
    statement: Text = field("What is remembered, in a sentence or two.", fulltext=True)


class Agent(Record):
    """A specialist that a module may be told about."""

    label = "Agent"
    plural = "agents"
    prefix = "agent"
    layer = EvidenceLayer.memory
    colour = "#7fc8c2"
    carded = True
    saved = True
    ordered_by = ("name",)

    agent_ref: Key = field("What runtimes call it.", indexed=True)
    summary: Text = field("What it is good at, in a sentence or two.", default="", fulltext=True)
    task_types: Words = field("Types of task that it is for; none means all.", make=list)
    domains: Words = field("Fields of work that it is for; none means all.", make=list)


class SurfaceContext(Record):
    """A surface that somebody works on: a chat, an editor, a library. It is offered, never taken by itself."""

    label = "SurfaceContext"
    plural = "surface_contexts"
    prefix = "surf"
    layer = EvidenceLayer.memory
    colour = "#c9d66b"
    saved = True
    indexed_together = (("audience", "open"),)

    surface_kind: SurfaceKind = field("What kind of surface it is.", filtered=True)
    surface_ref: Key | None = field("Where the surface is kept by its owner.", default=None)
    summary: Text | None = field("What is being done there, in a sentence.", default=None)
    open: bool = field("Whether somebody works on it now.", default=True, filtered=True)
    last_used_at: Timestamp | None = field("When it was last used. It is never a reason.", default=None)


class Schedule(Record):
    """When a task runs by itself, and what such a run may take over from the one before."""

    label = "Schedule"
    plural = "schedules"
    prefix = "sched"
    layer = EvidenceLayer.run_truth
    colour = "#a3c9a8"
    saved = True

    schedule_id: Key = field("What the scheduler calls it.", indexed=True)
    recurrence_rule: Key = field("How it recurs, as an iCalendar rule or in words.")
    summary: Text | None = field("What it is for.", default=None)
    carry_forward_scope_from_prior_run: bool = field(
        "Whether a run takes over the scope of the run before.", default=False
    )


class Trigger(Record):
    """What began one run: an email, a schedule's turn, an event. Its evidence decides what the run is about."""

    label = "Trigger"
    plural = "triggers"
    prefix = "trig"
    layer = EvidenceLayer.run_truth
    colour = "#e07a5f"
    natural_key = ("run_id",)

    run_id: Key = field("The run that it began.", indexed=True, authored=False)
    trigger_kind: TriggerKind = field("What kind of event it was.", filtered=True, authored=False)
    trigger_module_key: Key | None = field("The module that took it, as the executor calls it.", default=None)
    correlation_key: Key | None = field("What ties it to other events.", default=None, indexed=True, authored=False)
    payload_ref: Key | None = field("Where its payload is kept.", default=None, authored=False)
    payload_summary: Text | None = field("What it said, in a few sentences.", default=None, authored=False)
    confidence: float | None = field(
        "How sure the least sure of its bindings is.", default=None, authored=False, ge=0, le=1
    )
    source_classification_refs: Keys = field("Where its classification is kept.", make=list, authored=False)
    email_account: Key | None = field("Email: the account.", default=None, authored=False)
    mailbox: Key | None = field("Email: the folder.", default=None, authored=False)
    message_id: Key | None = field("Email: the message.", default=None, indexed=True, authored=False)
    thread_id: Key | None = field("Email: the thread.", default=None, authored=False)
    thread_subject: Text | None = field("Email: its subject.", default=None, authored=False)
    sender: Key | None = field("Email: who sent it.", default=None, authored=False)
    recipients: Keys = field("Email: who it was sent to.", make=list, authored=False)
    ingestion_result_refs: Keys = field(
        "Email: where the results of reading its attachments are kept.", make=list, authored=False
    )
    run_window_start: Timestamp | None = field("Schedule: from when its turn counts.", default=None, authored=False)
    run_window_end: Timestamp | None = field("Schedule: until when.", default=None, authored=False)


class ScopeEnvelope(Record):
    """What a run is about, settled when it starts. Whatever is not bound here stays out of its modules' packets."""

    label = "ScopeEnvelope"
    plural = "scope_envelopes"
    prefix = "env"
    layer = EvidenceLayer.run_truth
    colour = "#5b8e7d"
    natural_key = ("run_id",)

    run_id: Key = field("The run.", indexed=True, authored=False)
    task_key: Key | None = field("The task, as the executor calls it.", default=None, indexed=True, authored=False)
    task_type: Key | None = field("What type of task it is.", default=None, filtered=True, authored=False)
    domains: Words = field("Fields of work that it belongs to.", make=list, authored=False)
    launch_surface: LaunchSurface = field("What it was launched from.", filtered=True, authored=False)
    launch_surface_ref: Key | None = field("Where that surface is kept.", default=None, authored=False)
    surface_context_policy: SurfacePolicy = field(
        "What it may take over from a surface.", filtered=True, authored=False
    )
    policy_source: Text = field("Where that policy comes from, in a sentence.", authored=False)
    broad_scope: Text | None = field(
        "What a task of broad scope declares: what it looks at across matters and libraries.",
        default=None,
        authored=False,
    )
    broad_kinds: Words = field(
        "Broad scope: kinds of record that it looks at; none means all.", make=list, authored=False
    )
    broad_since: Timestamp | None = field("Broad scope: from when on.", default=None, authored=False)
    broad_until: Timestamp | None = field("Broad scope: until when.", default=None, authored=False)
    visibility_ceiling: DataClass = field("The strictest class that its modules may be given.", authored=False)
    scope_matter_ids: Matters = field("The matters that it is about.", make=list, authored=False)
    environment: Opaque | None = field("The task's environment.config, as JSON.", default=None, authored=False)
    warnings: Keys = field("Codes of what is doubtful about it.", make=list, authored=False)
    request_hash: Key = field("Hash of what it was computed from.", authored=False)
    rules: Key = field("Name and version of the rules that made it.", authored=False)


class ContextPacket(Record):
    """What one module was given to know at one activation, and what was kept from it, each with its reason."""

    label = "ContextPacket"
    plural = "context_packets"
    prefix = "pack"
    layer = EvidenceLayer.run_truth
    colour = "#f4d35e"
    natural_key = ("run_id", "module_key", "activation_seq")

    run_id: Key = field("The run.", indexed=True, authored=False)
    module_key: Key = field("The module, as the executor calls it.", filtered=True, authored=False)
    activation_seq: int = field("Which activation of that module, from 1.", ge=1, authored=False)
    module_type: Key | None = field("Type of the module.", default=None, filtered=True, authored=False)
    injection_profile: Profile = field("Which layers it may have at most.", filtered=True, authored=False)
    task_context_binding: Binding = field("The strongest of its bindings.", filtered=True, authored=False)
    surface_context_policy: SurfacePolicy = field("What it may take over from a surface.", authored=False)
    surface_context_used: bool = field("Whether anything came from a surface.", filtered=True, authored=False)
    surface_context_reason: Text | None = field("Why, if so.", default=None, authored=False)
    primary_instruction_summary: Text | None = field("Basis: what the module is to do.", default=None, authored=False)
    output_contract_summary: Text | None = field("Basis: what it is to make.", default=None, authored=False)
    evaluation_or_review_basis: Text | None = field("Basis: what it judges by.", default=None, authored=False)
    data_input_summary: Text | None = field("Basis: its data, in short.", default=None, authored=False)
    context_input_summary: Text | None = field("Basis: its context input, in short.", default=None, authored=False)
    instruction_input_summary: Text | None = field(
        "Basis: the instruction that came in, in short.", default=None, authored=False
    )
    file_input_summary: Text | None = field("Basis: the files that came in, in short.", default=None, authored=False)
    trigger_payload_summary: Text | None = field(
        "Basis: what the trigger brought, in short.", default=None, authored=False
    )
    side_effect_class: Key | None = field("Basis: what it does to the outside world.", default=None, authored=False)
    requested_tokens: int = field("Tokens that all eligible items would take.", ge=0, authored=False)
    actual_tokens: int = field("Tokens that its items take.", ge=0, authored=False)
    max_tokens: int = field("Tokens that it may take.", ge=0, authored=False)
    tokenizer: Key = field("How tokens were counted.", authored=False)
    considered_count: int = field(
        "Candidates that were considered, of those that you may see; containers as one.",
        ge=0,
        counts="INJECTED|EXCLUDED",
        authored=False,
    )
    injected_count: int = field(
        "Items that it holds, of those that you may see.", ge=0, counts="INJECTED", authored=False
    )
    excluded_count: int = field(
        "Candidates that were kept out, of those that you may see; containers as one.",
        ge=0,
        counts="EXCLUDED",
        authored=False,
    )
    warnings: Keys = field("Codes of what a reader should know.", make=list, authored=False)
    inputs: Opaque | None = field("What was asked, as JSON.", default=None, hidden=True)
    inputs_hash: Key = field("Hash of what was asked.", authored=False)
    content_hash: Key = field("Hash of its items and receipts.", filtered=True, authored=False)
    packet_generation_id: Key = field("Name of this computation.", indexed=True, authored=False)
    rules: Key = field("Name and version of the rules that made it.", filtered=True, authored=False)
    embedding_model: Key = field("The model that compared meanings.", authored=False)


class ExpansionReceipt(Record):
    """That a module asked for more capabilities while it ran, and what came of it."""

    label = "ExpansionReceipt"
    plural = "expansion_receipts"
    prefix = "exp"
    layer = EvidenceLayer.run_truth
    colour = "#ee964b"

    run_id: Key = field("The run.", indexed=True, authored=False)
    module_key: Key = field("The module, as the executor calls it.", filtered=True, authored=False)
    activation_seq: int = field("Which activation of that module, from 1.", ge=1, authored=False)
    detected_need: Text = field("What it needs, in a sentence.", authored=False)
    basis: ExpansionBasis = field("Why it needs it.", filtered=True, authored=False)
    approval_required: bool = field("Whether a person is asked first.", filtered=True, authored=False)
    approval_ref: Key | None = field("The gate that asks.", default=None, authored=False)
    explanation: LongText = field("What was added, refused or asked about, and why.", authored=False)
    packet_generation_id: Key | None = field(
        "The computation of the context packet that the module had by then.", default=None, authored=False
    )
    policy_id: Key | None = field("The capability policy that decided.", default=None, authored=False)
    rules: Key = field("Name and version of the rules that decided.", authored=False)
    facts: Opaque | None = field("What decided, as JSON. A replay reads this.", default=None, hidden=True)


class Feedback(Record):
    """What somebody thinks of a piece of context, or of what was shared with them. It changes nothing by itself."""

    label = "Feedback"
    plural = "feedback_events"
    prefix = "fb"
    layer = EvidenceLayer.learning
    colour = "#f2b5d4"

    run_id: Key | None = field(
        "The run; none of a comment on a shared task.", default=None, indexed=True, authored=False
    )
    module_key: Key | None = field("The module, as the executor calls it.", default=None, filtered=True, authored=False)
    activation_seq: int | None = field("Which activation of that module, from 1.", default=None, ge=1, authored=False)
    target_kind: FeedbackTarget = field("What it is about.", filtered=True, authored=False)
    target_ref: Key = field(
        "The item, the candidate, the layer, the packet or what is shared.", indexed=True, authored=False
    )
    feedback: FeedbackVerdict | None = field("What is thought of it.", default=None, filtered=True, authored=False)
    user_comment: Text | None = field("What was said with it.", default=None, authored=False)
    given_by: Key = field("Id of the principal who gave it.", filtered=True, authored=False)
