"""When something is recommended about a tool, and to whom. Pure.

What is recommended is as closed as the calls that speak for it. So the calls are looked at once for each circle of
readers: those that everybody in the circle may see. What a wider circle is told is not told again in a closer one.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from graph_schema.tools.words import RecommendationKind, ToolOutcomeType, ToolWorld, UtilityTrend
from service.access.audience import Access
from service.tools.health.facts import Call, ToolFacts
from service.tools.health.rules import (
    MOST_AXES,
    axes_of,
    failure_rate,
    is_demoted,
    is_failing,
    is_judged,
    is_weak,
    lacks_cohesion,
    recent,
    refers_repeatedly,
    trend,
    utility_rate,
)
from service.tools.limits import Limits

RULES = "tool-evaluation-v1"
MOST_EVIDENCE = 50
MOST_SPLITS = 5
GOOD_CALLS = 3
"""A method that can stand in for a weak one has shown so often that it works."""

K, T = RecommendationKind, ToolOutcomeType


@dataclass(frozen=True, slots=True)
class Advice:
    """A recommendation before it is kept."""

    tool_id: str
    tool_name: str
    method: str | None
    kind: RecommendationKind
    rationale: str
    thresholds: tuple[str, ...]
    support: tuple[Call, ...]
    counter: tuple[Call, ...]
    access: Access
    axes: tuple[str, ...] = ()
    splits: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        called = f"{self.tool_name}.{self.method}" if self.method else self.tool_name
        return f"{self.kind.value}: {called}"


Worlds = dict[str, ToolWorld]
"""What the methods of a tool work on, by their keys, as far as it is told."""


def advise(facts: ToolFacts, worlds: Worlds, at: datetime, limits: Limits) -> list[Advice]:
    """The same calls, in whatever order, give the same advice."""
    found: list[Advice] = []
    for circle in _circles(facts):
        seen = recent((one.within(circle) for one in facts.calls if circle.covers(one.access)), at, limits)
        for one in _advice(facts, seen, worlds, circle, limits):
            if not any(_is_told(one, other) for other in found):
                found.append(one)
    return found


def _circles(facts: ToolFacts) -> list[Access]:
    """From the widest to the closest; none is wider than the tool itself."""
    told = (
        each for one in facts.calls for each in (one.access, *(correction.access for correction in one.corrections))
    )
    circles = {facts.access, *(one.joined(facts.access) for one in told)}
    return sorted(circles, key=lambda one: (len(one.matter_ids), one.audience))


def _is_told(one: Advice, other: Advice) -> bool:
    return (one.kind, one.method) == (other.kind, other.method) and one.access.covers(other.access)


def _advice(
    facts: ToolFacts, calls: Sequence[Call], worlds: Worlds, circle: Access, limits: Limits
) -> Iterator[Advice]:
    if refers_repeatedly(calls, limits):
        yield _split(facts, calls, circle, limits)
    methods = sorted({one.method for one in calls if one.method})
    weak = [key for key in methods if is_demoted(_of(calls, key), limits)]
    wanting = [key for key in methods if key in weak or _is_weakening(_of(calls, key), limits)]
    for key in wanting:
        if worlds.get(key) is not ToolWorld.deterministic:
            yield _tighten(facts, _of(calls, key), key, circle, limits)
    for key in weak:
        if any(_is_good(_of(calls, other), limits) for other in methods if other != key):
            yield _deprecate(facts, _of(calls, key), key, circle, limits)
    if not wanting and (is_demoted(calls, limits) or _is_weakening(calls, limits)):
        yield _tighten(facts, calls, None, circle, limits)


def _of(calls: Iterable[Call], method: str) -> list[Call]:
    return [one for one in calls if one.method == method]


def _is_weakening(calls: Sequence[Call], limits: Limits) -> bool:
    """Not bad enough to be demoted yet, and becoming worse."""
    weak = _weak(calls)
    said = any(one.outcome is T.low_utility for one in weak)
    return said and len(weak) >= limits.utility_count and trend(calls, limits) is UtilityTrend.falling


def _is_good(calls: Sequence[Call], limits: Limits) -> bool:
    works = sum(one.outcome is T.success and not one.corrected for one in calls)
    return works >= GOOD_CALLS and not is_demoted(calls, limits) and not is_failing(calls, limits)


def _split(facts: ToolFacts, calls: Sequence[Call], circle: Access, limits: Limits) -> Advice:
    referred = [one for one in calls if one.outcome is T.wrong_tool_boundary]
    axes = [axis for axis, _ in axes_of(calls)]
    lacking = lacks_cohesion(calls, limits)
    told = "It does several jobs in one" if lacking else "Requests come to it that are not its job"
    return Advice(
        tool_id=facts.id,
        tool_name=facts.name,
        method=None,
        kind=K.split_boundary,
        rationale=f"{told}: {len(referred)} of {len(calls)} calls were handed back, on {', '.join(axes)}.",
        thresholds=(
            f"{len(referred)} referrals, at least {limits.boundary_failures}",
            f"{len(referred) / len(calls):.0%} of the calls, at least {limits.boundary_share:.0%}",
            f"{len(axes)} axes; {limits.boundary_axes} or more mean that it lacks cohesion",
        ),
        support=tuple(referred),
        counter=_worked(calls),
        access=circle,
        axes=tuple(axes[:MOST_AXES]),
        splits=tuple(sorted({one.split for one in referred if one.split})[:MOST_SPLITS]),
    )


def _tighten(facts: ToolFacts, calls: Sequence[Call], method: str | None, circle: Access, limits: Limits) -> Advice:
    weak = _weak(calls)
    return Advice(
        tool_id=facts.id,
        tool_name=facts.name,
        method=method,
        kind=K.tighten_acceptance,
        rationale=f"What it hands back has the right shape and little use: {len(weak)} of {len(calls)} calls. Say in "
        "its acceptance what a useful result has.",
        thresholds=_utility_thresholds(calls, limits),
        support=weak,
        counter=_worked(calls),
        access=circle,
    )


def _deprecate(facts: ToolFacts, calls: Sequence[Call], method: str, circle: Access, limits: Limits) -> Advice:
    weak = _weak(calls)
    return Advice(
        tool_id=facts.id,
        tool_name=facts.name,
        method=method,
        kind=K.deprecate_method,
        rationale=f"{len(weak)} of {len(calls)} calls of {method} gave little, while another method of the tool works.",
        thresholds=(*_utility_thresholds(calls, limits), f"another method with at least {GOOD_CALLS} good calls"),
        support=weak,
        counter=_worked(calls),
        access=circle,
    )


def _utility_thresholds(calls: Sequence[Call], limits: Limits) -> tuple[str, ...]:
    rate = utility_rate(calls, limits)
    return (
        f"{len(_weak(calls))} calls of little use, at least {limits.utility_count}",
        f"a smoothed rate of {rate.rate:.2f} above {limits.utility_rate:.2f}, or a falling trend: it is "
        + trend(calls, limits).value,
        f"a correction weighs {limits.correction_weight}, a tool's own opinion 1",
        f"failures of its own {failure_rate(calls).count} of {len(calls)}, which count apart",
    )


def _weak(calls: Sequence[Call]) -> tuple[Call, ...]:
    return tuple(one for one in calls if is_judged(one) and is_weak(one))


def _worked(calls: Sequence[Call]) -> tuple[Call, ...]:
    return tuple(one for one in calls if one.outcome is T.success and not one.corrected)
