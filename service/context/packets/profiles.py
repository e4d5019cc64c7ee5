"""Which layers a packet may have at most, and which profile a module has by default."""

from dataclasses import dataclass

from graph_schema.context.words import ContextLayer as Layer
from graph_schema.context.words import Profile

_POLICY = frozenset({Layer.restrictions, Layer.output_artifact_policy})
_TASK = _POLICY | {
    Layer.trigger_context,
    Layer.recurrence_context,
    Layer.task_blueprint_context,
    Layer.entity_cards,
    Layer.documents,
    Layer.libraries,
    Layer.tools,
    Layer.procedures,
    Layer.preferences,
    Layer.memory_excerpts,
    Layer.prompt_or_evaluation_guidance,
    Layer.prior_task_runs,
}
LAYERS: dict[Profile, frozenset[Layer]] = {
    Profile.none: frozenset(),
    Profile.policy_only: _POLICY,
    Profile.task_scoped: _TASK,
    Profile.domain_aware: frozenset(Layer),
    Profile.evaluator: _POLICY
    | {
        Layer.task_blueprint_context,
        Layer.entity_cards,
        Layer.documents,
        Layer.libraries,
        Layer.tools,
        Layer.procedures,
        Layer.prompt_or_evaluation_guidance,
    },
    Profile.delivery: _POLICY
    | {Layer.trigger_context, Layer.entity_cards, Layer.tools, Layer.procedures, Layer.preferences},
    Profile.coding: _POLICY
    | {
        Layer.task_blueprint_context,
        Layer.entity_cards,
        Layer.documents,
        Layer.tools,
        Layer.procedures,
        Layer.preferences,
        Layer.prompt_or_evaluation_guidance,
        Layer.specialist_agents,
    },
    Profile.design: frozenset(Layer),
}

_BY_TYPE = {
    "step.judge": Profile.evaluator,
    "step.claim_extractor": Profile.evaluator,
    "step.experiment": Profile.evaluator,
    "step.coding": Profile.coding,
}
_BY_FAMILY = {
    "trigger": Profile.none,
    "source": Profile.policy_only,
    "step": Profile.task_scoped,
    "utility": Profile.task_scoped,
    "output": Profile.delivery,
    "environment": Profile.none,
    "system": Profile.none,
}
_ONLY_WITH_MODEL = frozenset({"source", "utility"})
"""Families that get a packet only where the catalogue says that the type asks a model."""


@dataclass(frozen=True, slots=True)
class Applies:
    """Whether a module gets a packet at all, with which profile, and why so."""

    profile: Profile
    applicable: bool
    explanation: str


def layers_of(profile: Profile | str) -> frozenset[Layer]:
    return LAYERS[Profile(profile)]


def family_of(module_type: str | None) -> str:
    """`step` for step.judge. What the catalogue does not know is taken for a step: it may ask a model."""
    family = (module_type or "").partition(".")[0]
    return family if family in _BY_FAMILY else "step"


def applies(module_type: str | None, *, model_facing: bool | None, asked: Profile | None) -> Applies:
    """The profile of a module by its type and family. A stated one is used where the family has packets at all."""
    family = family_of(module_type)
    default = _BY_TYPE.get(module_type or "", _BY_FAMILY[family])
    if default is Profile.none:
        return Applies(default, False, f"Modules of the family {family} ask no model and get no packet.")
    if family in _ONLY_WITH_MODEL and not model_facing:
        return Applies(Profile.none, False, f"A module of the family {family} gets a packet only if it asks a model.")
    profile = asked or default
    if profile is Profile.none:
        return Applies(profile, False, "The profile none was asked for.")
    said = "was asked for" if asked else f"is the default of {module_type or 'its family'}"
    return Applies(profile, True, f"The profile {profile} {said}.")
