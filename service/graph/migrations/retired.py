"""Indexes that former versions asked for and this one does not: a graph that has them is older, not newer.

An entry stays for as long as there may be graphs of those versions. What the registry asks for again is taken out.
"""

from graph_schema.output.ddl import Index, range_index

_FILTERED: dict[str, str] = {
    "Entity": "name updated_at kind",
    "Goal": "name updated_at goal_type applies_to_context_class goal_source",
    "Preference": "name updated_at context_class global",
    "Restriction": "name updated_at context_class global",
    "Procedure": "name updated_at context_class global",
    "Memory": "name updated_at context_class global memory_kind",
    "Capability": "name updated_at capability_kind state",
    "Agent": "name updated_at",
    "SurfaceContext": "name updated_at surface_kind open",
    "Schedule": "name updated_at",
    "WorkProduct": "name updated_at produced_at",
    "Task": "name updated_at task_type reusable scheduled trigger_enabled archived user_facing_label",
    "Blueprint": "name updated_at task_type domain output_stakes overall_complexity",
    "StepIntent": "name updated_at suggested_module_type",
    "Contract": "name updated_at side kind",
    "Criterion": "name updated_at",
    "ReviewPoint": "name updated_at",
    "SideEffect": "name updated_at side_effect_class",
    "Template": "name updated_at task_type source_authority",
    "TemplateGroup": "name updated_at",
    "Preset": "name updated_at module_type source_authority",
    "Segment": "name updated_at task_type",
    "GraphSnapshot": "name updated_at",
    "Module": "name updated_at module_type",
    "ModuleType": "name updated_at family model_facing",
    "Pattern": "name updated_at pattern_kind source_authority",
    "Case": "name updated_at task_type domain context_class_key active_because",
    "Decision": "name updated_at",
    "Lesson": "name updated_at authority_level",
    "Directive": "name directive_kind directive_source",
    "Run": "name updated_at status completed_at duration_ms trigger_kind failure_code cost_usd error_count "
    "forked memory_mode retention_class compacted_at",
    "Activation": "status started_at model_ref error_code module_key module_type",
    "Span": "module_key status started_at model_ref error_code span_kind",
    "Artifact": "name module_key artifact_kind output_class output_archetype produced_at intake_level "
    "review_required artifact_state promoted_at channel",
    "Delivery": "module_key delivery_kind status delivered_at conflicting",
    "Gate": "module_key gate_kind status opened_at",
    "Snapshot": "module_key snapshot_kind decision_kind decision",
    "Checkpoint": "module_key",
    "Session": "module_key session_kind continuation_status",
    "Intervention": "module_key intervention_kind",
    "NativeEvent": "module_key native_event_kind mapping_status",
    "Trigger": "name updated_at trigger_kind",
    "ScopeEnvelope": "task_key+created_at name updated_at task_type launch_surface surface_context_policy",
    "ContextPacket": "name updated_at module_key module_type injection_profile task_context_binding "
    "surface_context_used content_hash rules",
    "ExpansionReceipt": "name updated_at module_key basis approval_required",
    "Feedback": "name updated_at module_key target_kind feedback given_by",
    "MatchDecision": "name updated_at asset_kind outcome ranker matched_at",
    "Fork": "name updated_at module_key rerun_scope side_effect_replay_policy created_by",
    "FollowUp": "name updated_at source_module_key mode durable_effect",
    "Thread": "name updated_at scope",
    "Consult": "name updated_at entrypoint response_kind",
    "Extraction": "name updated_at about_kind reason state",
    "AuditExport": "name updated_at redaction_profile decision exported_by exported_at",
    "Policy": "name updated_at applies_to",
    "IntakeReceipt": "name updated_at outcome to_level decided_by decided_at",
    "LibraryIntent": "name updated_at source_class ingestion_reason status settled_at",
    "Card": "name updated_at text_hash",
    "Phrase": "name updated_at phrase_kind text_hash",
    "Tombstone": "name updated_at erased_kind erased_at",
    "AgentEvent": "session_id+seq",
}
"""Once, what could be filtered by was indexed. Properties that made one index together are joined by a plus."""

RETIRED: tuple[Index, ...] = tuple(
    range_index(label, tuple(one.split("+"))) for label, names in _FILTERED.items() for one in names.split()
)
