"""Words of the decision whether a request becomes a saved task."""

from enum import StrEnum


class ExecutionMode(StrEnum):
    """What is done with a request."""

    direct_chat = "direct_chat"
    direct_tool_or_procedure = "direct_tool_or_procedure"
    openclaw_background_subagent = "openclaw_background_subagent"
    ec_scheduled_job = "ec_scheduled_job"
    run_existing_saved_task = "run_existing_saved_task"
    suggest_existing_saved_task = "suggest_existing_saved_task"
    invoke_task_agent_for_design = "invoke_task_agent_for_design"
    invoke_task_agent_for_review = "invoke_task_agent_for_review"
    inspect_saved_task_run = "inspect_saved_task_run"
    retrieve_saved_task_output = "retrieve_saved_task_output"
    background_or_recurring_saved_task = "background_or_recurring_saved_task"
    ask_clarifying_question = "ask_clarifying_question"


class OpportunityLevel(StrEnum):
    """How much speaks for a saved task, from least to most."""

    none = "none"
    low = "low"
    medium = "medium"
    high = "high"
    explicit = "explicit"


class ConsultPolicy(StrEnum):
    """Whether the Task Agent is asked."""

    forbidden = "forbidden"
    not_needed = "not_needed"
    allowed_if_user_accepts = "allowed_if_user_accepts"
    recommended = "recommended"
    required = "required"


class TaskSignal(StrEnum):
    """What speaks for a saved task."""

    explicit_task_request = "explicit_task_request"
    existing_task_name_referenced = "existing_task_name_referenced"
    existing_template_name_referenced = "existing_template_name_referenced"
    matching_template_high_confidence = "matching_template_high_confidence"
    long_running = "long_running"
    recurring_or_monitoring = "recurring_or_monitoring"
    multi_step_workflow = "multi_step_workflow"
    multiple_independent_artifacts = "multiple_independent_artifacts"
    requires_human_gates = "requires_human_gates"
    requires_audit_trail = "requires_audit_trail"
    requires_scheduled_or_triggered_execution = "requires_scheduled_or_triggered_execution"
    requires_background_progress = "requires_background_progress"
    high_stakes_repeatable_process = "high_stakes_repeatable_process"
    user_asked_to_set_up_process = "user_asked_to_set_up_process"
    known_user_preference_for_task_in_context = "known_user_preference_for_task_in_context"
    existing_invocation_directive_match = "existing_invocation_directive_match"
    task_output_or_run_question = "task_output_or_run_question"


class TaskVeto(StrEnum):
    """What speaks against a saved task."""

    simple_single_turn_answer = "simple_single_turn_answer"
    single_tool_action = "single_tool_action"
    user_requested_quick_response = "user_requested_quick_response"
    primary_conversation_should_remain_direct = "primary_conversation_should_remain_direct"
    task_overhead_exceeds_value = "task_overhead_exceeds_value"
    user_recently_rejected_task_suggestion = "user_recently_rejected_task_suggestion"
    low_stakes_non_repeatable = "low_stakes_non_repeatable"
    ambiguous_but_direct_answer_safe = "ambiguous_but_direct_answer_safe"
    native_openclaw_monitoring_sufficient = "native_openclaw_monitoring_sufficient"
    ec_scheduled_job_sufficient = "ec_scheduled_job_sufficient"
    no_matching_template = "no_matching_template"
    weak_template_match_only = "weak_template_match_only"


class RecommendedHandling(StrEnum):
    """What the caller is advised to do."""

    do_not_mention_task = "do_not_mention_task"
    direct_answer_with_optional_task_chip = "direct_answer_with_optional_task_chip"
    suggest_existing_task = "suggest_existing_task"
    ask_user_task_or_direct = "ask_user_task_or_direct"
    invoke_task_agent = "invoke_task_agent"
    run_explicit_task = "run_explicit_task"
    inspect_existing_run = "inspect_existing_run"
    retrieve_task_output = "retrieve_task_output"
