"""One payload of each type, whole."""

from typing import Any

from graph_schema.learning.words import SignalType

_COUNTS = {
    f"{severity}findings_{when}": number
    for severity in ("", "critical_", "major_", "minor_")
    for when, number in (("before", 3), ("after", 1))
}
EXAMPLES: dict[SignalType, dict[str, Any]] = {
    SignalType.outcome_evaluation: {
        "evaluator_result_ref": "result-1",
        "outcome_spec_ref": "outcome-1",
        "outcome_spec_template_id": "outcome-template-1",
        "verdict": "failed",
        "findings_summary": {
            "total_count": 3,
            "critical_count": 1,
            "major_count": 1,
            "minor_count": 1,
            "by_criterion_id": {"crit-1": 3},
        },
        "evidence_status_summary": {"supported": 2},
    },
    SignalType.repair_cycle: {
        "initial_evaluator_result_ref": "result-1",
        "final_evaluator_result_ref": "result-2",
        "before_snapshot_ref": "snap-1",
        "after_snapshot_ref": "snap-2",
        "revisor_actions": [
            {
                "action_id": "act-1",
                "action_kind": "rewrite_section",
                "underlying_step_kind": "edit",
                "underlying_strategy_kind": "targeted",
                "targeted_criterion_ids": ["crit-1"],
                "targeted_finding_ids": ["find-1"],
                "action_scope_ref": "section-2",
                "revision_operation_receipt_ref": "receipt-1",
            }
        ],
        "cycle_outcome": "passed_after_repair",
        "qualitative_delta": {
            **_COUNTS,
            "resolved_finding_ids": ["find-1"],
            "new_finding_ids": [],
            "per_criterion_finding_counts_before": {"crit-1": 3},
            "per_criterion_finding_counts_after": {"crit-1": 1},
        },
        "per_criterion_score_deltas": {
            "crit-1": {
                "criterion_id": "crit-1",
                "criterion_semantics_hash": "abc",
                "judge_score_before": 0.4,
                "judge_score_after": 0.8,
                "judge_score_delta": 0.4,
                "finding_count_before": 3,
                "finding_count_after": 1,
                "finding_count_delta": -2,
                "severity_distribution_delta": {"critical": -1},
                "attribution": [
                    {"action_id": "act-1", "attribution_basis": "finding_targeted", "attribution_confidence": 0.9}
                ],
            }
        },
        "taint_evolution": {
            "taint_at_initial_evaluation": "system_trusted",
            "taint_at_final_evaluation": "system_trusted",
            "taint_transitions": [{"action_id": "act-1", "transition_kind": "unchanged"}],
        },
    },
    SignalType.task_process_gap_runtime: {
        "detected_during_run_id": "run-1",
        "gap_kind": "missing_capability",
        "affected_outcome_refs": ["outcome-1"],
    },
    SignalType.taint_clearance: {
        "cleared_artifact_ref": "artifact-1",
        "cleared_artifact_version_ref": "artifact-1@2",
        "cleared_from": "ungoverned",
        "cleared_to": "system_trusted",
        "clearance_method": "human_review",
        "clearance_record_ref": "clearance-1",
        "cleared_by_actor_ref": "user-1",
        "cleared_by_access_tier": "supervisor",
        "scope_cleared": "whole",
        "artifact_kind": "memo",
    },
    SignalType.hard_call_resolution: {
        "hard_call_ref": "call-1",
        "resolution_at": "2026-11-01T10:00:00.000Z",
        "hard_call_kind": "drop_claim",
        "resolution_path": "modify_proposed",
        "resolution_actor_ref": "user-1",
        "resolution_actor_access_tier": "supervisor",
    },
    SignalType.prompt_comparison: {
        "prompt_ref": "prompt-1",
        "other_prompt_ref": "prompt-2",
        "better": "second",
        "measure": "judge_score",
    },
    SignalType.task_design_correlation: {"statement": "Designs with a judge pass more often.", "support_count": 12},
    SignalType.user_action: {"action": "opened", "surface": "run_inspector"},
}
