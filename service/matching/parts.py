"""The nine parts of a score, each from 0 to 1 or unknown, each with a sentence of evidence.

The first is fitted on data. The others move the score's logit by their weight times (2 value - 1): a half, or unknown,
moves nothing. Their weights are rules, for want of labelled data.
"""

import math
from collections.abc import Sequence
from datetime import datetime

from graph_schema.library.words import CapabilityState
from service.matching.answer import MatchPart, MatchPartName
from service.matching.assets import Asset
from service.matching.directives import Taught, told
from service.matching.ranker import Closeness
from service.matching.request import Asked, MatchRequest
from service.matching.vetoes import related
from service.words import spoken

WEIGHTS = {
    MatchPartName.task_type_match: 1.0,
    MatchPartName.input_contract_match: 0.5,
    MatchPartName.output_contract_match: 0.75,
    MatchPartName.capability_availability_match: 0.25,
    MatchPartName.entity_context_match: 0.75,
    MatchPartName.user_preference_match: 4.0,
    MatchPartName.prior_assessment_score: 0.5,
    MatchPartName.recency_or_staleness_score: 0.25,
}
RELATED_TYPE = 0.6
OVERLAY = 0.125
FRESH_DAYS = 90
LAST_RUNS = 20
"""So many runs of an asset are looked at, the latest."""

RUN_KINDS = ("Template", "Preset")
_NO_RUNS = "runs are counted for templates and presets only"
DECIMALS = 6


def parts(asked: Asked, asset: Asset, close: Closeness, steered: Taught) -> tuple[MatchPart, ...]:
    request = asked.request
    return (
        _semantic(asset, close),
        _task_type(request, asset),
        _inputs(request, asset),
        _outputs(request, asset),
        _capabilities(request, asset),
        _entities(request, asset),
        _preference(asked, asset, steered),
        _assessment(asset),
        _recency(asked.at, asset),
    )


def _known(name: MatchPartName, value: float, evidence: str) -> MatchPart:
    value = round(min(1.0, max(0.0, value)), DECIMALS)
    return MatchPart(name, value, evidence, WEIGHTS[name] * (2 * value - 1))


def _unknown(name: MatchPartName, why: str) -> MatchPart:
    return MatchPart(name, None, f"Unknown: {why}. It counts neither for nor against.")


def _semantic(asset: Asset, close: Closeness) -> MatchPart:
    name, like = MatchPartName.semantic_intent_match, asset.likeness
    value = round(close.semantic, DECIMALS)
    if close.guessed:
        evidence = (
            "Not compared by meaning, because its vector is behind its text: what is usual with such words stands here "
            f"(words in common {like.lexical:.0%})."
        )
        return MatchPart(name, value, evidence)
    nearest = f", nearest is “{asset.nearest_phrase}”" if asset.nearest_phrase else ""
    texts = "its card" if like.members == 1 else f"its card and {like.members - 1} phrase{'s' * (like.members > 2)}"
    evidence = f"The cosine with {texts} is {like.cosine:.2f}{nearest} ({like.nearest or like.cosine:.2f})."
    beside = "" if like.second is None else f" By the second model it is {like.second:.2f}."
    return MatchPart(name, value, f"{evidence}{beside} Words in common: {like.lexical:.0%}.")


def _task_type(request: MatchRequest, asset: Asset) -> MatchPart:
    name = MatchPartName.task_type_match
    if not request.task_type:
        return _unknown(name, "the request names no type of task")
    if not asset.task_types:
        return _unknown(name, "the asset names no type of task")
    types = ", ".join(asset.task_types)
    if _among(request.task_type, asset.task_types):
        return _known(name, 1.0, f"Both are of type {request.task_type}.")
    if related(request.task_type, asset.task_types):
        return _known(name, RELATED_TYPE, f"{request.task_type} is related to {types}.")
    return _known(name, 0.0, f"The request is of type {request.task_type}, the asset is for {types}.")


def _inputs(request: MatchRequest, asset: Asset) -> MatchPart:
    name = MatchPartName.input_contract_match
    if request.inputs is None:
        return _unknown(name, "the request does not say what is on hand")
    if asset.expected_inputs is None:
        return _unknown(name, "the asset does not say what it needs")
    if not asset.expected_inputs:
        return _known(name, 1.0, "It needs no inputs.")
    return _share(name, asset.expected_inputs, request.inputs, "inputs that it needs are on hand")


def _outputs(request: MatchRequest, asset: Asset) -> MatchPart:
    name = MatchPartName.output_contract_match
    if not request.outputs:
        return _unknown(name, "the request does not say what is wanted")
    made = (*(asset.expected_outputs or ()), *asset.output_archetypes)
    if not made:
        return _unknown(name, "the asset does not say what it makes")
    return _share(name, request.outputs, made, "outputs that are wanted are made by it")


