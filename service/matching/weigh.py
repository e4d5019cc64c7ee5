"""One asset, weighed for one request. No other asset plays a part here, so none can change the result."""

from graph_schema.library.words import RecommendedAction as Action
from graph_schema.model.record import LifecycleState
from service.matching.answer import MatchCandidate, MatchPart, MatchPartName, MatchPenalty, MatchScores, MatchVeto
from service.matching.assets import Asset
from service.matching.calibration import Calibration
from service.matching.directives import taught, told
from service.matching.parts import DECIMALS, parts
from service.matching.penalties import penalties
from service.matching.ranker import EVEN, PLAUSIBLE, Closeness, alone, closeness, logistic
from service.matching.request import Asked
from service.matching.vetoes import standing, vetoes

MANY_DIFFERENCES = 2
_COMPARED = (
    MatchPartName.task_type_match,
    MatchPartName.input_contract_match,
    MatchPartName.output_contract_match,
    MatchPartName.capability_availability_match,
)


def weigh(asked: Asked, asset: Asset, fitted: Calibration) -> tuple[MatchCandidate, Closeness]:
    close = closeness(asset.likeness, fitted, asset.known_by)
    steered = taught(asked, asset)
    scored = parts(asked, asset, close, steered)
    barred, overruled = standing(vetoes(asked, asset), preferred=bool(steered.prefers))
    against = penalties(asked, asset, steered, overruled)
    shift = sum(part.effect for part in scored) - sum(one.amount for one in against)
    probability = round(alone(close, fitted, shift), DECIMALS)
    differences = _differences(scored)
    candidate = MatchCandidate(
        asset=asset,
        logit=close.logit + shift,
        scores=MatchScores(round(logistic(close.logit + shift), DECIMALS), probability),
        parts=scored,
        hard_vetoes=barred,
        soft_penalties=against,
        differences=differences,
        needs_confirmation=tuple(told(one, asked) for one in steered.confirms),
        explanation=_explanation(asset, scored, barred, against, probability),
        recommended_action=_action(asset, probability, barred, differences),
        current=not close.guessed,
    )
    return candidate, close


def shift_of(candidate: MatchCandidate) -> float:
    """By how much everything but likeness moved the candidate's logit."""
    return sum(part.effect for part in candidate.parts) - sum(one.amount for one in candidate.soft_penalties)


def _differences(scored: tuple[MatchPart, ...]) -> tuple[str, ...]:
    """What would have to be changed: the known parts that speak about contracts and are not met in full."""
    named = [part for part in scored if part.name in _COMPARED]
    return tuple(part.evidence for part in named if part.score is not None and part.effect != 0 and part.score < 1)


def _action(asset: Asset, probability: float, barred: tuple[MatchVeto, ...], differences: tuple[str, ...]) -> Action:
    if barred or probability < PLAUSIBLE:
        return Action.create_new_blank
    if asset.kind in ("Pattern", "Case"):
        return Action.create_new_from_pattern
    if asset.lifecycle is LifecycleState.draft or len(differences) >= MANY_DIFFERENCES:
        return Action.fork
    if differences or probability < EVEN:
        return Action.customize
    return Action.use_as_is


def _explanation(
    asset: Asset,
    scored: tuple[MatchPart, ...],
    barred: tuple[MatchVeto, ...],
    against: tuple[MatchPenalty, ...],
    probability: float,
) -> str:
    said = [f"{asset.name}: taken by itself, it is what was asked for with a probability of {probability:.0%}."]
    said += [f"It cannot be used. {veto.reason}" for veto in barred]
    said.append(scored[0].evidence)
    said += [part.evidence for part in scored[1:] if part.known and part.effect]
    said += [one.reason for one in against]
    unknown = [part.name.value for part in scored if not part.known]
    if unknown:
        said.append(f"Unknown, and so without effect: {', '.join(unknown)}.")
    return " ".join(said)
