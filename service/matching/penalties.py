"""What speaks against an asset without ruling it out. Amounts are in the units of the score's logit."""

from collections.abc import Iterator

from graph_schema.model.record import LifecycleState
from service.matching.directives import Taught, says, told
from service.matching.records import Asset, Penalty, PenaltyKind, Request

# Rules, not fits: there are no labelled data for them. 2 takes an even chance to one in eight, 4 to one in fifty-five.
NON_USE = 2.0
AVOIDED = 4.0
DRAFT = 0.5


def penalties(request: Request, asset: Asset, steered: Taught) -> tuple[Penalty, ...]:
    return (*_non_use(request, asset), *_avoided(steered), *_draft(asset))


def _non_use(request: Request, asset: Asset) -> Iterator[Penalty]:
    """A condition counts when its words are all in the request, or the request is nearer to it than to the asset."""
    near = max(asset.likeness.cosine or 0.0, asset.likeness.nearest or 0.0)
    for condition in asset.non_use:
        nearer = asset.likeness.cosine is not None and condition.cosine is not None and condition.cosine > near
        if nearer or says(request, condition.text):
            how = "is nearer to" if nearer else "has the words of"
            reason = f"The request {how} “{condition.text}”, for which it is not to be used."
            yield Penalty(PenaltyKind.non_use_condition, NON_USE, reason)
            return  # several conditions that say the same count once


def _avoided(steered: Taught) -> Iterator[Penalty]:
    if steered.avoids:
        strongest = steered.avoids[0]
        yield Penalty(PenaltyKind.directive_avoids, AVOIDED * strongest.confidence, told(strongest))


def _draft(asset: Asset) -> Iterator[Penalty]:
    if asset.lifecycle is LifecycleState.draft:
        yield Penalty(PenaltyKind.draft, DRAFT, "It is a draft of yours that is not active yet.")
