"""Words of prompts, as the specification spells them."""

from enum import StrEnum


class PromptSurface(StrEnum):
    """Where a prompt lives."""

    chat_composer = "chat_composer"
    prompt_recipe = "prompt_recipe"
    overlay = "overlay"
    room_role_prompt = "room_role_prompt"
    red_team_prompt = "red_team_prompt"
    doc23_module_instruction = "doc23_module_instruction"
    doc23_judge_rubric = "doc23_judge_rubric"
    doc23_output_contract = "doc23_output_contract"
    task_template_prompt = "task_template_prompt"
    module_preset_prompt = "module_preset_prompt"


class PromptImprovementMode(StrEnum):
    """How deep help with a prompt goes."""

    quick_check = "quick_check"
    rewrite = "rewrite"
    generate_variants = "generate_variants"
    test_variants = "test_variants"
    optimize_and_propose_promotion = "optimize_and_propose_promotion"


class PromptOrchestrator(StrEnum):
    """Who leads the help: the advisor for a quick look, the Task Agent where a task is behind it, a tracked test."""

    doc17_prompt_advisor_service = "doc17_prompt_advisor_service"
    task_agent = "task_agent"
    doc23_prompt_evaluation_task = "doc23_prompt_evaluation_task"


class PromptGap(StrEnum):
    """What a prompt lacks, or has too much of."""

    missing_goal = "missing_goal"
    missing_source_scope = "missing_source_scope"
    missing_output_contract = "missing_output_contract"
    missing_tool_policy = "missing_tool_policy"
    missing_evidence_policy = "missing_evidence_policy"
    missing_uncertainty_policy = "missing_uncertainty_policy"
    ambiguous_success_criteria = "ambiguous_success_criteria"
    downstream_incompatibility = "downstream_incompatibility"
    overconstrained = "overconstrained"
    underconstrained = "underconstrained"
    unsafe_side_effect_instruction = "unsafe_side_effect_instruction"
    judge_unscorable = "judge_unscorable"


class GapSeverity(StrEnum):
    """How much a gap matters."""

    low = "low"
    medium = "medium"
    high = "high"


class PromptNextStep(StrEnum):
    """What to do with a prompt next."""

    accept = "accept"
    manual_review = "manual_review"
    run_judge_eval = "run_judge_eval"
    run_experiment = "run_experiment"
    run_dspy_candidate_generation = "run_dspy_candidate_generation"
    defer = "defer"


class OutputForm(StrEnum):
    """A form that a result has, or that the next one reads."""

    json = "json"
    csv = "csv"
    yaml = "yaml"
    xml = "xml"
    html = "html"
    markdown = "markdown"
    table = "table"
    bullets = "bullets"
    prose = "prose"


class PromptRole(StrEnum):
    """What part a prompt plays."""

    instruction = "instruction"
    rubric = "rubric"
    output_contract = "output_contract"
    tool_policy = "tool_policy"
    context_policy = "context_policy"
    judge_dimension = "judge_dimension"
    red_team_role = "red_team_role"
    candidate_variant = "candidate_variant"


class PromptOwner(StrEnum):
    """Who a prompt belongs to."""

    doc23_task_module = "doc23_task_module"
    doc23_task_template = "doc23_task_template"
    doc23_module_preset = "doc23_module_preset"
    doc17_prompt_recipe = "doc17_prompt_recipe"
    doc17_overlay = "doc17_overlay"
    doc12_room_role = "doc12_room_role"
    doc14_red_team = "doc14_red_team"
    propa_extraction_prompt = "propa_extraction_prompt"


class PromptTestedState(StrEnum):
    """Whether a prompt was tested, and how it did."""

    untested = "untested"
    tested = "tested"
    candidate_winner = "candidate_winner"
    promoted = "promoted"
    rejected = "rejected"


class PromptPromotionState(StrEnum):
    """Where a prompt stands in its life."""

    draft = "draft"
    active = "active"
    candidate = "candidate"
    promoted = "promoted"
    rejected = "rejected"
    rolled_back = "rolled_back"


class CandidateMethod(StrEnum):
    """How a candidate is made."""

    task_agent_structured_rewrite = "task_agent_structured_rewrite"
    doc17_prompt_advisor_rewrite = "doc17_prompt_advisor_rewrite"
    promptolution = "promptolution"
    dspy_gepa = "dspy_gepa"
    manual_variant = "manual_variant"
    template_based_variant = "template_based_variant"
    prior_winner = "prior_winner"


