"""What matching comes to: one asset, several to ask about, or nothing. Every asset that lost is told why.

Scores never depend on other assets. The decision does, as it must: how sure one can be of the first depends on how
close the next ones are. Assets that are far behind change nothing in it, once there are enough to compare with.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from graph_schema.library.words import MatchOutcome as Outcome
from graph_schema.library.words import RecommendedAction as Action
from service.matching.answer import MatchAnswer, MatchCandidate, MatchLoser, MatchPart, MatchPenaltyKind, NoticeCode
from service.matching.apart import apart, copies_of, folded
from service.matching.assets import Asset
from service.matching.calibration import Calibration
from service.matching.parts import DECIMALS
from service.matching.ranker import NAME, PLAUSIBLE, VERSION, Chances, Closeness, chances, rivals
from service.matching.request import Asked
from service.matching.weigh import shift_of, weigh
from service.notices import Notice
from service.search.answer import Ranker

MOST_CLOSE = 5
CLOSE_LOGIT = math.log(4)
"""Close behind the first is what has at least a quarter of its odds."""

SAME_WORDS = 0.5
NEARLY_THE_SAME = "nearly_the_same"
_NONE = Chances(0.0, 0.0)


@dataclass(frozen=True, slots=True)
class _Verdict:
    outcome: Outcome
    chances: Chances
    chosen: tuple[MatchCandidate, ...]
    losers: tuple[MatchLoser, ...]
    explanation: str


def decide(asked: Asked, assets: Iterable[Asset], fitted: Calibration, *, behind: bool = False) -> MatchAnswer:
    """The same request on the same assets, in whatever order, gives the same answer.

    `behind`: some that could have been among the assets wait for a vector, and may have been missed.
    """
    answer = _decided(asked, assets, fitted)
    return replace(answer, warnings=(*answer.warnings, *_behind(answer, missed=behind)))


def _decided(asked: Asked, assets: Iterable[Asset], fitted: Calibration) -> MatchAnswer:
    if not asked.compared:
        return _answer(asked, fitted, _Verdict(Outcome.nothing_fits, _NONE, (), (), _nothing_to_compare(asked)))
    weighed = sorted((weigh(asked, one, fitted) for one in assets), key=lambda one: (-one[0].logit, one[0].asset.id))
    standing = [one for one in weighed if not one[0].vetoed]
    barred = [one[0] for one in weighed if one[0].vetoed]
    if not standing:
        losers = tuple(_barred(one) for one in barred)
        return _answer(asked, fitted, _Verdict(Outcome.nothing_fits, _NONE, (), losers, _none_standing(barred)))
    close = {id(one): each for one, each in standing}
    groups = folded([one for one, _ in standing])
    sure = _chances([(one, close[id(one)]) for one, _ in groups], fitted)
    ranked = _with_confidence([replace(one, copies=copies_of(copies)) for one, copies in groups], sure)
    found = _outcome(asked, ranked[0], sure, fitted)
    chosen = _told_apart(_chosen(ranked, found), ranked, found)
    outcome = Outcome.ask if found is Outcome.several_close and len(chosen) == 1 else found
    losers = (*_losers(ranked, barred, chosen, sure), *(_copy(one, each) for one, some in groups for each in some))
    said = _explanation(outcome, ranked, chosen, sure)
    return _answer(asked, fitted, _Verdict(outcome, sure, chosen, losers, said))


def _chances(standing: Sequence[tuple[MatchCandidate, Closeness]], fitted: Calibration) -> Chances:
    best, close = standing[0]
    behind = rivals([one.logit for one, _ in standing], fitted, close.known_by)
    found = chances(close, behind, fitted, shift_of(best))
    return Chances(round(found.first, DECIMALS), round(found.any, DECIMALS))


def _with_confidence(ranked: Sequence[MatchCandidate], sure: Chances) -> list[MatchCandidate]:
    """That of the first is the answer's; others have less, by their odds against it."""
    best = ranked[0].logit
    shares = (math.exp(min(0.0, one.logit - best)) for one in ranked)
    return [
        replace(one, confidence=round(sure.first * share, DECIMALS)) for one, share in zip(ranked, shares, strict=True)
    ]


