"""What a change puts at risk: by what each step touches, the highest wins, and what is not listed is high. Pure."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from graph_schema.learning.proposal_words import ApprovalPolicy, Operation, ProposalUpdate, Risk
from service.learning.proposals.blueprint_patch import operations_of as parts_in
from service.learning.proposals.blueprint_patch import risk_of_patch
from service.learning.proposals.steps import Step

_ORDER = {Risk.low: 0, Risk.medium: 1, Risk.high: 2}

_WORDS = ("name", "description", "trigger_phrases", "semantic_lookup_phrases", "use_conditions", "non_use_conditions")
_CARD = (
    *("known_strengths", "known_limitations", "common_misuses", "domain_tags", "document_archetypes", "purpose"),
    *("work_context_tags", "role_in_workflow", "why_this_preset_exists", "config_summary", "output_shape_summary"),
    *("canonical_graph_shapes", "rationale", "prior_task_use_summary", "evaluation_plan_summary"),
    *("memory_artifact_policy_summary", "evidence_refs", "learned_from_refs", "confidence", "instead"),
)
_DEFAULTS = (
    *("default_output_archetypes", "expected_outputs", "expected_inputs", "expected_input_kinds", "task_type"),
    *("expected_output_kinds", "compatible_task_types", "incompatible_task_types", "task_types", "memory_modes"),
    *("statement", "steps", "phrase_or_condition", "directive_kind", "auto_consult_policy", "final_output_default"),
    *("intermediate_output_default", "produced_document_default", "downloaded_document_default", "task_default"),
    *("received_attachment_default", "received_message_default", "port_level", "capture_mode", "suggested_level"),
    *("show_task_suggestion_chips", "invocation_policy", "output_archetype_hints", "max_repair_iterations"),
    *("business_or_personal_goal", "assessment_plan", "artifact_policy", "body", "assess_runs"),
)
FIELDS: Mapping[str, Risk] = {
    **dict.fromkeys((*_WORDS, *_CARD), Risk.low),
    **dict.fromkeys(_DEFAULTS, Risk.medium),
}
"""What is not here is high: settings, side effects, connectors, policies of capabilities, confirmations."""

LINKS: Mapping[tuple[Operation, str], Risk] = {
    (Operation.link, "ALLOWS"): Risk.medium,
    **{
        (operation, relation): Risk.low
        for operation in (Operation.link, Operation.unlink)
        for relation in ("SERVES_GOAL", "IMPLEMENTS_GOAL", "SUPPORTS_GOAL", "EXPRESSES_GOAL", "FOLLOWS_PATTERN")
    },
    **{
        (operation, relation): Risk.medium
        for operation in (Operation.link, Operation.unlink)
        for relation in ("TARGETS", "STEERS", "DRAWS_ON")
    },
}
STATES: Mapping[str, Risk] = {"candidate": Risk.medium, "active": Risk.medium, "suppressed": Risk.medium}
"""Putting away what people use is high."""

POLICIES: Mapping[Risk, ApprovalPolicy] = {
    Risk.low: ApprovalPolicy.auto_apply_low_risk,
    Risk.medium: ApprovalPolicy.user_review,
    Risk.high: ApprovalPolicy.never_auto_apply,
}


_HELD = frozenset({"AgentProfile", "CoreContract", "EducationProfile", "Policy"})
_SECURING = frozenset({"REQUIRES", "DENIES", "side_effect_classes", "connector_requirements", "connectors"})


def policy_of(label: str, steps: Iterable[Step]) -> ApprovalPolicy:
    """Whose approval it needs: of high risk an administrator's where it bears on what agents and policies permit, what
    something needs or must not use, or what it does to the outside world."""
    told = [(one, risk_of(one)) for one in steps]
    risk = highest(found for _, found in told)
    weighty = [one for one, found in told if found is Risk.high]
    secures = any(label in _HELD or {one.field, one.relation} & _SECURING or _acts_outside(one) for one in weighty)
    return ApprovalPolicy.architect_review if secures else POLICIES[risk]


def _acts_outside(step: Step) -> bool:
    """Whether it changes what a blueprint does to the outside world."""
    return step.operation is Operation.patch_blueprint and any(
        one.part == "side_effects" for one in parts_in(step.value)
    )


def risk_of(step: Step) -> Risk:
    if step.operation is Operation.set_lifecycle:
        return STATES.get(str(step.value), Risk.high)
    if step.operation is Operation.patch_blueprint:
        return risk_of_patch(step.value)
    if step.relation is not None:
        return LINKS.get((step.operation, step.relation), Risk.high)
    return FIELDS.get(step.field or "", Risk.high)


def highest(risks: Iterable[Risk]) -> Risk:
    return max(risks, key=_ORDER.__getitem__, default=Risk.high)


def at_most(risk: Risk, most: Risk) -> bool:
    return _ORDER[risk] <= _ORDER[most]


_BOUND = frozenset({"REQUIRES", "ALLOWS", "DENIES"})
_SETTINGS = frozenset({"config", "executable_preset_ref", "executable_template_ref", "connector_requirements"})


def update_of(label: str, steps: Iterable[Step]) -> ProposalUpdate:
    """What the steps touch, in one word: the weightiest of it."""
    told = [*steps]
    return next(update for update, applies in _UPDATES if applies(label, told))


def _touches(*fields: str) -> Callable[[str, Sequence[Step]], bool]:
    return lambda _, told: any(one.field in fields for one in told)


_UPDATES: Sequence[tuple[ProposalUpdate, Callable[[str, Sequence[Step]], bool]]] = (
    (
        ProposalUpdate.deprecation,
        lambda _, told: any(
            one.operation is Operation.set_lifecycle and one.value in ("deprecated", "archived") for one in told
        ),
    ),
    (
        ProposalUpdate.capability_binding_change,
        lambda _, told: any(one.relation in _BOUND or one.field == "connector_requirements" for one in told),
    ),
    (ProposalUpdate.module_config_change, _touches(*_SETTINGS)),
    (
        ProposalUpdate.artifact_policy_change,
        lambda label, told: label == "Policy" or _touches("memory_modes", "artifact_policy")(label, told),
    ),
    (ProposalUpdate.evaluation_plan_change, _touches("evaluation_plan_summary", "assessment_plan")),
    (ProposalUpdate.blueprint_change, lambda label, _: label == "Blueprint"),
    (
        ProposalUpdate.graph_change,
        lambda _, told: any(one.operation is Operation.patch_graph for one in told),
    ),
    (ProposalUpdate.semantic_metadata, lambda _, __: True),
)
"""The weightiest first."""