class ExecutionClass(StrEnum):
    """What a method of making candidates needs to run."""

    deterministic = "deterministic"
    llm_assisted = "llm_assisted"
    optimizer = "optimizer"
    manual = "manual"


class PermittedRuntime(StrEnum):
    """Where a method may be used."""

    quick_help = "quick_help"
    tracked_evaluation_only = "tracked_evaluation_only"
    r5_optimization_only = "r5_optimization_only"


class CostClass(StrEnum):
    """What a method usually costs."""

    none = "none"
    low = "low"
    medium = "medium"
    high = "high"


class LatencyClass(StrEnum):
    """How long a method usually takes."""

    instant = "instant"
    short = "short"
    long = "long"
    background = "background"


class OperativeStatus(StrEnum):
    """Whether a method can be used now."""

    operative = "operative"
    reserved_r5 = "reserved_r5"
    unavailable = "unavailable"
    degraded = "degraded"


class PromptBundleMaker(StrEnum):
    """Who made the candidates of a bundle."""

    user = "user"
    task_agent = "task_agent"
    experiment_module = "experiment_module"
    prompt_advisor_service = "prompt_advisor_service"


class PromptKind(StrEnum):
    """What kind of prompt is tested."""

    prompt_recipe = "prompt_recipe"
    module_prompt = "module_prompt"
    judge_rubric = "judge_rubric"
    red_team_prompt = "red_team_prompt"
    output_contract = "output_contract"


class EvaluationState(StrEnum):
    """Where a test of prompts stands."""

    started = "started"
    completed = "completed"


class PromptRecommendation(StrEnum):
    """What a test of prompts recommends."""

    keep_original = "keep_original"
    adopt_candidate = "adopt_candidate"
    save_as_recipe = "save_as_recipe"
    save_as_module_preset = "save_as_module_preset"
    propose_template_update = "propose_template_update"
    needs_more_examples = "needs_more_examples"
    manual_review = "manual_review"


class ExperimentMode(StrEnum):
    """Where an experiment has its candidates from."""

    consume_existing_candidate_bundle = "consume_existing_candidate_bundle"
    generate_candidates_then_test = "generate_candidates_then_test"
    manual_variants_only = "manual_variants_only"


class VariantSource(StrEnum):
    """Where the instruction of a variant comes from."""

    manual = "manual"
    same_as_baseline = "same_as_baseline"
    task_agent_candidate = "task_agent_candidate"
    doc17_prompt_advisor_candidate = "doc17_prompt_advisor_candidate"
    promptolution_candidate = "promptolution_candidate"
    dspy_candidate = "dspy_candidate"
    prompt_recipe = "prompt_recipe"
    prior_winner = "prior_winner"


class PromptEditKind(StrEnum):
    """What somebody changed of a prompt."""

    added_output_contract = "added_output_contract"
    added_source_scope = "added_source_scope"
    added_deeper_analysis_instruction = "added_deeper_analysis_instruction"
    added_tool_policy = "added_tool_policy"
    added_red_team_instruction = "added_red_team_instruction"
    tightened_rubric = "tightened_rubric"
    changed_tone = "changed_tone"
    changed_format = "changed_format"
    removed_overconstraint = "removed_overconstraint"
    removed_unwanted_question = "removed_unwanted_question"


class PromptUpdateKind(StrEnum):
    """What an edit of a prompt recommends to change."""

    prompt_design_guide_card_update = "prompt_design_guide_card_update"
    template_prompt_update_proposal = "template_prompt_update_proposal"
    module_preset_prompt_update_proposal = "module_preset_prompt_update_proposal"
    task_agent_instruction_candidate = "task_agent_instruction_candidate"
    user_preference_overlay = "user_preference_overlay"
    none = "none"


class PromptFeedbackKind(StrEnum):
    """What became of help with a prompt, or of a prompt."""

    viewed = "viewed"
    rewrite_requested = "rewrite_requested"
    rewrite_accepted = "rewrite_accepted"
    rewrite_dismissed = "rewrite_dismissed"
    accepted_then_edited = "accepted_then_edited"
    saved_as_recipe = "saved_as_recipe"
    judge_found_prompt_weak = "judge_found_prompt_weak"
    downstream_parser_failed = "downstream_parser_failed"
    reusable_artifact_produced = "reusable_artifact_produced"
