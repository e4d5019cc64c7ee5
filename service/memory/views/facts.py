"""What a viewer may see of one run. Loaded once (`load_run`); everything that is said of a run is made from this.

What the viewer may not see is not in here, so nothing made from it can tell of it. References between facts are ids,
and the record that an id names may be absent. Names and words are those of the records.
"""

from dataclasses import dataclass, field
from enum import StrEnum

from service.memory.views.circumstances import (
    Checkpoint,
    FollowUp,
    Fork,
    ForkedRun,
    Intervention,
    Packet,
    PacketReceipt,
    Session,
    Snapshot,
)

Ids = tuple[str, ...]
Texts = tuple[str, ...]


class Part(StrEnum):
    """What is loaded together, by one statement each; only receipts of packets come with what was held."""

    run = "run"
    flow = "flow"
    trace = "trace"
    made = "made"
    held = "held"
    receipts = "receipts"


@dataclass(frozen=True, slots=True)
class Named:
    """A record beside the run: its task, an entity, a document."""

    id: str
    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class GoalLink:
    id: str
    name: str
    pursued: bool
    effect: str | None = None


@dataclass(frozen=True, slots=True)
class DocumentUse:
    """A document that came in, was fetched or was opened, by the run or by one of its activations."""

    id: str
    name: str
    kind: str
    how: str
    activation_id: str | None = None


@dataclass(frozen=True, slots=True)
class CapabilityUse:
    id: str
    name: str
    activation_id: str
    calls: int = 0
    errors: int = 0


@dataclass(frozen=True, slots=True)
class Consumption:
    """What an activation worked from: an artifact (of this run or another), a document or a work product."""

    id: str
    name: str
    kind: str
    activation_id: str
    storage_ref: str | None = None
    artifact_kind: str | None = None
    run_id: str | None = None


@dataclass(frozen=True, slots=True)
class Run:
    id: str
    name: str
    status: str
    version: int
    updated_at: str
    memory_mode: str
    capture_prompts: str
    capture_outputs: str
    memory_write_scope: str
    retention_class: str
    stub: bool = False
    undescribed: bool = False
    source: str | None = None
    source_key: str | None = None
    task_key: str | None = None
    task_name: str | None = None
    template_key: str | None = None
    blueprint_key: str | None = None
    trace_id: str | None = None
    started_at: str | None = None
    completed_at: str | None = None
    duration_ms: int | None = None
    trigger_kind: str | None = None
    trigger_summary: str | None = None
    workflow_summary: str | None = None
    quality_summary: str | None = None
    failure_code: str | None = None
    failure_summary: str | None = None
    failed_module_key: str | None = None
    graph_snapshot_ref: str | None = None
    blueprint_snapshot_ref: str | None = None
    key_config_snapshot_ref: str | None = None
    raw_run_ref: str | None = None
    total_cost_usd: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Costed:
    """What takes time and money."""

    id: str
    name: str
    status: str
    stub: bool = False
    """Named by another fact, and not reported itself."""
    started_at: str | None = None
    completed_at: str | None = None
    duration_ms: int | None = None
    cost_usd: float | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    model_ref: str | None = None
    agent_ref: str | None = None
    error_code: str | None = None
    error_message: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Activation(Costed):
    module_key: str
    activation_seq: int
    module_id: str | None = None
    module_type: str | None = None
    preset_key: str | None = None
    branch_label: str | None = None
    loop_iteration: int | None = None
    output_port_id: str | None = None
    think_level: str | None = None
    fallback_used: bool | None = None
    waiting_since: str | None = None
    waiting_reason: str | None = None
    skip_reason: str | None = None
    input_summary: Texts = ()
    output_summary: Texts = ()
    input_bundle_ref: str | None = None
    output_bundle_ref: str | None = None
    detail_ref: str | None = None
    triggered: Ids = ()
    """Activations that followed it."""


