"""Words of proposals, their replay and what became of them, as the specification spells them."""

from enum import StrEnum


class ProposalKind(StrEnum):
    """What a proposal would improve."""

    task_agent_instruction_candidate = "task_agent_instruction_candidate"
    design_pattern_card_update = "design_pattern_card_update"
    anti_pattern_card_update = "anti_pattern_card_update"
    template_semantic_card_update = "template_semantic_card_update"
    module_preset_semantic_card_update = "module_preset_semantic_card_update"
    task_template_update = "task_template_update"
    module_preset_update = "module_preset_update"
    output_archetype_default_update = "output_archetype_default_update"
    artifact_policy_default_update = "artifact_policy_default_update"
    question_policy_update = "question_policy_update"
    task_invocation_directive_update = "task_invocation_directive_update"
    task_mode_policy_update = "task_mode_policy_update"
    task_design_hint_card_update = "task_design_hint_card_update"
    prompt_design_guide_card_update = "prompt_design_guide_card_update"
    prompt_update_proposal = "prompt_update_proposal"


class ProposalUpdate(StrEnum):
    """What a proposal touches."""

    semantic_metadata = "semantic_metadata"
    blueprint_change = "blueprint_change"
    graph_change = "graph_change"
    module_config_change = "module_config_change"
    capability_binding_change = "capability_binding_change"
    artifact_policy_change = "artifact_policy_change"
    evaluation_plan_change = "evaluation_plan_change"
    deprecation = "deprecation"


class ProposalState(StrEnum):
    """Where a proposal stands. Staged: it was replayed, or it is stated why it cannot be."""

    candidate = "candidate"
    staged = "staged"
    approved = "approved"
    rejected = "rejected"
    applied = "applied"
    rolled_back = "rolled_back"


class Risk(StrEnum):
    """What a change puts at risk, from what it touches."""

    low = "low"
    medium = "medium"
    high = "high"


class ApprovalPolicy(StrEnum):
    """Whose approval a proposal needs."""

    auto_apply_low_risk = "auto_apply_low_risk"
    user_review = "user_review"
    architect_review = "architect_review"
    never_auto_apply = "never_auto_apply"


class ProposalOrigin(StrEnum):
    """Who made a proposal."""

    rule = "rule"
    agent = "agent"
    person = "person"


class Operation(StrEnum):
    """One step of a change."""

    set_value = "set_value"
    add_to_list = "add_to_list"
    remove_from_list = "remove_from_list"
    link = "link"
    unlink = "unlink"
    set_lifecycle = "set_lifecycle"
    patch_graph = "patch_graph"
    patch_blueprint = "patch_blueprint"


class CaseKind(StrEnum):
    """What kind of recorded decision is replayed."""

    match = "match"
    mode_decision = "mode_decision"
    context_packet = "context_packet"
    run = "run"
    intake = "intake"
    preflight = "preflight"
    expansion = "expansion"
    evaluation = "evaluation"


class CaseResult(StrEnum):
    """What a change would have done to one recorded decision."""

    repaired = "repaired"
    regressed = "regressed"
    changed = "changed"
    same = "same"
    could_not_be_replayed = "could_not_be_replayed"


class CaseVerdict(StrEnum):
    """What people made of the decision then."""

    right = "right"
    wrong = "wrong"
    unknown = "unknown"


class WatchOutcome(StrEnum):
    """What became of what was promised."""

    as_promised = "as_promised"
    no_better = "no_better"
    worse = "worse"
    too_early = "too_early"
    rolled_back = "rolled_back"


class PromotedKind(StrEnum):
    """What was promoted."""

    module_instruction = "module_instruction"
    task_template = "task_template"
    module_preset = "module_preset"
    task_blueprint = "task_blueprint"
    procedure_binding = "procedure_binding"
    capability_binding = "capability_binding"
    task_agent_instruction = "task_agent_instruction"
    pattern_card = "pattern_card"
    semantic_card = "semantic_card"


class PromotedBy(StrEnum):
    """On whose word something was promoted: a curator, an administrator, the operator's policy, or an experiment."""

    user = "user"
    architect = "architect"
    policy_auto = "policy_auto"
    experiment = "experiment"
