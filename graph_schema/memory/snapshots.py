"""What held at one moment of a run: snapshots, and the states that it can go on from."""

from graph_schema.memory.runs import InStep
from graph_schema.memory.words import (
    CheckpointStrategy,
    DecisionKind,
    PolicyDecision,
    RedactionMode,
    ReplayPolicy,
    SnapshotKind,
)
from graph_schema.model.fields import Key, Keys, Texts, Timestamp, field


class Snapshot(InStep):
    """What held at one moment: a prompt, the capabilities, a policy decision, a configuration."""

    label = "Snapshot"
    plural = "snapshots"
    prefix = "snap"
    colour = "#b2b2b2"
    natural_key = ("run_id", "snapshot_key")

    snapshot_key: Key = field("The snapshot, as the executor calls it.")
    snapshot_kind: SnapshotKind | None = field("What it holds.", default=None, filtered=True)
    taken_at: Timestamp | None = field("When it was taken.", default=None)
    storage_ref: Key | None = field("Where the whole of it is kept.", default=None)
    model_ref: Key | None = field("Model that it was for.", default=None)
    agent_ref: Key | None = field("Agent that it was for.", default=None)
    redaction_mode: RedactionMode | None = field("Prompt: what is kept of it.", default=None)
    prompt_hash: Key | None = field("Prompt: its hash.", default=None)
    prompt_text_ref: Key | None = field("Prompt: where its text is kept.", default=None)
    cil_layer_refs: Keys = field("Prompt: where its layers are kept.", make=list)
    context_packet_ref: Key | None = field("Prompt: where its context packet is kept.", default=None)
    system_instruction_ref: Key | None = field("Prompt: where the system's instruction is kept.", default=None)
    module_instruction_ref: Key | None = field("Prompt: where the module's instruction is kept.", default=None)
    dynamic_instruction_ref: Key | None = field("Prompt: where the made instruction is kept.", default=None)
    context_bundle_ref: Key | None = field("Prompt: where its context is kept.", default=None)
    chain_history_projection_ref: Key | None = field("Prompt: where the history it saw is kept.", default=None)
    attached_file_refs: Keys = field("Prompt: where attached files are kept.", make=list)
    required_capabilities: Keys = field("Capability: what the module needs.", make=list)
    optional_capabilities: Keys = field("Capability: what the module may use.", make=list)
    mounted_capabilities: Keys = field("Capability: what it was given.", make=list)
    denied_capabilities: Keys = field("Capability: what it was refused.", make=list)
    live_state_summary: Texts = field("Capability: the state they were in, a line each.", make=list)
    mcp_server_refs: Keys = field("Capability: servers that were there.", make=list)
    connector_refs: Keys = field("Capability: connectors that were there.", make=list)
    procedure_refs: Keys = field("Capability: procedures that were there.", make=list)
    available_models: Keys = field("Capability: models that were there.", make=list)
    registry_generation_id: Key | None = field("Capability: generation of the registry.", default=None)
    decision_kind: DecisionKind | None = field("Policy: what was decided about.", default=None, filtered=True)
    decision: PolicyDecision | None = field("Policy: what was decided.", default=None, filtered=True)
    reason_codes: Keys = field("Policy: why.", make=list)
    policy_generation_id: Key | None = field("Policy: generation of the policy.", default=None)
    policy_refs: Keys = field("Policy: ids and versions of the policies that held.", make=list)
    exposure_context_ref: Key | None = field("Policy: where the exposure that it saw is kept.", default=None)


class Checkpoint(InStep):
    """A state that a run can go on from."""

    label = "Checkpoint"
    plural = "checkpoints"
    prefix = "chk"
    colour = "#8f9fb3"
    natural_key = ("run_id", "checkpoint_key")

    checkpoint_key: Key = field("The checkpoint, as the executor calls it.")
    checkpoint_strategy: CheckpointStrategy | None = field("What kind of boundary it is at.", default=None)
    replay_policy: ReplayPolicy | None = field("How the run goes on from it.", default=None)
    taken_at: Timestamp | None = field("When it was taken.", default=None)
    storage_ref: Key | None = field("Where the state is kept.", default=None)
    graph_snapshot_ref: Key | None = field("Where the graph is kept.", default=None)
    module_config_snapshot_ref: Key | None = field("Where the module's configuration is kept.", default=None)
    input_bundle_ref: Key | None = field("Where the inputs are kept.", default=None)
    output_bundle_ref: Key | None = field("Where the outputs are kept.", default=None)
    source_document_version_refs: Keys = field("The versions of the documents that were used.", make=list)
    committed_side_effects: Keys = field("Idempotency keys of what had been done by then.", make=list)
