"""What rules an asset out, whatever its score: seven kinds, each with the fact that it rests on."""

from collections.abc import Iterable, Iterator

from graph_schema.library.words import CapabilityState
from graph_schema.model.record import LifecycleState
from service.matching.answer import MatchVeto, MatchVetoKind
from service.matching.assets import Asset
from service.matching.request import Asked, MatchRequest
from service.words import spoken

_GONE = (LifecycleState.archived, LifecycleState.deprecated)
_OVERRULED = (MatchVetoKind.wrong_output_class, MatchVetoKind.materially_wrong_task_type)
_STEERING = (LifecycleState.active, LifecycleState.candidate_update)


def vetoes(asked: Asked, asset: Asset) -> tuple[MatchVeto, ...]:
    rules = (_capability, _side_effect, _output, _security, _memory, _task_type)
    return (*_lifecycle(asked.viewer_id, asset), *(veto for rule in rules for veto in rule(asked.request, asset)))


def standing(found: tuple[MatchVeto, ...], *, preferred: bool) -> tuple[tuple[MatchVeto, ...], tuple[MatchVeto, ...]]:
    """The vetoes that stand, and those that are only warnings where the asset was taught to be preferred."""
    overruled = tuple(one for one in found if preferred and one.kind in _OVERRULED)
    return tuple(one for one in found if one not in overruled), overruled


def _lifecycle(viewer_id: str, asset: Asset) -> Iterator[MatchVeto]:
    kind = MatchVetoKind.archived_or_deprecated
    if asset.lifecycle in _GONE:
        yield MatchVeto(kind, f"It is {asset.lifecycle.value}.")
    elif asset.lifecycle is LifecycleState.draft:
        if not viewer_id or asset.author_id != viewer_id:
            yield MatchVeto(kind, "It is a draft of somebody else.")
    elif asset.lifecycle not in _STEERING:
        yield MatchVeto(kind, f"It is {asset.lifecycle.value}, not active.")


def _capability(_: MatchRequest, asset: Asset) -> Iterator[MatchVeto]:
    """Only what was reported to be unavailable vetoes. What the request does not list lowers a part score."""
    states = dict(asset.capability_states)
    for name in asset.requires:
        state = states.get(name)
        if state is CapabilityState.down:
            yield MatchVeto(MatchVetoKind.required_capability_unavailable, f"It needs {name}, which is down.")
        elif state is CapabilityState.authorisation_missing:
            yield MatchVeto(
                MatchVetoKind.required_capability_unavailable,
                f"It needs {name}, for which the authorisation is missing.",
            )


def _side_effect(request: MatchRequest, asset: Asset) -> Iterator[MatchVeto]:
    for effect in asset.side_effects:
        if _among(effect, request.forbidden_side_effects):
            yield MatchVeto(
                MatchVetoKind.forbidden_side_effect_present, f"It has the side effect {effect}, which is forbidden."
            )
    for effect in asset.possible_side_effects:
        if effect not in asset.side_effects and _among(effect, request.forbidden_side_effects):
            yield MatchVeto(
                MatchVetoKind.forbidden_side_effect_present,
                f"It may have the side effect {effect}, which is forbidden: what one of its steps does is not known.",
            )


def _output(request: MatchRequest, asset: Asset) -> Iterator[MatchVeto]:
    made = (*(asset.expected_outputs or ()), *asset.output_archetypes)
    if request.outputs and made and not any(_among(one, made) for one in request.outputs):
        wanted, makes = ", ".join(request.outputs), ", ".join(made)
        yield MatchVeto(MatchVetoKind.wrong_output_class, f"Wanted is {wanted}; it makes {makes}.")


def _security(request: MatchRequest, asset: Asset) -> Iterator[MatchVeto]:
    for name in asset.requires:
        if _among(name, request.denied_capabilities):
            yield MatchVeto(MatchVetoKind.security_policy_conflict, f"It needs {name}, which the policy denies.")


def _memory(request: MatchRequest, asset: Asset) -> Iterator[MatchVeto]:
    if request.memory_policy and asset.memory_modes is not None and request.memory_policy not in asset.memory_modes:
        allowed = ", ".join(asset.memory_modes) or "no mode at all"
        yield MatchVeto(
            MatchVetoKind.memory_artifact_policy_conflict,
            f"The request runs under {request.memory_policy}; it allows {allowed}.",
        )


def _task_type(request: MatchRequest, asset: Asset) -> Iterator[MatchVeto]:
    if request.task_type and _among(request.task_type, asset.wrong_task_types):
        yield MatchVeto(
            MatchVetoKind.materially_wrong_task_type, f"It is not meant for tasks of type {request.task_type}."
        )
    elif request.task_type and asset.task_types and not related(request.task_type, asset.task_types):
        types = ", ".join(asset.task_types)
        yield MatchVeto(
            MatchVetoKind.materially_wrong_task_type,
            f"The request is of type {request.task_type}; it is for {types}, which has no word in common with that.",
        )


def related(one: str, others: Iterable[str]) -> bool:
    """Types of task are related when they share a word: `complaint_evaluation` and `complaint_drafting` do."""
    words = set(spoken(one.replace("_", " ")).split())
    return any(words & set(spoken(other.replace("_", " ")).split()) for other in others)


def _among(one: str, others: Iterable[str]) -> bool:
    return spoken(one) in {spoken(other) for other in others}
