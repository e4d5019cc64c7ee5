"""When unasked suggestions of a class of context are muted, boosted, or enough for a day. Plain functions over facts.

A tally is what one circle of readers may know of a class. Repeated refusal mutes it until acceptances outweigh the
refusals. What several circles know is put together for whoever sees them all.
"""

from collections.abc import Sequence
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
    """What is counted of a class: how often, and the times of the latest since the count began.

    What holds is read from the times alone, in the order in which people responded: in which order it was told makes
    no difference. `muted_since` and `weight` are that, kept to be looked at.
    """

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
    if verdict is Verdict.refusal:
        after = replace(
            tally,
            refusals=tally.refusals + 1,
            open_refusals=_with(tally.open_refusals, at),
            last_refused_at=_latest(tally.last_refused_at, at),
        )
    else:
        after = replace(
            tally,
            acceptances=tally.acceptances + 1,
            open_acceptances=_with(tally.open_acceptances, at),
            last_accepted_at=_latest(tally.last_accepted_at, at),
        )
    found = standing([after], limits)
    return replace(after, muted_since=found.muted_since, weight=found.weight)


def standing(tallies: Sequence[Tally], limits: Limits) -> Standing:
    """What all circles together say, each response at its time."""
    told = [(at, False) for one in tallies for at in one.open_refusals]
    told += [(at, True) for one in tallies for at in one.open_acceptances]
    course = _Course()
    for at, accepted in sorted(told):
        course = _accepted(course, at, limits) if accepted else _refused(course, at, limits)
    muted = course.muted_since is not None
    return Standing(
        muted=muted,
        boosted=not muted and _repeated(course.accepted, limits.acceptances, limits.window),
        muted_since=course.muted_since,
        weight=course.weight,
        refusals=sum(one.refusals for one in tallies),
        acceptances=sum(one.acceptances for one in tallies),
    )


@dataclass(frozen=True, slots=True)
class _Course:
    """How it stands after some responses: `refused` since the last acceptance, `accepted` since the last refusal."""

    refused: tuple[str, ...] = ()
    accepted: tuple[str, ...] = ()
    muted_since: str | None = None
    weight: int = 0


def _refused(course: _Course, at: str, limits: Limits) -> _Course:
    after = replace(course, refused=(*course.refused, at), accepted=())
    if course.muted_since is not None:
        return replace(after, weight=course.weight + 1)
    if _repeated(after.refused, limits.refusals, limits.window):
        return replace(after, muted_since=at, weight=limits.refusals)
    return after


def _accepted(course: _Course, at: str, limits: Limits) -> _Course:
    """Outweighed is a mute when nothing of it is left."""
    after = replace(course, refused=(), accepted=(*course.accepted, at))
    if course.muted_since is not None and course.weight > limits.outweighs:
        return replace(after, weight=course.weight - limits.outweighs)
    return replace(after, muted_since=None, weight=0)


def may_suggest(in_class: int, in_all: int, limits: Limits) -> bool:
    """Whether another unasked suggestion is within what a day allows."""
    return in_class < limits.per_class and in_all < limits.per_day


def _repeated(times: Sequence[str], often: int, window: timedelta) -> bool:
    """Whether the last so many of these lie within the window."""
    if len(times) < often:
        return False
    return clock.parse(times[-1]) - clock.parse(times[-often]) <= window


def _latest(known: str | None, at: str) -> str:
    return at if known is None else max(known, at)


def _with(times: tuple[str, ...], at: str) -> tuple[str, ...]:
    return tuple(sorted((*times, at)))[-MOST_OPEN:]
