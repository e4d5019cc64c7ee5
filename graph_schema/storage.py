"""Where the owners of records keep what is not in the graph: the default paths of §22.1, and the classes of §22.2.

A storage reference is the owner's. Where nobody gave one for a record of these kinds, its default is the path here with
its ids filled in, and it is marked as derived: it says where to look, not that something is there.
"""

from dataclasses import dataclass

_SYSTEM = "ELNOR_MEMORY/system/"
_TASK = "ELNOR_MEMORY/tasks/{task_id}/"
_RUN = _TASK + "runs/{run_id}/"

PATHS: dict[str, str] = {
    "task_blueprint": _TASK + "blueprint.json",
    "task_blueprint_versions": _TASK + "blueprints/{blueprint_version}.json",
    "task_design_sessions": _SYSTEM + "task_design/sessions/{design_session_id}.json",
    "task_design_session_events": _SYSTEM + "task_design/sessions/{design_session_id}/events.jsonl",
    "task_trace_spans": _RUN + "trace_spans.jsonl",
    "task_prompt_snapshots": _RUN + "prompt_snapshots/",
    "task_capability_snapshots": _RUN + "capability_snapshots/",
    "task_module_context_packets": _RUN + "context_packets/{module_id}/{activation_seq}.json",
    "task_policy_snapshots": _RUN + "policy_snapshots/",
    "task_artifact_index": _RUN + "artifact_index.json",
    "task_assessments": _TASK + "assessments/{assessment_id}.json",
    "template_semantic_cards": _SYSTEM + "task_system/template_semantic_cards/{template_id}.json",
    "module_preset_semantic_cards": _SYSTEM + "task_system/module_preset_semantic_cards/{preset_id}.json",
    "task_design_cases": _SYSTEM + "task_design/cases/{case_id}.json",
    "task_design_patterns": _SYSTEM + "task_design/patterns/{pattern_id}.json",
    "task_design_improvement_proposals": _SYSTEM + "task_design/improvement_proposals/{proposal_id}.json",
    "task_knowledge_packs": _SYSTEM + "task_agent/knowledge_packs/{pack_id}/",
    "active_task_knowledge_pack_pointer": _SYSTEM + "task_agent/active_knowledge_pack.json",
    "task_knowledge_compiler_runs": _SYSTEM + "task_agent/compiler_runs/{compiler_run_id}.json",
    "task_agent_eval_suites": _SYSTEM + "task_agent/evals/{suite_id}.json",
    "task_agent_eval_runs": _SYSTEM + "task_agent/eval_runs/{eval_run_id}.json",
    "task_deliveries": _RUN + "deliveries.jsonl",
    "task_run_narrative_status": _RUN + "narrative_status.json",
    "task_run_inspector_read_model": _RUN + "inspector_read_model.json",
    "task_module_quick_access": _RUN + "module_quick_access/{module_id}/{activation_seq}.json",
    "task_prompt_context_inspectors": _RUN + "prompt_context_inspectors/{module_id}/{activation_seq}.json",
    "task_context_feedback_events": _SYSTEM + "task_feedback/context_feedback.jsonl",
    "task_audit_exports": _RUN + "audit_exports/{export_id}/",
    "task_module_session_refs": _RUN + "module_sessions/{module_id}/{activation_seq}.json",
    "module_followup_sessions": _RUN + "module_followups/{followup_session_id}.json",
    "task_run_fork_requests": _RUN + "fork_requests/{request_id}.json",
    "task_run_forks": _RUN + "forks/{child_run_id}.json",
    "module_activation_replay_records": _RUN + "replay_records/{module_id}/{activation_seq}.json",
    "task_segments": _SYSTEM + "task_system/segments/{segment_id}.json",
    "task_segment_semantic_cards": _SYSTEM + "task_system/segment_semantic_cards/{segment_id}.json",
    "saved_task_operational_stats": _SYSTEM + "task_system/stats/saved_tasks/{task_id}.json",
    "module_preset_operational_stats": _SYSTEM + "task_system/stats/module_presets/{preset_id}.json",
    "task_share_capsules": _SYSTEM + "sharing/task_capsules/{share_id}.json",
    "task_share_manifests": _SYSTEM + "sharing/task_manifests/{share_id}.json",
    "task_share_audit_events": _SYSTEM + "sharing/task_audit_events.jsonl",
}
"""By the specification's names, as we spell names."""


@dataclass(frozen=True, slots=True)
class StorageClass:
    """What kind of truth something is, and whose."""

    classification: str
    owner: str


