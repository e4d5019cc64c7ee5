"""When unasked suggestions of a class of context are muted, boosted, or enough for a day. Plain functions over facts.

A tally is what one circle of readers may know of a class. Repeated refusal mutes it until acceptances outweigh the
refusals. What several circles know is put together for whoever sees them all.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from graph_schema.routing.feedback import MOST_OPEN
from graph_schema.routing.words import Verdict
from service import clock
from service.settings import Settings

DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Limits:
    """What the settings say. `outweighs`: refusals that an acceptance is worth, once suggestions are muted."""

    refusals: int = 3
    acceptances: int = 3
    window: timedelta = timedelta(days=30)
    outweighs: int = 2
    per_class: int = 1
    per_day: int = 3

    @classmethod
    def of(cls, settings: Settings) -> "Limits":
        return cls(
            refusals=settings.suggestion_mute_refusals,
            acceptances=settings.suggestion_boost_acceptances,
            window=timedelta(days=settings.suggestion_window_days),
            outweighs=settings.suggestion_acceptance_weight,
            per_class=settings.suggestions_per_class_a_day,
            per_day=settings.suggestions_a_day,
        )


@dataclass(frozen=True, slots=True)
class Tally:
    """What is counted of a class. `open_refusals` are those since the last acceptance, and the other way round."""

    refusals: int = 0
    acceptances: int = 0
    open_refusals: tuple[str, ...] = ()
    open_acceptances: tuple[str, ...] = ()
    last_refused_at: str | None = None
    last_accepted_at: str | None = None
    muted_since: str | None = None
    weight: int = 0


@dataclass(frozen=True, slots=True)
class Standing:
    """What holds for a class: muted, boosted or neither. `weight`: what acceptances have yet to outweigh."""

    muted: bool = False
    boosted: bool = False
    muted_since: str | None = None
    weight: int = 0
    refusals: int = 0
    acceptances: int = 0


def counted(tally: Tally, verdict: Verdict, at: str, limits: Limits) -> Tally:
    return _refused(tally, at, limits) if verdict is Verdict.refusal else _accepted(tally, at, limits)


def _refused(tally: Tally, at: str, limits: Limits) -> Tally:
    after = replace(
        tally,
        refusals=tally.refusals + 1,
        open_refusals=_with(tally.open_refusals, at),
        open_acceptances=(),
        last_refused_at=_latest(tally.last_refused_at, at),
    )
    if tally.muted_since is not None:
        return replace(after, weight=tally.weight + 1)
    if _repeated(after.open_refusals, limits.refusals, limits.window):
        return replace(after, muted_since=after.open_refusals[-1], weight=limits.refusals)
    return after


def _accepted(tally: Tally, at: str, limits: Limits) -> Tally:
    after = replace(
        tally,
        acceptances=tally.acceptances + 1,
        open_acceptances=_with(tally.open_acceptances, at),
        last_accepted_at=_latest(tally.last_accepted_at, at),
    )
    if tally.muted_since is not None and tally.weight >= limits.outweighs:
        return replace(after, weight=tally.weight - limits.outweighs)
    return replace(after, open_refusals=(), muted_since=None, weight=0)


def standing(tallies: Sequence[Tally], limits: Limits) -> Standing:
    """What all circles together say. Muted by one, or by refusals that none has enough of for itself."""
    known = Standing(refusals=sum(one.refusals for one in tallies), acceptances=sum(one.acceptances for one in tallies))
    since = min((one.muted_since for one in tallies if one.muted_since is not None), default=None)
    if since is not None:
        weight = sum(one.weight for one in tallies if one.muted_since) - limits.outweighs * _against(tallies, since)
        if weight >= 0:
            return replace(known, muted=True, muted_since=since, weight=weight)
    calm = [one for one in tallies if one.muted_since is None]
    refused = _after((at for one in calm for at in one.open_refusals), _newest(one.last_accepted_at for one in tallies))
    if _repeated(refused, limits.refusals, limits.window):
        return replace(known, muted=True, muted_since=refused[-1], weight=len(refused))
    liked = _after(
        (at for one in tallies for at in one.open_acceptances), _newest(one.last_refused_at for one in tallies)
    )
    return replace(known, boosted=_repeated(liked, limits.acceptances, limits.window))


def may_suggest(in_class: int, in_all: int, limits: Limits) -> bool:
    """Whether another unasked suggestion is within what a day allows."""
    return in_class < limits.per_class and in_all < limits.per_day


def _against(tallies: Iterable[Tally], since: str) -> int:
    """Acceptances since then in circles that are not muted: in those that are, they were weighed already."""
    return sum(at > since for one in tallies if one.muted_since is None for at in one.open_acceptances)


def _repeated(times: Sequence[str], often: int, window: timedelta) -> bool:
    """Whether the last so many of these lie within the window."""
    if len(times) < often:
        return False
    return clock.parse(times[-1]) - clock.parse(times[-often]) <= window


def _after(times: Iterable[str], since: str | None) -> list[str]:
    return sorted(at for at in times if since is None or at > since)


def _newest(times: Iterable[str | None]) -> str | None:
    return max((at for at in times if at is not None), default=None)


def _latest(known: str | None, at: str) -> str:
    return at if known is None else max(known, at)


def _with(times: tuple[str, ...], at: str) -> tuple[str, ...]:
    return tuple(sorted((*times, at)))[-MOST_OPEN:]
