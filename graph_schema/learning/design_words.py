"""Words of design sessions, of tasks that agents make and of edits, as the specification spells them."""

from enum import StrEnum


class DesignSlot(StrEnum):
    """What can be known of a task before it is designed."""

    task_goal = "task_goal"
    task_type = "task_type"
    work_context = "work_context"
    source_materials = "source_materials"
    expected_outputs = "expected_outputs"
    success_criteria = "success_criteria"
    required_steps = "required_steps"
    optional_steps = "optional_steps"
    review_tolerance = "review_tolerance"
    autonomy_tolerance = "autonomy_tolerance"
    side_effects_allowed = "side_effects_allowed"
    capability_needs = "capability_needs"
    artifact_memory_preferences = "artifact_memory_preferences"
    budget_latency_preferences = "budget_latency_preferences"


class ReviewTolerance(StrEnum):
    """How much a person is willing to look at."""

    low_review = "low_review"
    normal_review = "normal_review"
    high_review = "high_review"


class AutonomyTolerance(StrEnum):
    """How much the task may do without being asked."""

    manual = "manual"
    assisted = "assisted"
    mostly_auto = "mostly_auto"


class DesignOutcome(StrEnum):
    """How a design session ended."""

    saved_as_is = "saved_as_is"
    saved_with_user_edits = "saved_with_user_edits"
    abandoned = "abandoned"
    restarted = "restarted"
    rejected = "rejected"


class ConsideredAs(StrEnum):
    """As what a design session looked at a record."""

    template = "template"
    preset = "preset"
    pattern = "pattern"
    case = "case"
    blueprint = "blueprint"
    segment = "segment"
    goal = "goal"
    capability = "capability"
    unavailable_capability = "unavailable_capability"
    denied_capability = "denied_capability"
    preference = "preference"
    restriction = "restriction"
    directive = "directive"
    policy = "policy"
    doctrine = "doctrine"
    card = "card"
    looked_up = "looked_up"


class SuggestionAnswer(StrEnum):
    """What the user made of something that was suggested."""

    accepted = "accepted"
    rejected = "rejected"


class QuestionVerdict(StrEnum):
    """What the user made of a question."""

    helpful = "helpful"
    annoying = "annoying"


class StatementKind(StrEnum):
    """What a statement about how tasks are designed is a candidate for."""

    preference_candidate = "preference_candidate"
    goal_link = "goal_link"
    pattern_card_update = "pattern_card_update"
    template_routing_directive = "template_routing_directive"
    artifact_policy_candidate = "artifact_policy_candidate"
    task_agent_instruction_candidate = "task_agent_instruction_candidate"


class StatementPolarity(StrEnum):
    """Which way a statement points."""

    prefer = "prefer"
    avoid = "avoid"
    require = "require"
    forbid = "forbid"


class CreationMode(StrEnum):
    """How a saved task came about."""

    user_authored = "user_authored"
    task_agent_proposed = "task_agent_proposed"
    elnor_created_tracked = "elnor_created_tracked"
    template_instantiated = "template_instantiated"
    scratch_draft_not_run = "scratch_draft_not_run"


class EditKind(StrEnum):
    """What somebody changed of a proposal."""

    module_added = "module_added"
    module_removed = "module_removed"
    module_rewired = "module_rewired"
    config_changed = "config_changed"
    prompt_changed = "prompt_changed"
    capability_added = "capability_added"
    capability_removed = "capability_removed"
    artifact_policy_changed = "artifact_policy_changed"
    human_gate_added = "human_gate_added"
    loop_added = "loop_added"
    judge_added = "judge_added"
    template_changed = "template_changed"
    second_pass_deepening_added = "second_pass_deepening_added"  # noqa: S105 - no password
    source_grounding_added = "source_grounding_added"
