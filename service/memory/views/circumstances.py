"""What held while a run worked and what came after it: snapshots, checkpoints, sessions, forks, follow-ups."""

from dataclasses import dataclass

Ids = tuple[str, ...]
Texts = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Snapshot:
    id: str
    name: str
    snapshot_key: str
    stub: bool = False
    snapshot_kind: str | None = None
    module_key: str | None = None
    activation_seq: int | None = None
    taken_at: str | None = None
    storage_ref: str | None = None
    model_ref: str | None = None
    agent_ref: str | None = None
    redaction_mode: str | None = None
    prompt_hash: str | None = None
    prompt_text_ref: str | None = None
    cil_layer_refs: Texts = ()
    context_packet_ref: str | None = None
    system_instruction_ref: str | None = None
    module_instruction_ref: str | None = None
    dynamic_instruction_ref: str | None = None
    context_bundle_ref: str | None = None
    chain_history_projection_ref: str | None = None
    attached_file_refs: Texts = ()
    required_capabilities: Texts = ()
    optional_capabilities: Texts = ()
    mounted_capabilities: Texts = ()
    denied_capabilities: Texts = ()
    live_state_summary: Texts = ()
    mcp_server_refs: Texts = ()
    connector_refs: Texts = ()
    procedure_refs: Texts = ()
    available_models: Texts = ()
    registry_generation_id: str | None = None
    decision_kind: str | None = None
    decision: str | None = None
    reason_codes: Texts = ()
    policy_generation_id: str | None = None
    exposure_context_ref: str | None = None
    held_for: Ids = ()
    """Run, activations, spans and deliveries that were done under it."""


@dataclass(frozen=True, slots=True)
class Packet:
    """What a module was given to know at one activation."""

    id: str
    name: str
    module_key: str
    activation_seq: int
    injection_profile: str
    actual_tokens: int
    max_tokens: int
    injected_count: int
    excluded_count: int


@dataclass(frozen=True, slots=True)
class PacketReceipt:
    """That a packet holds a record, or that it was kept out."""

    packet_id: str
    id: str
    name: str
    kind: str
    injected: bool
    stage: str
    explanation: str
    score: float | None = None
    threshold: float | None = None
    layer: str | None = None
    rank: int | None = None
    via: str | None = None
    tokens: int | None = None
    reason: str | None = None
    count: int = 1


@dataclass(frozen=True, slots=True)
class Checkpoint:
    id: str
    name: str
    checkpoint_key: str
    module_key: str | None = None
    activation_seq: int | None = None
    checkpoint_strategy: str | None = None
    replay_policy: str | None = None
    taken_at: str | None = None
    storage_ref: str | None = None
    graph_snapshot_ref: str | None = None
    module_config_snapshot_ref: str | None = None
    input_bundle_ref: str | None = None
    output_bundle_ref: str | None = None
    source_document_version_refs: Texts = ()
    committed_side_effects: Texts = ()


@dataclass(frozen=True, slots=True)
class Session:
    id: str
    name: str
    session_key: str
    continuation_status: str
    session_kind: str | None = None
    module_key: str | None = None
    activation_seq: int | None = None
    child_session_key: str | None = None
    runtime_run_id: str | None = None
    agent_ref: str | None = None
    model_ref: str | None = None
    think_level: str | None = None
    agent_config_snapshot_ref: str | None = None
    tool_call_trace_refs: Texts = ()
    subagent_trace_refs: Texts = ()
    supported_interventions: Texts = ()
    completed_at: str | None = None
    archived_at: str | None = None


@dataclass(frozen=True, slots=True)
class Intervention:
    id: str
    name: str
    intervention_key: str
    intervention_kind: str | None = None
    module_key: str | None = None
    activation_seq: int | None = None
    note: str | None = None
    supported_by_runtime: bool | None = None
    applied: bool | None = None
    applied_at: str | None = None
    receipt_ref: str | None = None


@dataclass(frozen=True, slots=True)
class Fork:
    """A request to run part of the run again."""

    id: str
    name: str
    created_at: str
    module_key: str | None = None
    activation_seq: int | None = None
    output_port_id: str | None = None
    branch_scope: str | None = None
    rerun_scope: str | None = None
    upstream_state_policy: str | None = None
    graph_policy: str | None = None
    context_policy: str | None = None
    source_document_policy: str | None = None
    side_effect_replay_policy: str | None = None
    user_patch_refs: Texts = ()
    created_by: str | None = None
    child_run_ids: Ids = ()


@dataclass(frozen=True, slots=True)
class FollowUp:
    """Something that took up what a module had done."""

    id: str
    name: str
    created_at: str
    mode: str | None = None
    user_question: str | None = None
    durable_effect: str | None = None
    output_ref: str | None = None
    session_key: str | None = None
    context_seed_refs: Texts = ()
    module_key: str | None = None
    activation_seq: int | None = None
    artifact_ids: Ids = ()


@dataclass(frozen=True, slots=True)
class ForkedRun:
    """The run that this one was forked from, or one that was forked from it."""

    id: str
    name: str
    status: str
    is_parent: bool
