"""The specification's vocabularies of what happened in a run, in its own words."""

from enum import StrEnum


class RunStatus(StrEnum):
    """Where a run stands."""

    pending = "pending"
    running = "running"
    waiting = "waiting"
    completed = "completed"
    failed = "failed"
    cancelled = "cancelled"


class StepStatus(StrEnum):
    """Where an activation or a span stands."""

    pending = "pending"
    running = "running"
    waiting = "waiting"
    success = "success"
    error = "error"
    cancelled = "cancelled"
    skipped = "skipped"


class MemoryMode(StrEnum):
    """How much of a run is remembered."""

    standard = "standard"
    reference_only = "reference_only"
    summary_reference = "summary_reference"
    summary_plus_learning = "summary_plus_learning"
    memory_incognito = "memory_incognito"
    full_ephemeral_test = "full_ephemeral_test"


class PromptCapture(StrEnum):
    """What is kept of the prompts of a run."""

    never = "never"
    redacted = "redacted"
    full_local_only = "full_local_only"


class OutputCapture(StrEnum):
    """What is kept of the outputs of a run."""

    reference_only = "reference_only"
    redacted_summary = "redacted_summary"
    full_local_only = "full_local_only"


class WriteScope(StrEnum):
    """What of a run may become memory."""

    none = "none"
    task_run_only = "task_run_only"
    task_run_plus_final_artifacts = "task_run_plus_final_artifacts"
    task_run_plus_linked_artifacts = "task_run_plus_linked_artifacts"
    task_run_plus_learning_signals = "task_run_plus_learning_signals"


class RetentionClass(StrEnum):
    """How long a run and what it made are kept."""

    standard = "standard"
    high_value = "high_value"
    matter_active = "matter_active"
    legal_work_product = "legal_work_product"
    template_training = "template_training"
    ephemeral = "ephemeral"


class IntakeLevel(StrEnum):
    """How far an artifact goes beyond its run, from least to most."""

    no_capture = "no_capture"
    run_only = "run_only"
    doc72_reference = "doc72_reference"
    doc72_summary_reference = "doc72_summary_reference"
    doc25_document_ingestion = "doc25_document_ingestion"
    doc25_work_product_ingestion = "doc25_work_product_ingestion"
    doc73_library_ingestion = "doc73_library_ingestion"


class Endpoint(StrEnum):
    """Where an artifact ends up once it was processed."""

    task_run_artifact = "task_run_artifact"
    doc72_work_product = "doc72_work_product"
    doc72_document_node = "doc72_document_node"
    doc73_library_member = "doc73_library_member"
    user_file_location = "user_file_location"
    output_delivery_attachment = "output_delivery_attachment"


class CaptureMode(StrEnum):
    """What a module does with its outputs."""

    not_applicable = "not_applicable"
    default = "default"
    never_capture = "never_capture"
    keep_with_run = "keep_with_run"
    make_findable = "make_findable"
    make_findable_with_summary = "make_findable_with_summary"
    process_documents = "process_documents"
    save_work_product = "save_work_product"
    add_to_library = "add_to_library"
    ask_each_time = "ask_each_time"


class IntakeRule(StrEnum):
    """Which rule decided an artifact's intake level."""

    ephemeral = "ephemeral"
    incognito = "incognito"
    module_port = "module_port"
    task_port = "task_port"
    capture_mode = "capture_mode"
    step_intent = "step_intent"
    candidate_rule = "candidate_rule"
    output_class = "output_class"
    task = "task"
    memory_policy = "memory_policy"
    recommended_default = "recommended_default"
    promotion = "promotion"


class OutputClass(StrEnum):
    """What part an artifact plays in its run."""

    final_output = "final_output"
    intermediate_output = "intermediate_output"
    produced_document = "produced_document"
    downloaded_document = "downloaded_document"
    received_attachment = "received_attachment"
    sent_message = "sent_message"
    received_message = "received_message"


class ArtifactKind(StrEnum):
    """What an artifact is."""

    text_output = "text_output"
    file_output = "file_output"
    document = "document"
    work_product = "work_product"
    email = "email"
    text_message = "text_message"
    judge_result = "judge_result"
    experiment_bundle = "experiment_bundle"
    red_team_report = "red_team_report"
    subagent_result = "subagent_result"
    tool_result = "tool_result"
    system_receipt = "system_receipt"


class ArtifactState(StrEnum):
    """Where an artifact stands in its life."""

    active = "active"
    promoted = "promoted"
    compacted = "compacted"
    deleted = "deleted"
    expired = "expired"


class SpanKind(StrEnum):
    """What kind of operation a span is."""

    task_run = "task_run"
    module_activation = "module_activation"
    llm_call = "llm_call"
    prompt_assembly = "prompt_assembly"
    tool_call = "tool_call"
    mcp_call = "mcp_call"
    connector_call = "connector_call"
    doc24_packet_resolution = "doc24_packet_resolution"
    capability_mount = "capability_mount"
    runtime_capability_expansion = "runtime_capability_expansion"
    subagent_spawn = "subagent_spawn"
    policy_decision = "policy_decision"
    human_review = "human_review"
    file_document_transform = "file_document_transform"
    artifact_emission = "artifact_emission"
    output_delivery = "output_delivery"
    judge_eval = "judge_eval"
    experiment_variant = "experiment_variant"
    retry = "retry"
    fallback = "fallback"
    wait_state = "wait_state"
    resume = "resume"
    error = "error"