def _share(name: MatchPartName, wanted: Sequence[str], given: Sequence[str], what: str) -> MatchPart:
    found = [one for one in wanted if _among(one, given)]
    missing = ", ".join(one for one in wanted if one not in found)
    without = f"; missing: {missing}" if missing else ""
    return _known(name, len(found) / len(wanted), f"{len(found)} of {len(wanted)} {what}{without}.")


def _capabilities(request: MatchRequest, asset: Asset) -> MatchPart:
    name = MatchPartName.capability_availability_match
    if not asset.requires:
        return _known(name, 0.5, "It needs no capabilities.")
    states = dict(asset.capability_states)
    known = {one: states[one] is CapabilityState.up for one in asset.requires if one in states}
    if request.capabilities is not None:
        listed = {one: _among(one, request.capabilities) for one in asset.requires if one not in known}
        known |= listed
    if not known:
        return _unknown(name, f"nobody has reported on {', '.join(asset.requires)}")
    up = [one for one, available in known.items() if available]
    unsaid = len(asset.requires) - len(known)
    rest = f"; nothing is known of {unsaid}" if unsaid else ""
    return _known(name, len(up) / len(known), f"{len(up)} of {len(known)} capabilities are available{rest}.")


def _entities(request: MatchRequest, asset: Asset) -> MatchPart:
    name = MatchPartName.entity_context_match
    if not request.entities:
        return _unknown(name, "the request names no entities or matters")
    if not asset.entity_ids:
        return _unknown(name, "the asset is bound to no entity or matter")
    shared = set(request.entities) & set(asset.entity_ids)
    value = len(shared) / len(set(request.entities))
    return _known(
        name, value, f"{len(shared)} of the {len(set(request.entities))} entities named are ones it is bound to."
    )


def _preference(asked: Asked, asset: Asset, steered: Taught) -> MatchPart:
    """What is avoided shows here and counts as a penalty, once."""
    name = MatchPartName.user_preference_match
    if steered.avoids:
        return MatchPart(name, 0.0, f"{told(steered.avoids[0], asked)} Counted as a penalty.")
    if not steered.prefers and not asset.preferences:
        return _unknown(name, "nothing that you taught or prefer bears on it")
    taught = 0.5 * steered.prefers[0].confidence if steered.prefers else 0.0
    likes = sum(1 if one.supports else -1 for one in asset.preferences)
    said = [told(steered.prefers[0], asked)] if steered.prefers else []
    said += [
        f"You prefer: “{one.text}”." if one.supports else f"Against it: “{one.text}”." for one in asset.preferences
    ]
    return _known(name, 0.5 + taught + OVERLAY * max(-1, min(1, likes)), " ".join(said[:3]))


def _assessment(asset: Asset) -> MatchPart:
    """How its runs ended, and were assessed where they were. One more of either kind is added: few runs say little."""
    name = MatchPartName.prior_assessment_score
    if asset.assessed_highly:
        return _known(name, 1.0, "It became a case because it was assessed highly.")
    if asset.kind not in RUN_KINDS:
        return _unknown(name, _NO_RUNS)
    if not asset.ended:
        return _unknown(name, "no run of it has been completed or has failed yet")
    evidence = f"Of its last runs {asset.completed} of {asset.ended} were completed, the others failed."
    if asset.worth is None:
        return _known(name, (asset.completed + 1) / (asset.ended + 2), evidence)
    how = "was assessed and counts" if asset.assessed == 1 else "were assessed and count"
    told = f"{evidence} {asset.assessed} of them {how} by what was found."
    return _known(name, (asset.worth + 1) / (asset.ended + 2), told)


def _recency(now: datetime, asset: Asset) -> MatchPart:
    name = MatchPartName.recency_or_staleness_score
    if asset.kind not in RUN_KINDS:
        return _unknown(name, _NO_RUNS)
    if asset.last_used_at is None:
        return _unknown(name, "it has not been used yet")
    days = max(0.0, (now - asset.last_used_at).total_seconds() / 86_400)
    more = "at least " * (asset.usage_count >= LAST_RUNS)
    times = f"{more}{asset.usage_count} time{'s' * (asset.usage_count != 1)}"
    return _known(name, math.exp2(-days / FRESH_DAYS), f"Used {times}, last {days:,.0f} days ago.")


def _among(one: str, others: Sequence[str]) -> bool:
    return spoken(one) in {spoken(other) for other in others}
