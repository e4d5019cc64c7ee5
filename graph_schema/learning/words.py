"""Words of signals, as the specification spells them."""

from enum import StrEnum


class SignalType(StrEnum):
    """What kind of evidence a learning signal carries."""

    outcome_evaluation = "outcome_evaluation"
    repair_cycle = "repair_cycle"
    task_process_gap_runtime = "task_process_gap_runtime"
    taint_clearance = "taint_clearance"
    hard_call_resolution = "hard_call_resolution"
    prompt_comparison = "prompt_comparison"
    task_design_correlation = "task_design_correlation"
    user_action = "user_action"


class DesignSignalKind(StrEnum):
    """What a design, an edit or a use of it shows."""

    template_selected = "template_selected"
    template_rejected = "template_rejected"
    preset_added = "preset_added"
    preset_removed = "preset_removed"
    question_helpful = "question_helpful"
    question_annoying = "question_annoying"
    output_preference_confirmed = "output_preference_confirmed"
    artifact_policy_changed = "artifact_policy_changed"
    capability_needed = "capability_needed"
    capability_unused = "capability_unused"
    graph_pattern_success = "graph_pattern_success"
    graph_pattern_failure = "graph_pattern_failure"
    user_manual_edit_after_proposal = "user_manual_edit_after_proposal"
    second_pass_deepening_accepted = "second_pass_deepening_accepted"  # noqa: S105 - no password
    second_pass_deepening_rejected = "second_pass_deepening_rejected"  # noqa: S105 - no password
    red_team_default_accepted = "red_team_default_accepted"
    red_team_default_rejected = "red_team_default_rejected"


class DesignUpdateKind(StrEnum):
    """What a signal recommends to change."""

    semantic_card_update = "semantic_card_update"
    pattern_card_update = "pattern_card_update"
    template_update_proposal = "template_update_proposal"
    preset_update_proposal = "preset_update_proposal"
    task_agent_instruction_candidate = "task_agent_instruction_candidate"
    question_policy_update = "question_policy_update"
    none = "none"


class SignalOrigin(StrEnum):
    """Where a signal comes from: told by somebody, or drawn by the service from what was recorded."""

    reported = "reported"
    context_feedback = "context_feedback"
    artifact_use = "artifact_use"
    fork = "fork"
    follow_up = "follow_up"
    segment_reuse = "segment_reuse"
    suggestion_feedback = "suggestion_feedback"
    tool_standing = "tool_standing"
    design_session = "design_session"
    proposal_edit = "proposal_edit"
    prompt_edit = "prompt_edit"
    prompt_help = "prompt_help"
    prompt_evaluation = "prompt_evaluation"
    assessment = "assessment"
    aggregate = "aggregate"