class DeliveryKind(StrEnum):
    """How something left a run."""

    email = "email"
    imessage = "imessage"
    chat = "chat"
    file_save = "file_save"
    webhook = "webhook"
    task_output = "task_output"
    calendar = "calendar"
    notification = "notification"
    work_product_save = "work_product_save"
    doc73_library_add = "doc73_library_add"
    doc72_memory_reference = "doc72_memory_reference"


class DeliveryStatus(StrEnum):
    """What became of a delivery. All but pending are outcomes."""

    pending = "pending"
    delivered = "delivered"
    failed = "failed"
    blocked_by_policy = "blocked_by_policy"
    cancelled = "cancelled"
    draft_only = "draft_only"


class GateKind(StrEnum):
    """What a run waits for at a gate."""

    human_review = "human_review"
    hold = "hold"
    delay = "delay"
    signal = "signal"
    approval = "approval"


class GateStatus(StrEnum):
    """Whether a gate still holds."""

    open = "open"
    approved = "approved"
    rejected = "rejected"
    changes_requested = "changes_requested"
    timed_out = "timed_out"
    released = "released"


class SnapshotKind(StrEnum):
    """What a snapshot holds."""

    prompt = "prompt"
    capability = "capability"
    policy = "policy"
    module_configuration = "module_configuration"
    model_runtime = "model_runtime"
    source_visibility = "source_visibility"


class RedactionMode(StrEnum):
    """What is kept of a prompt."""

    none = "none"
    redacted = "redacted"
    hash_only = "hash_only"
    not_captured = "not_captured"


class DecisionKind(StrEnum):
    """What a policy decided about."""

    capability_mount = "capability_mount"
    tool_call = "tool_call"
    external_send = "external_send"
    file_write = "file_write"
    memory_write = "memory_write"
    doc25_ingestion = "doc25_ingestion"
    doc73_library_add = "doc73_library_add"
    subagent_spawn = "subagent_spawn"
    model_selection = "model_selection"


class PolicyDecision(StrEnum):
    """What a policy decided."""

    allowed = "allowed"
    blocked = "blocked"
    requires_approval = "requires_approval"
    degraded = "degraded"


class CheckpointStrategy(StrEnum):
    """Where checkpoints are taken."""

    module_boundary = "module_boundary"
    llm_call_boundary = "llm_call_boundary"
    tool_call_boundary = "tool_call_boundary"


class ReplayPolicy(StrEnum):
    """How a run goes on from a checkpoint."""

    resume_from_checkpoint = "resume_from_checkpoint"
    replay_with_cached_side_effects = "replay_with_cached_side_effects"


class SessionKind(StrEnum):
    """What kind of session a module ran in."""

    one_shot_gateway_call = "one_shot_gateway_call"
    resumable_openclaw_session = "resumable_openclaw_session"
    spawned_subagent_session = "spawned_subagent_session"
    forked_session = "forked_session"
    archived_session = "archived_session"
    unavailable = "unavailable"


RESUMABLE_SESSIONS = (
    SessionKind.resumable_openclaw_session,
    SessionKind.spawned_subagent_session,
    SessionKind.forked_session,
)
"""The kinds of session that can be continued at all."""


class ContinuationStatus(StrEnum):
    """Whether a session can be continued, as its runtime reported it."""

    available = "available"
    archived = "archived"
    expired = "expired"
    not_supported = "not_supported"
    blocked_by_policy = "blocked_by_policy"
    unknown = "unknown"


class InterventionKind(StrEnum):
    """What was asked of a running module."""

    user_note_for_downstream = "user_note_for_downstream"
    cancel_current_call = "cancel_current_call"
    pause_after_module = "pause_after_module"
    inject_instruction_if_supported = "inject_instruction_if_supported"
    request_status_if_supported = "request_status_if_supported"


class NativeEventKind(StrEnum):
    """What a native runtime said."""

    sessions_spawn_accepted = "sessions_spawn_accepted"
    subagent_completed = "subagent_completed"
    subagent_failed = "subagent_failed"
    subagent_timed_out = "subagent_timed_out"
    model_fallback_applied = "model_fallback_applied"
    context_mode_resolved = "context_mode_resolved"
    structured_progress_item = "structured_progress_item"
    sessions_yield = "sessions_yield"
    trajectory_export_created = "trajectory_export_created"
    runtime_diagnostic = "runtime_diagnostic"


class MappingStatus(StrEnum):
    """What became of a native event here."""

    mapped = "mapped"
    stored_native_ref_only = "stored_native_ref_only"
    blocked_by_policy = "blocked_by_policy"
    unavailable = "unavailable"
    degraded = "degraded"


class MessageDirection(StrEnum):
    """Which way a message went."""

    sent = "sent"
    received = "received"
