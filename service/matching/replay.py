"""Whether a kept match comes out the same when it is decided again from the facts that it keeps, by today's ranker."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from service.matching.answer import MatchAnswer
from service.matching.errors import ModelNotCalibrated
from service.matching.kept import RANKER, Kept, said_of, told_of
from service.replay import ReplayDifference, ReplayOutcome
from service.views import Id


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchReplay:
    """A kept match, decided again from what it keeps."""

    match_id: Annotated[Id, "Id of the kept match."]
    outcome: Annotated[ReplayOutcome, "What came of it."]
    sentence: Annotated[str, "The same in a sentence."]
    ranker_then: Annotated[str, "The ranker that made the match."]
    ranker_now: Annotated[str, "The ranker of today."]
    withheld: Annotated[bool, "Whether it weighed assets that you may not see."]
    lacking: Annotated[int, "Assets of which it keeps no facts."]
    answer: Annotated[MatchAnswer | None, "The answer, made again; null where it cannot be."]
    differences: Annotated[tuple[ReplayDifference, ...], "Every asset that comes out otherwise."]


def replay(kept: Kept, first: int | None = None) -> MatchReplay:
    if kept.withheld or kept.lacking:
        return _lacking(kept)
    try:
        answer = kept.question.answer([*kept.facts.values()])
    except ModelNotCalibrated as error:
        return _replay(kept, ReplayOutcome.different, f"The ranker of today refuses it: {error.message}")
    shown, told = answer.showing(first), told_of(answer)
    if _same(kept, answer, told):
        said = f"Decided again from what it keeps, it is identical; the ranker is {_ranker(kept)}."
        return _replay(kept, ReplayOutcome.identical, said, answer=shown)
    found = tuple(_differences(kept.weighed, told["weighed"]))
    said = (
        f"It was {kept.told['outcome']} and comes out as {answer.outcome.value}; {len(found):,} of "
        f"{len(kept.weighed):,} assets do otherwise. The ranker is {_ranker(kept)}."
    )
    return _replay(kept, ReplayOutcome.different, said, answer=shown, differences=found)


def _same(kept: Kept, answer: MatchAnswer, told: Mapping[str, Any]) -> bool:
    said = all(kept.values[name] == value for name, value in said_of(answer).items())
    return said and all(kept.told[name] == value for name, value in told.items())


def _lacking(kept: Kept) -> MatchReplay:
    if not kept.withheld and not kept.facts:
        return _replay(kept, ReplayOutcome.not_kept, "It keeps no facts of what it weighed.", lacking=kept.lacking)
    hidden = "it weighed assets that you may not see" if kept.withheld else ""
    without = f"it keeps no facts of {kept.lacking:,} of its assets" if kept.lacking else ""
    said = f"It cannot be replayed in full by you: {' and '.join(one for one in (hidden, without) if one)}."
    return _replay(kept, ReplayOutcome.not_in_full, said, withheld=kept.withheld, lacking=kept.lacking)


def _replay(kept: Kept, outcome: ReplayOutcome, sentence: str, **more: Any) -> MatchReplay:
    silent: dict[str, Any] = {"withheld": False, "lacking": 0, "answer": None, "differences": ()}
    return MatchReplay(
        match_id=kept.id,
        outcome=outcome,
        sentence=sentence,
        ranker_then=kept.values["ranker"],
        ranker_now=RANKER,
        **{**silent, **more},
    )


def _ranker(kept: Kept) -> str:
    then = kept.values["ranker"]
    return f"the same, {RANKER}" if then == RANKER else f"{RANKER} and was {then}"


def _differences(then: Sequence[Mapping[str, Any]], now: Sequence[Mapping[str, Any]]) -> Iterator[ReplayDifference]:
    again = {one["id"]: _place(rank, one) for rank, one in enumerate(now, 1)}
    for rank, one in enumerate(then, 1):
        if (before := _place(rank, one)) != (after := again.get(one["id"], "not weighed")):
            yield ReplayDifference(record_id=one["id"], name=one["name"], then=before, now=after)


def _place(rank: int, line: Mapping[str, Any]) -> str:
    barred = f", ruled out: {', '.join(line['vetoes'])}" if line["vetoes"] else ""
    return f"place {rank}, score {line['score']:.6f}{barred}"
