"""Words of the catalogue and of preflight."""

from enum import StrEnum


class PortDirection(StrEnum):
    """Which way things pass a port."""

    input = "input"
    output = "output"


class PortKind(StrEnum):
    """What passes a port."""

    data = "data"
    context = "context"
    instruction = "instruction"
    file = "file"
    signal = "signal"
    error = "error"
    candidate = "candidate"
    comparison_bundle = "comparison_bundle"
    claims = "claims"
    evaluation = "evaluation"
    trigger_payload = "trigger_payload"
    any = "any"


class ConfigKind(StrEnum):
    """What can be set in a field of a configuration."""

    text = "text"
    integer = "integer"
    number = "number"
    boolean = "boolean"
    choice = "choice"
    list = "list"
    reference = "reference"
    object = "object"


class PreflightStatus(StrEnum):
    """What a preflight came to."""

    ready = "ready"
    warning = "warning"
    blocked = "blocked"


class CardFamily(StrEnum):
    """What a card of the knowledge pack is about."""

    module_card = "module_card"
    port_card = "port_card"
    config_card = "config_card"
    validation_card = "validation_card"
    rationale_card = "rationale_card"
    config_rationale_card = "config_rationale_card"
    decision_card = "decision_card"
    hint_card = "hint_card"
    doctrine_card = "doctrine_card"
    pattern_card = "pattern_card"
    anti_pattern_card = "anti_pattern_card"
    template_card = "template_card"
    preset_card = "preset_card"
    capability_card = "capability_card"
    prompt_guide_card = "prompt_guide_card"
    invocation_card = "invocation_card"
    worked_example = "worked_example"
    design_case = "design_case"
    model_selection_card = "model_selection_card"
    ui_control_card = "ui_control_card"


class WrittenFamily(StrEnum):
    """What a card that people write is about."""

    doctrine_card = "doctrine_card"
    rationale_card = "rationale_card"
    config_rationale_card = "config_rationale_card"
    hint_card = "hint_card"
    decision_card = "decision_card"
    prompt_guide_card = "prompt_guide_card"
    invocation_card = "invocation_card"


class AuthorityLevel(StrEnum):
    """How much weight a card has."""

    hard_rule = "hard_rule"
    strong_default = "strong_default"
    soft_heuristic = "soft_heuristic"
    example = "example"
    candidate = "candidate"


class MayAffect(StrEnum):
    """What a card may bear on."""

    validation = "validation"
    recommendation = "recommendation"
    template_matching = "template_matching"
    question_policy = "question_policy"
    artifact_policy = "artifact_policy"
    graph_generation = "graph_generation"


class PackState(StrEnum):
    """Where a knowledge pack stands."""

    active = "active"
    staged = "staged"
    rejected = "rejected"
    deprecated = "deprecated"
    stale = "stale"


class PackReadiness(StrEnum):
    """How far a pack has come. Each needs all that stand before it."""

    schema_only = "schema_only"
    canonical_cards_generated = "canonical_cards_generated"
    core_rationale_cards_authored = "core_rationale_cards_authored"
    core_patterns_authored = "core_patterns_authored"
    worked_examples_loaded = "worked_examples_loaded"
    task_invocation_cards_loaded = "task_invocation_cards_loaded"
    prompt_design_cards_loaded = "prompt_design_cards_loaded"
    eval_suite_passing = "eval_suite_passing"
    production_task_agent_ready = "production_task_agent_ready"


class PackUse(StrEnum):
    """What a pack may be used for."""

    inspection_only = "inspection_only"
    task_review = "task_review"
    task_design_draft_only = "task_design_draft_only"
    prompt_review = "prompt_review"
    task_design_production = "task_design_production"


class ActivationDecision(StrEnum):
    """What became of a compilation."""

    activated = "activated"
    staged = "staged"
    blocked_validation_failure = "blocked_validation_failure"
    blocked_eval_regression = "blocked_eval_regression"
    blocked_source_drift = "blocked_source_drift"


class ResourceKind(StrEnum):
    """What an agent may be taught from."""

    module_card = "module_card"
    port_card = "port_card"
    config_card = "config_card"
    validation_card = "validation_card"
    rationale_card = "rationale_card"
    decision_card = "decision_card"
    hint_card = "hint_card"
    pattern_card = "pattern_card"
    anti_pattern_card = "anti_pattern_card"
    template_card = "template_card"
    preset_card = "preset_card"
    capability_card = "capability_card"
    prompt_guide_card = "prompt_guide_card"
    doctrine_card = "doctrine_card"
    design_case = "design_case"
    worked_example = "worked_example"
    model_selection_card = "model_selection_card"
    ui_control_card = "ui_control_card"
    spec_reference = "spec_reference"


class StalePackBehavior(StrEnum):
    """What an agent may still do while the pack in use is behind the task system."""

    block_graph_proposals = "block_graph_proposals"
    use_live_catalog_and_warn = "use_live_catalog_and_warn"
    degraded_lookup_only = "degraded_lookup_only"


class DecisionFamily(StrEnum):
    """What a designer of tasks decides about."""

    context_routing = "context_routing"
    control_flow = "control_flow"
    iteration = "iteration"
    triggering = "triggering"
    artifact_intake = "artifact_intake"
    capability_binding = "capability_binding"
    model_selection = "model_selection"
    output_delivery = "output_delivery"
    memory_policy = "memory_policy"
    evaluation = "evaluation"
