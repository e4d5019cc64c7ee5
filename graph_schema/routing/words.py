"""Words of directives, traces, feedback and the Task Agent, as the specification spells them."""

from enum import StrEnum

from graph_schema.model.record import LifecycleState as State

DIRECTIVE_STATES = (State.candidate, State.active, State.suppressed, State.deprecated, State.archived)
"""The four stages of an invocation directive, and what every record can be: put away."""


class InvocationPolicy(StrEnum):
    """What an invocation directive asks for."""

    suggest_task = "suggest_task"
    run_existing_task_after_confirmation = "run_existing_task_after_confirmation"
    invoke_task_agent_for_design = "invoke_task_agent_for_design"
    invoke_task_agent_for_review = "invoke_task_agent_for_review"
    answer_direct_but_offer_task_chip = "answer_direct_but_offer_task_chip"
    do_not_suggest_task = "do_not_suggest_task"


class ConfirmationPolicy(StrEnum):
    """What has to be asked before a task is run because of a directive."""

    never_auto_run = "never_auto_run"
    confirm_before_run = "confirm_before_run"
    auto_run_if_user_explicit = "auto_run_if_user_explicit"
    auto_run_if_standing_procedure = "auto_run_if_standing_procedure"


class AuthoritySource(StrEnum):
    """On whose word an invocation directive stands."""

    user_taught = "user_taught"
    user_confirmed = "user_confirmed"
    learned_from_acceptance = "learned_from_acceptance"
    learned_from_rejection = "learned_from_rejection"
    architect_authored = "architect_authored"
    system_candidate = "system_candidate"


class RecommendedLifecycle(StrEnum):
    """What a candidate directive is proposed to become."""

    memory_directive_candidate = "memory_directive_candidate"
    standing_procedure_candidate = "standing_procedure_candidate"
    template_semantic_card_update = "template_semantic_card_update"
    suppress_task_suggestion_rule = "suppress_task_suggestion_rule"


class UserResponse(StrEnum):
    """What the user did with a task that was decided on."""

    accepted = "accepted"
    rejected = "rejected"
    ignored = "ignored"
    asked_direct_answer_instead = "asked_direct_answer_instead"
    later_requested_task = "later_requested_task"


class SuggestionKind(StrEnum):
    """What feedback on a suggestion is about."""

    task_suggested = "task_suggested"
    task_chip_shown = "task_chip_shown"
    task_not_suggested = "task_not_suggested"
    task_agent_invoked = "task_agent_invoked"
    task_agent_not_invoked = "task_agent_not_invoked"


class SuggestionResponse(StrEnum):
    """What the user made of a suggestion, or of its absence."""

    accepted = "accepted"
    rejected = "rejected"
    ignored = "ignored"
    asked_direct_answer_instead = "asked_direct_answer_instead"
    later_requested_task = "later_requested_task"
    complained_task_was_overused = "complained_task_was_overused"
    complained_task_was_underused = "complained_task_was_underused"


class InvocationSignalKind(StrEnum):
    """What a use of tasks, or its absence, teaches."""

    task_suggestion_accepted = "task_suggestion_accepted"
    task_suggestion_rejected = "task_suggestion_rejected"
    task_chip_accepted = "task_chip_accepted"
    task_chip_ignored = "task_chip_ignored"
    task_overused = "task_overused"
    task_underused = "task_underused"
    direct_answer_preferred = "direct_answer_preferred"
    task_mode_preferred = "task_mode_preferred"
    task_used_successfully = "task_used_successfully"
    task_used_unsuccessfully = "task_used_unsuccessfully"
    existing_template_missed = "existing_template_missed"
    wrong_template_suggested = "wrong_template_suggested"
    task_agent_consult_helpful = "task_agent_consult_helpful"
    task_agent_consult_unhelpful = "task_agent_consult_unhelpful"


class RecommendedUpdate(StrEnum):
    """What a signal recommends to change."""

    task_invocation_directive_update = "task_invocation_directive_update"
    task_mode_policy_update = "task_mode_policy_update"
    template_semantic_card_update = "template_semantic_card_update"
    question_policy_update = "question_policy_update"
    none = "none"


class Verdict(StrEnum):
    """How a response counts for unasked suggestions of its context class."""

    acceptance = "acceptance"
    refusal = "refusal"


class AgentState(StrEnum):
    """Whether a system agent may be used."""

    staged = "staged"
    active = "active"
    disabled = "disabled"
    deprecated = "deprecated"


class AvailabilitySource(StrEnum):
    """Who knows whether an agent can be reached."""

    doc11_named_agent_runtime_truth = "doc11_named_agent_runtime_truth"
    ec_agent_registry = "ec_agent_registry"
    both = "both"


class HealthState(StrEnum):
    """How an agent does."""

    healthy = "healthy"
    degraded = "degraded"
    unavailable = "unavailable"
    unknown = "unknown"


class ThinkLevel(StrEnum):
    """How long a model thinks."""

    low = "low"
    medium = "medium"
    high = "high"
    max = "max"


class AgentContextMode(StrEnum):
    """What the Task Agent is given to know."""

    isolated_with_task_pack = "isolated_with_task_pack"
    fork_if_safe = "fork_if_safe"
    manual_only = "manual_only"


class ChildContextMode(StrEnum):
    """What a sub-agent of the Task Agent is given to know."""

    isolated = "isolated"
    fork_if_safe = "fork_if_safe"


class CapHit(StrEnum):
    """What happens when sub-agents reach a limit."""

    abort = "abort"
    continue_with_warning = "continue_with_warning"


class AutoConsult(StrEnum):
    """From which level on the Task Agent may be consulted unasked."""

    never = "never"
    explicit = "explicit"
    high_or_explicit = "high_or_explicit"
    medium_or_higher = "medium_or_higher"


class VisibleReceipts(StrEnum):
    """When a task that was made by an agent leaves a receipt that the user sees."""

    always = "always"
    when_it_saves_or_runs = "when_it_saves_or_runs"


class FallbackReason(StrEnum):
    """Why another model was used than the one that was meant."""

    primary_unavailable = "primary_unavailable"
    primary_auth_failed = "primary_auth_failed"
    primary_cost_blocked = "primary_cost_blocked"
    primary_context_exceeded = "primary_context_exceeded"
    policy_required_local = "policy_required_local"
    timeout = "timeout"
    unknown = "unknown"


class InvocationMode(StrEnum):
    """How the Task Agent is used at an entrypoint."""

    read_model_only = "read_model_only"
    synchronous_consult = "synchronous_consult"
    visible_design_session = "visible_design_session"
    async_background_design = "async_background_design"
    assessment_job = "assessment_job"
