"""Words of learning reports, as the specification spells them."""

from enum import StrEnum


class LearningLedger(StrEnum):
    """A family of evidence. None is ever added to another."""

    task_invocation_utility = "task_invocation_utility"
    task_suggestion_feedback = "task_suggestion_feedback"
    task_agent_design_utility = "task_agent_design_utility"
    template_preset_utility = "template_preset_utility"
    capability_tool_utility = "capability_tool_utility"
    question_utility = "question_utility"
    artifact_policy_utility = "artifact_policy_utility"
    execution = "execution"
    judge_experiment_quality = "judge_experiment_quality"
    prompt_quality = "prompt_quality"
    user_graph_edits = "user_graph_edits"


class ReportScope(StrEnum):
    """Which ledgers a report tells."""

    task_invocation = "task_invocation"
    task_agent_design = "task_agent_design"
    task_execution = "task_execution"
    template_library = "template_library"
    prompt_quality = "prompt_quality"
    portfolio = "portfolio"
    all = "all"


class FindingFamily(StrEnum):
    """Under what a report tells a ledger."""

    invocation_findings = "invocation_findings"
    task_agent_findings = "task_agent_findings"
    template_preset_findings = "template_preset_findings"
    execution_findings = "execution_findings"
    judge_experiment_findings = "judge_experiment_findings"
    prompt_quality_findings = "prompt_quality_findings"
    user_feedback_findings = "user_feedback_findings"
    artifact_policy_findings = "artifact_policy_findings"
