"""What speaks against an asset without ruling it out. Amounts are in the units of the score's logit."""

from collections.abc import Iterable, Iterator

from graph_schema.model.record import LifecycleState
from service.matching.answer import MatchPenalty, MatchPenaltyKind, MatchVeto
from service.matching.assets import Asset
from service.matching.directives import Taught, told
from service.matching.request import Asked
from service.words import stems

# Rules, not fits: there are no labelled data for them. 2 takes an even chance to one in eight, 4 to one in fifty-five.
NON_USE = 2.0
AVOIDED = 4.0
DRAFT = 0.5


def penalties(
    asked: Asked, asset: Asset, steered: Taught, overruled: Iterable[MatchVeto] = ()
) -> tuple[MatchPenalty, ...]:
    """`overruled`: vetoes that a taught preference has made warnings of."""
    return (*_non_use(asked, asset), *_avoided(asked, steered), *_draft(asset), *map(_warning, overruled))


def _non_use(asked: Asked, asset: Asset) -> Iterator[MatchPenalty]:
    """A condition counts when its words are all in the request, or the request is nearer to it than to the asset."""
    near = max(asset.likeness.cosine or 0.0, asset.likeness.nearest or 0.0)
    for condition in asset.non_use:
        nearer = asset.likeness.cosine is not None and condition.cosine is not None and condition.cosine > near
        if nearer or _has_words(asked, condition.text):
            how = "is nearer to" if nearer else "has the words of"
            reason = f"The request {how} “{condition.text}”, for which it is not to be used."
            yield MatchPenalty(MatchPenaltyKind.non_use_condition, NON_USE, reason)
            return  # several conditions that say the same count once


def _has_words(asked: Asked, condition: str) -> bool:
    wanted = stems(condition)
    return bool(wanted) and wanted <= asked.stems


def _avoided(asked: Asked, steered: Taught) -> Iterator[MatchPenalty]:
    if steered.avoids:
        strongest = steered.avoids[0]
        yield MatchPenalty(MatchPenaltyKind.directive_avoids, AVOIDED * strongest.confidence, told(strongest, asked))


def _draft(asset: Asset) -> Iterator[MatchPenalty]:
    if asset.lifecycle is LifecycleState.draft:
        yield MatchPenalty(MatchPenaltyKind.draft, DRAFT, "It is a draft of yours that is not active yet.")


def _warning(veto: MatchVeto) -> MatchPenalty:
    return MatchPenalty(
        MatchPenaltyKind.overruled_veto, 0.0, f"{veto.reason} It was taught that it is preferred all the same."
    )
