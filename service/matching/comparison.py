"""A kept match beside the same request today: what would be different, and why."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from graph_schema.library.words import MatchOutcome
from service.matching.answer import MatchAnswer, MatchCandidate
from service.matching.assets import Asset
from service.matching.frozen import FactChange, changes, frozen
from service.matching.kept import MOST_KEPT, RANKER, Kept
from service.matching.request import Asked
from service.views import Id

MOST_TOLD = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchMoved:
    """An asset in a kept match, and in the same match now."""

    id: Annotated[Id, "Id of the asset."]
    name: Annotated[str, "What people call it."]
    kept_score: Annotated[float | None, "Its score then; null when it was not weighed."]
    score: Annotated[float | None, "Its score now; null when it is not weighed."]
    kept_version: Annotated[int | None, "Its version then."]
    version: Annotated[int | None, "Its version now."]
    changes: Annotated[tuple[FactChange, ...], "What is known of it now, and was known otherwise."]
    why: Annotated[str, "Why it does otherwise, in a sentence; empty where it does not."]

    @property
    def changed(self) -> Annotated[bool, "Whether score or version differ."]:
        return (self.kept_score, self.kept_version) != (self.score, self.version)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchComparison:
    """A kept match beside the same request, matched again."""

    match_id: Annotated[Id, "Id of the kept match."]
    same: Annotated[bool, "Whether outcome, assets, versions and scores are the same."]
    same_ranker: Annotated[bool, "Whether ranker and model are the same; else scores do not compare."]
    sentence: Annotated[str, "What would be different today, and why."]
    kept_outcome: Annotated[MatchOutcome, "What matching came to then."]
    kept_confidence: Annotated[float, "How sure it was then."]
    now: Annotated[MatchAnswer, "What it says now, as of the time of the kept match."]
    moved: Annotated[tuple[MatchMoved, ...], "Every asset of either."]


def compare(kept: Kept, asked: Asked, now: MatchAnswer, first: int | None = None) -> MatchComparison:
    same_ranker = kept.values["ranker"] == RANKER and kept.question.model == now.ranker.model
    moved = tuple(_moved(kept, asked, now, same_ranker=same_ranker))
    same = kept.told["outcome"] == now.outcome.value and not kept.withheld and not any(one.changed for one in moved)
    return MatchComparison(
        match_id=kept.id,
        same=same,
        same_ranker=same_ranker,
        sentence="Matched again today, it is the same." if same else _sentence(kept, now, moved),
        kept_outcome=MatchOutcome(kept.told["outcome"]),
        kept_confidence=kept.told["confidence"],
        now=now.showing(first),
        moved=moved,
    )


def _moved(kept: Kept, asked: Asked, now: MatchAnswer, *, same_ranker: bool) -> list[MatchMoved]:
    before = {one["id"]: one for one in kept.weighed}
    after = {one.id: one for one in now.weighed[:MOST_KEPT]}
    both = [(id_, before.get(id_), after.get(id_)) for id_ in dict.fromkeys([*before, *after])]
    return [_one(id_, was, kept.facts.get(id_), one, asked, same_ranker=same_ranker) for id_, was, one in both]


def _one(
    id_: str,
    was: Mapping[str, Any] | None,
    facts: Asset | None,
    now: MatchCandidate | None,
    asked: Asked,
    *,
    same_ranker: bool,
) -> MatchMoved:
    known = tuple(changes(facts, frozen(asked, now.asset))) if facts and now else ()
    scores = (was["score"] if was else None, now.scores.overall_score if now else None)
    versions = (was["version"] if was else None, now.version if now else None)
    differs = scores[0] != scores[1] or versions[0] != versions[1] or bool(known)
    return MatchMoved(
        id=id_,
        name=now.name if now else str(was["name"] if was else ""),
        kept_score=scores[0],
        score=scores[1],
        kept_version=versions[0],
        version=versions[1],
        changes=known,
        why=_why(was, facts, now, known, same_ranker=same_ranker) if differs else "",
    )


def _why(
    was: Mapping[str, Any] | None,
    facts: Asset | None,
    now: MatchCandidate | None,
    known: Sequence[FactChange],
    *,
    same_ranker: bool,
) -> str:
    if was is None:
        return "It was not weighed then: it is new, has come nearer, or whoever asked did not see it."
    if now is None:
        return "It is not weighed now: others have come nearer, or it is there no more."
    ranker = "" if same_ranker else "Ranker or model are not those of then. "
    if known:
        return f"{ranker}Known otherwise: {'; '.join(one.sentence for one in known)}."
    return ranker or ("What was known of it then is not kept." if facts is None else "Only its version has changed.")


def _sentence(kept: Kept, now: MatchAnswer, moved: Sequence[MatchMoved]) -> str:
    names = {one["id"]: one["name"] for one in kept.weighed}
    then = [names[one] for one in kept.told["recommended"] if one in names]
    today = [one.name for one in now.recommended]
    said = f"Then: {_told(kept.told['outcome'], then)}. Now: {_told(now.outcome.value, today)}."
    # Those that were or are recommended tell most.
    best = {*kept.told["recommended"], *(one.id for one in now.recommended)}
    told = sorted((one for one in moved if one.why), key=lambda one: one.id not in best)
    rest = f" So do {len(told) - MOST_TOLD:,} more." if len(told) > MOST_TOLD else ""
    return " ".join([said, *(f"{one.name}: {one.why}" for one in told[:MOST_TOLD])]) + rest


def _told(outcome: str, names: Sequence[str]) -> str:
    return f"{outcome} ({', '.join(names)})" if names else outcome