def _outcome(asked: Asked, best: MatchCandidate, sure: Chances, fitted: Calibration) -> Outcome:
    judgement = fitted.kinds[best.asset.known_by]
    thin = 1 / max(1, best.asset.likeness.members)
    if sure.any < judgement.nothing.at(thin) or not _plausible(best):
        return Outcome.nothing_fits
    if sure.first <= judgement.match or _doubtful(asked, best):
        return Outcome.several_close
    if best.needs_confirmation:
        return Outcome.ask
    return Outcome.match


def _plausible(one: MatchCandidate) -> bool:
    return one.scores.probability >= PLAUSIBLE


def _doubtful(asked: Asked, best: MatchCandidate) -> bool:
    """What the calibration knows nothing of is never taken as a sure match: the user is asked."""
    foreign = asked.noted(NoticeCode.other_language) and best.asset.likeness.lexical < SAME_WORDS
    return foreign or not best.current or asked.noted(NoticeCode.instructions_left_out)


def _chosen(ranked: Sequence[MatchCandidate], outcome: Outcome) -> tuple[MatchCandidate, ...]:
    if outcome is Outcome.nothing_fits:
        return ()
    if outcome in (Outcome.match, Outcome.ask):
        return (ranked[0],)
    close = (one for one in ranked if ranked[0].logit - one.logit <= CLOSE_LOGIT)
    return tuple(one for one in close if _plausible(one))[:MOST_CLOSE]


def _told_apart(
    chosen: tuple[MatchCandidate, ...], ranked: Sequence[MatchCandidate], found: Outcome
) -> tuple[MatchCandidate, ...]:
    """Whoever is asked is told what differs. One that stands alone is compared with what comes next."""
    if found in (Outcome.match, Outcome.nothing_fits):
        return chosen
    beside = chosen if len(chosen) > 1 else (*chosen, *(one for one in ranked[1:2] if _plausible(one)))
    if len(beside) < 2:
        return chosen
    return tuple(replace(one, apart=told) for one, told in zip(chosen, apart(beside), strict=False))


def _losers(
    ranked: Sequence[MatchCandidate], barred: Sequence[MatchCandidate], chosen: Sequence[MatchCandidate], sure: Chances
) -> tuple[MatchLoser, ...]:
    best, won = ranked[0], {one.asset.id for one in chosen}
    lost = (one for one in ranked if one.asset.id not in won)
    behind = [_behind_best(one, best, sure, won=bool(won)) for one in lost]
    return (*behind, *(_barred(one) for one in barred))


def _behind_best(one: MatchCandidate, best: MatchCandidate, sure: Chances, *, won: bool) -> MatchLoser:
    """What decided is what took most from it, compared with the best: a part of its score, or a penalty."""
    if one is best:
        told = f"It came nearest, but is what was asked for with a probability of {sure.first:.0%} only."
        return MatchLoser(one, one.parts[0].name.value, f"{told} {_spoke_against(one)}".strip())
    taken = {part.name.value: _gap(part, other) for part, other in zip(one.parts, best.parts, strict=True)}
    taken[one.parts[0].name.value] = (best.logit - shift_of(best)) - (one.logit - shift_of(one))
    taken |= {penalty.kind.value: penalty.amount for penalty in one.soft_penalties}
    code = max(taken, key=lambda name: taken[name])
    nearest = "" if won else f" Even the nearest, {best.asset.name}, does not fit."
    return MatchLoser(one, code, f"It is behind {best.asset.name}: {_told(code, one, best)}{nearest}")


def _gap(part: MatchPart, best: MatchPart) -> float:
    return best.effect - part.effect


def _told(code: str, one: MatchCandidate, best: MatchCandidate) -> str:
    """What decided, in a sentence: the penalty's own, or how the two compare in the part."""
    penalty = next((each for each in one.soft_penalties if each.kind.value == code), None)
    if penalty is not None:
        return penalty.reason
    mine, theirs = (next(part for part in each.parts if part.name.value == code) for each in (one, best))
    # What speaks for the best and is unknown of this one is told of the best.
    evidence = mine.evidence if mine.known else f"Of {best.asset.name}: {theirs.evidence}"
    return f"by {code}, {_score(mine)} against {_score(theirs)}. {evidence}"


def _score(part: MatchPart) -> str:
    return "unknown" if part.score is None else f"{part.score:.2f}"


def _spoke_against(one: MatchCandidate) -> str:
    return one.soft_penalties[0].reason if one.soft_penalties else ""


def _copy(best: MatchCandidate, one: MatchCandidate) -> MatchLoser:
    return MatchLoser(
        one, NEARLY_THE_SAME, f"It is nearly the same as {best.asset.name} ({best.id}), and stands with it."
    )