@dataclass(frozen=True, slots=True)
class Gate:
    id: str
    name: str
    gate_key: str
    status: str
    stub: bool = False
    gate_kind: str | None = None
    question: str | None = None
    opened_at: str | None = None
    deadline_at: str | None = None
    decided_at: str | None = None
    decided_by: str | None = None
    decision_note: str | None = None
    activation_ids: Ids = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Span(Costed):
    span_key: str
    span_kind: str | None = None
    parent_span_key: str | None = None
    parent_id: str | None = None
    activation_id: str | None = None
    module_key: str | None = None
    activation_seq: int | None = None
    summary: str | None = None
    input_ref: str | None = None
    output_ref: str | None = None
    subagent_trace_ref: str | None = None
    idempotency_key: str | None = None
    tags: Texts = ()


@dataclass(frozen=True, slots=True)
class NativeEvent:
    id: str
    name: str
    native_key: str
    native_event_kind: str | None = None
    native_event_ref: str | None = None
    mapping_status: str | None = None
    degraded_reason_codes: Texts = ()
    module_key: str | None = None
    activation_seq: int | None = None
    session_key: str | None = None
    child_session_key: str | None = None
    span_key: str | None = None


@dataclass(frozen=True, slots=True)
class Artifact:
    """What the run made or received, evaluation evidence among it."""

    id: str
    name: str
    artifact_state: str
    intake_level: str
    stub: bool = False
    activation_id: str | None = None
    module_key: str | None = None
    activation_seq: int | None = None
    port_name: str | None = None
    artifact_kind: str | None = None
    output_class: str | None = None
    output_archetype: str | None = None
    storage_ref: str | None = None
    media_type: str | None = None
    content_hash: str | None = None
    size_bytes: int | None = None
    summary: str | None = None
    key_points: Texts = ()
    produced_at: str | None = None
    intake_rule: str | None = None
    suggested_level: str | None = None
    review_required: bool = False
    promoted_by: str | None = None
    promoted_at: str | None = None
    memory_ref: str | None = None
    document_ingestion_ref: str | None = None
    library_ref: str | None = None
    score: float | None = None
    verdict: str | None = None
    channel: str | None = None
    direction: str | None = None
    sender: str | None = None
    recipients: Texts = ()
    thread_ref: str | None = None
    evaluates: Ids = ()
    """Artifacts that it is evaluation evidence about."""
    became: Ids = ()
    """Work products that it became."""


@dataclass(frozen=True, slots=True)
class Delivery:
    id: str
    name: str
    idempotency_key: str
    status: str
    delivery_key: str | None = None
    delivery_kind: str | None = None
    activation_id: str | None = None
    module_key: str | None = None
    activation_seq: int | None = None
    artifact_id: str | None = None
    destination_summary: str | None = None
    delivered_to: Texts = ()
    delivered_at: str | None = None
    external_message_id: str | None = None
    saved_path: str | None = None
    open_url: str | None = None
    receipt_ref: str | None = None
    policy_approval_ref: str | None = None
    conflicting: bool = False
    conflicts: Texts = ()


@dataclass(frozen=True, slots=True)
class RunFacts:
    """`loaded` says which parts were asked for; `cut` names the lists of which there is more than is held here."""

    run: Run
    task: Named | None = None
    template: Named | None = None
    about: tuple[Named, ...] = ()
    goals: tuple[GoalLink, ...] = ()
    documents: tuple[DocumentUse, ...] = ()
    activations: tuple[Activation, ...] = ()
    gates: tuple[Gate, ...] = ()
    capabilities: tuple[CapabilityUse, ...] = ()
    spans: tuple[Span, ...] = ()
    native_events: tuple[NativeEvent, ...] = ()
    artifacts: tuple[Artifact, ...] = ()
    consumed: tuple[Consumption, ...] = ()
    deliveries: tuple[Delivery, ...] = ()
    snapshots: tuple[Snapshot, ...] = ()
    packets: tuple[Packet, ...] = ()
    receipts: tuple[PacketReceipt, ...] = ()
    checkpoints: tuple[Checkpoint, ...] = ()
    sessions: tuple[Session, ...] = ()
    interventions: tuple[Intervention, ...] = ()
    forks: tuple[Fork, ...] = ()
    follow_ups: tuple[FollowUp, ...] = ()
    forked_runs: tuple[ForkedRun, ...] = ()
    loaded: frozenset[Part] = field(default_factory=lambda: frozenset(Part))
    cut: frozenset[str] = frozenset()