CLASSES: dict[str, StorageClass] = {
    "task_blueprint": StorageClass("canonical task metadata", "tasks"),
    "task_trace_span": StorageClass("operational truth, a log", "tasks"),
    "task_artifact_index": StorageClass("run read model", "tasks"),
    "task_assessment": StorageClass("derived assessment", "tasks"),
    "semantic_card": StorageClass("projection, derived but for what its author wrote", "tasks and memory"),
    "knowledge_pack": StorageClass("generated, an active resource", "tasks"),
    "learning_signal": StorageClass("append-only learning input", "learning"),
    "delivery_record": StorageClass("append-only receipt, indexed by run", "tasks and the owner of the output"),
    "context_feedback_event": StorageClass("append-only learning input", "learning"),
    "module_session_ref": StorageClass("bridge to runtime truth", "tasks, from the runtime"),
    "run_fork_and_replay": StorageClass("canonical lineage of child runs", "tasks"),
    "task_segment": StorageClass("canonical reusable asset", "tasks"),
    "share_capsule": StorageClass("permission of a shared surface", "sharing"),
}
"""The thirteen rows of §22.2."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where records of a kind are kept by default. `own` names what the path calls the record's own id."""

    path: str
    storage_class: str | None = None
    own: str | None = None


BY_LABEL: dict[str, Place] = {
    "Blueprint": Place("task_blueprint", "task_blueprint"),
    "Span": Place("task_trace_spans", "task_trace_span"),
    "ContextPacket": Place("task_module_context_packets"),
    "Artifact": Place("task_artifact_index", "task_artifact_index"),
    "Case": Place("task_design_cases", own="case_id"),
    "Pattern": Place("task_design_patterns", own="pattern_id"),
    "DesignSession": Place("task_design_sessions", own="design_session_id"),
    "Delivery": Place("task_deliveries", "delivery_record"),
    "Feedback": Place("task_context_feedback_events", "context_feedback_event"),
    "AuditExport": Place("task_audit_exports", own="export_id"),
    "Session": Place("task_module_session_refs", "module_session_ref"),
    "FollowUp": Place("module_followup_sessions", own="followup_session_id"),
    "Fork": Place("task_run_fork_requests", "run_fork_and_replay", own="request_id"),
    "Segment": Place("task_segments", "task_segment", own="segment_id"),
    "Template": Place("template_semantic_cards", "semantic_card", own="template_id"),
    "Preset": Place("module_preset_semantic_cards", "semantic_card", own="preset_id"),
    "Assessment": Place("task_assessments", "task_assessment", own="assessment_id"),
    "Proposal": Place("task_design_improvement_proposals", own="proposal_id"),
    "KnowledgePack": Place("task_knowledge_packs", "knowledge_pack", own="pack_id"),
    "EvalRun": Place("task_agent_eval_runs", own="eval_run_id"),
    "ShareCapsule": Place("task_share_capsules", "share_capsule", own="share_id"),
    "ShareEvent": Place("task_share_audit_events", "share_capsule"),
}
"""Kinds of record that have a path. A snapshot has that of its kind."""

SNAPSHOTS: dict[str, Place] = {
    "prompt": Place("task_prompt_snapshots"),
    "capability": Place("task_capability_snapshots"),
    "policy": Place("task_policy_snapshots"),
}
OF_NO_RECORD: dict[str, str] = {
    "task_blueprint_versions": "former states, which `history` of a blueprint has",
    "task_design_session_events": "`events(about:)` of a design session",
    "active_task_knowledge_pack_pointer": "`knowledgeStatus` says which pack is active",
    "task_knowledge_compiler_runs": "the pack itself tells how it was compiled",
    "task_agent_eval_suites": "`evalSuite`, which is shipped",
    "task_run_narrative_status": "`run { status }`, made when it is asked for",
    "task_run_inspector_read_model": "`run { … }`, made when it is asked for",
    "task_module_quick_access": "`moduleQuickAccess`, made when it is asked for",
    "task_prompt_context_inspectors": "`run { prompts }`, made when it is asked for",
    "task_run_forks": "a run, which the fork request leads to",
    "module_activation_replay_records": "`run { replayRecords }`, made when it is asked for",
    "task_segment_semantic_cards": "the segment itself, whose place it has",
    "saved_task_operational_stats": "`operationalStatistics`, made when it is asked for",
    "module_preset_operational_stats": "`presetStatistics`, made when it is asked for",
    "task_share_manifests": "`sharedManifest`, made when it is asked for",
}
"""Paths of what is no record here, and what it is instead."""

OWN_REFS: dict[str, str] = {"Artifact": "storage_ref", "Snapshot": "storage_ref", "AuditExport": "export_ref"}
"""Where a record says itself where it is kept."""


def filled(path: str, ids: dict[str, str | int | None]) -> str | None:
    """The path with its ids; None where one of them is not known."""
    pattern = PATHS[path]
    known = {name: str(value) for name, value in ids.items() if value is not None}
    try:
        return pattern.format(**known)
    except KeyError:
        return None