def _barred(one: MatchCandidate) -> MatchLoser:
    return MatchLoser(one, one.hard_vetoes[0].kind.value, _why_barred(one))


def _why_barred(one: MatchCandidate) -> str:
    return " ".join(veto.reason for veto in one.hard_vetoes)


def _nothing_to_compare(asked: Asked) -> str:
    said = " ".join(note.message for note in asked.notices)
    return f"{said} Nothing was compared. Say in a sentence what is to be done."


def _none_standing(barred: Sequence[MatchCandidate]) -> str:
    if not barred:
        return "There is nothing to choose from that you may see."
    nearest = barred[0]
    return f"All that could be chosen is ruled out. The nearest is {nearest.asset.name}: {_why_barred(nearest)}"


def _explanation(
    outcome: Outcome, ranked: Sequence[MatchCandidate], chosen: Sequence[MatchCandidate], sure: Chances
) -> str:
    best = ranked[0]
    if outcome is Outcome.nothing_fits:
        return (
            f"Nothing fits: the probability that anything does is {sure.any:.0%}. {best.asset.name} comes nearest, and "
            f"is what was asked for with a probability of {sure.first:.0%}."
        )
    if outcome is Outcome.match:
        related = [name for name in best.asset.group if name != best.asset.name]
        group = f" In the same group: {', '.join(related)}." if related else ""
        return f"{best.asset.name} fits, with a probability of {sure.first:.0%}. {best.explanation}{group}"
    if outcome is Outcome.ask:
        said = f"{best.asset.name} may be what was asked for (a probability of {sure.first:.0%}): ask before using it."
        first = chosen[0]
        unlike = [f"Unlike {ranked[1].asset.name}, it {'; it '.join(first.apart)}."] if first.apart else []
        return " ".join([said, *unlike, *best.needs_confirmation])
    names = "; ".join(_named(one) for one in chosen)
    return f"Several are close: {names}. The first is right with a probability of {sure.first:.0%}: ask which is meant."


def _named(one: MatchCandidate) -> str:
    """By name, and by what tells it from the others: their names may be equal."""
    return f"{one.asset.name} ({'; '.join(one.apart)})" if one.apart else one.asset.name


def _answer(asked: Asked, fitted: Calibration, verdict: _Verdict) -> MatchAnswer:
    return MatchAnswer(
        outcome=verdict.outcome,
        confidence=verdict.chances.first,
        any_fits=verdict.chances.any,
        recommended=verdict.chosen,
        losers=verdict.losers,
        recommended_action=_action(asked, verdict.chosen),
        explanation=verdict.explanation,
        needs_confirmation=verdict.chosen[0].needs_confirmation if verdict.chosen else (),
        warnings=(*asked.notices, *_notices(asked, verdict)),
        ranker=Ranker(name=NAME, version=VERSION, model=fitted.model),
    )


def _action(asked: Asked, chosen: Sequence[MatchCandidate]) -> Action:
    return Action.create_new_blank if asked.request.blank or not chosen else chosen[0].recommended_action


def _notices(asked: Asked, verdict: _Verdict) -> tuple[Notice, ...]:
    overruled = tuple(Notice(NoticeCode.preference_overrules, one) for one in _overruled(verdict.chosen))
    if not (asked.request.blank and verdict.outcome is Outcome.match):
        return overruled
    message = f"A blank task was asked for, though {verdict.chosen[0].asset.name} fits."
    return (*overruled, Notice(NoticeCode.template_match_available_but_new_graph_requested, message))


def _overruled(chosen: Sequence[MatchCandidate]) -> list[str]:
    """What would have ruled out those that are recommended, had nobody taught that they are preferred."""
    warned = ((one, each) for one in chosen for each in one.soft_penalties)
    kind = MatchPenaltyKind.overruled_veto
    return [f"{one.asset.name}: {each.reason}" for one, each in warned if each.kind is kind]


def _behind(answer: MatchAnswer, *, missed: bool) -> tuple[Notice, ...]:
    if guessed := sum(not one.current for one in answer.weighed):
        message = f"{guessed} could be compared by words only; ask again in a moment."
    elif missed:
        message = "Some that you may see wait for their vectors, and are found by words only; ask again in a moment."
    else:
        return ()
    return (Notice(NoticeCode.vectors_behind, message),)
