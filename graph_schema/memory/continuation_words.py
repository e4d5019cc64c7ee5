"""The specification's vocabularies of what comes after a run, in its own words."""

from enum import StrEnum


class BranchScope(StrEnum):
    """How much of what follows the forked activation is meant."""

    selected_branch = "selected_branch"
    all_downstream = "all_downstream"
    selected_modules = "selected_modules"


class RerunScope(StrEnum):
    """What a fork runs again."""

    selected_module_only = "selected_module_only"
    selected_module_and_downstream = "selected_module_and_downstream"
    downstream_only = "downstream_only"
    judge_only = "judge_only"
    experiment_only = "experiment_only"
    branch_only = "branch_only"
    full_run_from_checkpoint = "full_run_from_checkpoint"


class UpstreamStatePolicy(StrEnum):
    """Where a fork takes the state before it from."""

    freeze_parent_outputs = "freeze_parent_outputs"
    recompute_upstream = "recompute_upstream"
    use_current_task_inputs = "use_current_task_inputs"


class GraphPolicy(StrEnum):
    """Which graph a fork runs."""

    use_parent_graph_snapshot = "use_parent_graph_snapshot"
    use_current_task_definition = "use_current_task_definition"
    use_user_edited_fork_graph = "use_user_edited_fork_graph"


class ContextPolicy(StrEnum):
    """Which context the modules of a fork are given."""

    reuse_prior_doc24_packet = "reuse_prior_doc24_packet"
    recompute_from_same_task_scope = "recompute_from_same_task_scope"
    recompute_from_current_memory_and_capabilities = "recompute_from_current_memory_and_capabilities"


class SourceDocumentPolicy(StrEnum):
    """Which versions of the documents a fork reads."""

    use_parent_document_versions = "use_parent_document_versions"
    use_latest_document_versions = "use_latest_document_versions"
    ask_if_changed = "ask_if_changed"


class SideEffectReplayPolicy(StrEnum):
    """What a fork may do to the outside world again."""

    block_all_external_side_effects = "block_all_external_side_effects"
    draft_only = "draft_only"
    allow_with_confirmation = "allow_with_confirmation"
    allow_if_non_duplicate = "allow_if_non_duplicate"


class RequestedBy(StrEnum):
    """Who asked, as the key that was used tells."""

    user = "user"
    task_agent = "task_agent"
    system_repair = "system_repair"


class FollowUpMode(StrEnum):
    """How a module's work is taken up again."""

    continue_original_session = "continue_original_session"
    new_session_from_module_context = "new_session_from_module_context"
    ask_task_agent_about_module = "ask_task_agent_about_module"


class DurableEffect(StrEnum):
    """What a follow-up leaves behind."""

    chat_only = "chat_only"
    module_followup_artifact = "module_followup_artifact"
    proposed_task_patch = "proposed_task_patch"
    proposed_run_fork = "proposed_run_fork"


class ThreadScope(StrEnum):
    """What a conversation with the task agent is confined to."""

    general_task_agent = "general_task_agent"
    task_design = "task_design"
    task_run_inspection = "task_run_inspection"
    module_followup = "module_followup"
    artifact_followup = "artifact_followup"
    portfolio_review = "portfolio_review"
    prompt_improvement = "prompt_improvement"


class Entrypoint(StrEnum):
    """What the task agent is asked to do."""

    consult_task_opportunity = "consult_task_opportunity"
    design_task = "design_task"
    adapt_task_template = "adapt_task_template"
    review_existing_task = "review_existing_task"
    inspect_task_run = "inspect_task_run"
    retrieve_task_output = "retrieve_task_output"
    explain_task_graph = "explain_task_graph"
    assess_task = "assess_task"
    assess_task_portfolio = "assess_task_portfolio"
    answer_task_system_question = "answer_task_system_question"
    improve_task_prompt = "improve_task_prompt"
    review_prompt_quality = "review_prompt_quality"
    generate_prompt_variants = "generate_prompt_variants"
    test_prompt_variants = "test_prompt_variants"
    propose_prompt_update = "propose_prompt_update"


class ResponseKind(StrEnum):
    """What the task agent answered with."""

    status_answer = "status_answer"
    output_retrieval = "output_retrieval"
    graph_explanation = "graph_explanation"
    design_recommendation = "design_recommendation"
    assessment = "assessment"
    prompt_improvement = "prompt_improvement"
    task_mode_advice = "task_mode_advice"
