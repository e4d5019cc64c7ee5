"""Words of assessments, as the specification spells them."""

from enum import StrEnum


class AssessmentKind(StrEnum):
    """What was assessed."""

    run = "run"
    task = "task"
    portfolio = "portfolio"


class PortfolioScope(StrEnum):
    """Which part of all tasks a portfolio looks at."""

    all_tasks = "all_tasks"
    active_tasks = "active_tasks"
    selected_tasks = "selected_tasks"
    template_library = "template_library"
    recent_failed_runs = "recent_failed_runs"
    task_invocation_policy = "task_invocation_policy"
    prompt_quality = "prompt_quality"


class FindingKind(StrEnum):
    """What a finding is about."""

    execution = "execution"
    quality = "quality"
    capability = "capability"
    memory_context = "memory_context"
    artifact = "artifact"
    cost_latency = "cost_latency"
    user_feedback = "user_feedback"
    substantive = "substantive"
    template_selection = "template_selection"
    preset = "preset"
    design_learning = "design_learning"
    prompt_quality = "prompt_quality"


class FindingTone(StrEnum):
    """Whether a finding speaks for it, against it, or neither."""

    strength = "strength"
    problem = "problem"
    observation = "observation"


class FindingSeverity(StrEnum):
    """How much a finding weighs."""

    critical = "critical"
    major = "major"
    minor = "minor"
    note = "note"


class PortfolioIssue(StrEnum):
    """What a portfolio finds about a task, a template or a preset."""

    high_value_candidate = "high_value_candidate"
    duplicate = "duplicate"
    unused = "unused"
    failing = "failing"
    stale_template = "stale_template"
    missing_blueprint = "missing_blueprint"
    capability_binding = "capability_binding"
    artifact_policy = "artifact_policy"
    evaluation_coverage = "evaluation_coverage"
    invocation = "invocation"
    prompt_quality = "prompt_quality"
    goal = "goal"


class ActionKind(StrEnum):
    """What kind of change an action of an assessment is."""

    graph_diff = "graph_diff"
    blueprint_diff = "blueprint_diff"
    module_config_patch = "module_config_patch"
    capability_binding_patch = "capability_binding_patch"
    prompt_or_preset_patch = "prompt_or_preset_patch"
    artifact_policy_patch = "artifact_policy_patch"
    template_update = "template_update"
    design_improvement = "design_improvement"


class ObservedEffect(StrEnum):
    """What became of a goal."""

    advanced_goal = "advanced_goal"
    partially_advanced_goal = "partially_advanced_goal"
    did_not_advance_goal = "did_not_advance_goal"
    unknown = "unknown"
