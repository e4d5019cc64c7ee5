"""What the recent calls of a tool come to. Pure: the same calls, in whatever order, give the same health.

A window of calls is counted; no success wipes out what was before it, so that a tool that fails now and then is seen.
What failed in the tool itself, in its surroundings, by lack of rights or by its input is counted apart.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, ClassVar

from graph_schema.tools.words import ToolErrorClass, ToolOutcomeType, ToolStanding, UtilityTrend
from service import clock
from service.tools.health.facts import Call, ToolFacts
from service.tools.limits import Limits
from service.views import Id, Linked, Time

RULES = "tool-health-v1"
MOST_AXES = 5
MOST_SAID = 10
TREND_CALLS = 5
"""So many judged calls each half of the window must have for a trend."""

TREND_STEP = 0.15
DECIMALS = 4
T = ToolOutcomeType
OWN_FAULT = frozenset({ToolErrorClass.tool, ToolErrorClass.unknown})
"""Errors that repairing the tool may mend."""


@dataclass(frozen=True, slots=True)
class SmoothedRate:
    """A rate that few cases do not drive to an extreme: one more of each kind is added to what was counted."""

    rate: Annotated[float, "From 0 to 1: (count + 1) / (of + 2)."]
    count: Annotated[int, "How many it were."]
    of: Annotated[int, "Out of how many."]


@dataclass(frozen=True, slots=True)
class ErrorCount:
    """Failed calls of one class."""

    error_class: Annotated[ToolErrorClass, "Whose fault they are."]
    count: Annotated[int, "How many."]


@dataclass(frozen=True, slots=True)
class AxisCount:
    """An axis that a tool was left on."""

    axis: Annotated[str, "The axis, in the words that are counted."]
    count: Annotated[int, "Calls that named it."]
    said: Annotated[tuple[str, ...], "The words that were said for it, up to ten."] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CallCounts:
    """Recent calls, counted."""

    outcomes: Annotated[int, "Calls that were looked at."]
    successes: Annotated[int, "Calls that ended well, corrected ones among them."]
    execution_errors: Annotated[int, "Calls that failed."]
    errors: Annotated[tuple[ErrorCount, ...], "The same by whose fault it was."]
    wrong_tool_boundary_recent: Annotated[int, "Calls that were handed back as not the tool's job."]
    low_utility_recent: Annotated[int, "Calls whose result the tool itself thought little of."]
    user_corrections_recent: Annotated[int, "Calls after which the user asked again for the same."]


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodHealth(CallCounts):
    """Recent calls of one method."""

    method_key: Annotated[str | None, "The method, as callers call it; null for calls that named none."]
    low_utility_rate: Annotated[SmoothedRate, "Weighed low utility among the calls that gave something to judge."]
    failure_rate: Annotated[SmoothedRate, "Failures of the tool itself among all calls."]
    standing: Annotated[ToolStanding, "What this comes to."]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolHealth(CallCounts):
    """What the recent calls of a tool come to, from what you may see."""

    tool_id: Annotated[Id, "Id of the tool."]
    name: Annotated[str, "What people call it."]
    methods: Annotated[tuple[MethodHealth, ...], "The same by method."]
    boundary_axes: Annotated[tuple[AxisCount, ...], "Axes that it was left on, most often first."]
    boundary_axes_top: Annotated[tuple[str, ...], "The first of them."]
    cohesion_warning: Annotated[bool, "Whether its referrals show that it does several jobs in one."]
    cohesion_why: Annotated[str, "The rule, and what was counted for it."]
    low_utility_rate: Annotated[SmoothedRate, "Weighed low utility among the calls that gave something to judge."]
    failure_rate: Annotated[SmoothedRate, "Failures of the tool itself among all calls."]
    referral_rate: Annotated[SmoothedRate, "Referrals among all calls."]
    referral_overused: Annotated[bool, "Whether it hands back so much that referring looks like an escape."]
    utility_trend: Annotated[UtilityTrend, "Whether what it gives is becoming better or worse."]
    standing: Annotated[ToolStanding, "What this comes to."]
    standing_why: Annotated[str, "Why, in a sentence."]
    regeneration_priority: Annotated[float, "How much low utility and referrals press for making it anew, from 0 to 1."]
    repair_priority: Annotated[float, "How much failures of its own press for repairing it, from 0 to 1."]
    last_used_at: Annotated[Time | None, "When it was last called, as far as is known."]
    window_from: Annotated[Time, "From when on calls were looked at."]
    window_to: Annotated[Time, "Until when."]
    rules: Annotated[str, "Name and version of the rules."]
    tool: ClassVar = Linked("tool_id", "The tool itself.", "Tool")


def recent(calls: Iterable[Call], at: datetime, limits: Limits) -> list[Call]:
    """The latest calls of the window, the latest first."""
    within = (one for one in calls if at - limits.window < one.at <= at)
    return sorted(within, key=lambda one: (one.at, one.key), reverse=True)[: limits.outcomes]


def health_of(facts: ToolFacts, at: datetime, limits: Limits) -> ToolHealth:
    calls = recent(facts.calls, at, limits)
    axes = axes_of(calls)
    referred = [one for one in calls if one.outcome is T.wrong_tool_boundary]
    standing, why = _standing(facts, calls, at, limits)
    return ToolHealth(
        **_counts(calls),
        tool_id=facts.id,
        name=facts.name,
        methods=tuple(_method(key, calls, limits) for key in _methods(calls)),
        boundary_axes=tuple(AxisCount(axis, count, _said_for(axis, referred)) for axis, count in axes),
        boundary_axes_top=tuple(axis for axis, _ in axes[:MOST_AXES]),
        cohesion_warning=lacks_cohesion(calls, limits),
        cohesion_why=_cohesion_why(calls, limits),
        low_utility_rate=utility_rate(calls, limits),
        failure_rate=failure_rate(calls),
        referral_rate=smoothed(len(referred), len(calls)),
        referral_overused=_refers_too_often(calls, limits),
        utility_trend=trend(calls, limits),
        standing=standing,
        standing_why=why,
        regeneration_priority=_pressure([one for one in calls if is_weak(one) or one in referred], calls),
        repair_priority=_pressure([one for one in calls if is_own_fault(one)], calls),
        last_used_at=clock.stamp(facts.last_used_at) if facts.last_used_at else None,
        window_from=clock.stamp(at - limits.window),
        window_to=clock.stamp(at),
        rules=RULES,
    )


def smoothed(count: int, of: int) -> SmoothedRate:
    return SmoothedRate(round((count + 1) / (of + 2), DECIMALS), count, of)


def is_weak(one: Call) -> bool:
    """Whether a call gave little: by the tool's own opinion, or because the user asked again."""
    return one.outcome is T.low_utility or one.corrected


def is_own_fault(one: Call) -> bool:
    return one.outcome is T.execution_error and one.error_class in OWN_FAULT


def is_judged(one: Call) -> bool:
    """Whether a call gave something that can be of use or not."""
    return one.outcome in (T.success, T.low_utility)


def utility_rate(calls: Iterable[Call], limits: Limits) -> SmoothedRate:
    """A tool's own opinion weighs one, either way; that the user asked again weighs more."""
    judged = [one for one in calls if is_judged(one)]
    against = sum(limits.correction_weight * one.corrected + (one.outcome is T.low_utility) for one in judged)
    for_it = sum(one.outcome is T.success for one in judged)
    return smoothed(against, against + for_it)


def failure_rate(calls: Sequence[Call]) -> SmoothedRate:
    return smoothed(sum(map(is_own_fault, calls)), len(calls))


def is_demoted(calls: Sequence[Call], limits: Limits) -> bool:
    """Repeated low utility. That users asked again is weak evidence: alone it demotes nothing."""
    weak = [one for one in calls if is_judged(one) and is_weak(one)]
    said = any(one.outcome is T.low_utility for one in weak)
    return said and len(weak) >= limits.utility_count and utility_rate(calls, limits).rate > limits.utility_rate


def is_failing(calls: Sequence[Call], limits: Limits) -> bool:
    """The same measure for failures of the tool itself, which are repaired and not redesigned."""
    rate = failure_rate(calls)
    return rate.count >= limits.utility_count and rate.rate > limits.utility_rate


def refers_repeatedly(calls: Sequence[Call], limits: Limits) -> bool:
    referred = sum(one.outcome is T.wrong_tool_boundary for one in calls)
    return referred >= limits.boundary_failures and referred >= limits.boundary_share * len(calls)


def lacks_cohesion(calls: Sequence[Call], limits: Limits) -> bool:
    """Repeated referrals on different axes: several jobs in one."""
    return refers_repeatedly(calls, limits) and len(axes_of(calls)) >= limits.boundary_axes


def axes_of(calls: Iterable[Call]) -> list[tuple[str, int]]:
    """Axes of referrals, most often first, then by their names."""
    counted = Counter(axis for one in calls if one.outcome is T.wrong_tool_boundary for axis in one.axes)
    return sorted(counted.items(), key=lambda one: (-one[1], one[0]))


def _said_for(axis: str, referred: Iterable[Call]) -> tuple[str, ...]:
    return tuple(sorted({word for one in referred for named, word in one.said if named == axis})[:MOST_SAID])


def trend(calls: Sequence[Call], limits: Limits) -> UtilityTrend:
    """The newer half of the judged calls against the older one."""
    judged = sorted((one for one in calls if is_judged(one)), key=lambda one: (one.at, one.key))
    middle = len(judged) // 2
    older, newer = judged[:middle], judged[middle:]
    if len(older) < TREND_CALLS:
        return UtilityTrend.unknown
    worse = utility_rate(newer, limits).rate - utility_rate(older, limits).rate
    if abs(worse) < TREND_STEP:
        return UtilityTrend.steady
    return UtilityTrend.falling if worse > 0 else UtilityTrend.rising


def is_unused(facts: ToolFacts, at: datetime, limits: Limits) -> bool:
    """Known for long, and not called for as long."""
    return at - max(facts.known_since, facts.last_used_at or facts.known_since) >= limits.unused


def _counts(calls: Sequence[Call]) -> dict[str, Any]:
    by_kind = Counter(one.outcome for one in calls)
    failed = Counter(one.error_class or ToolErrorClass.unknown for one in calls if one.outcome is T.execution_error)
    return {
        "outcomes": len(calls),
        "successes": by_kind[T.success],
        "execution_errors": by_kind[T.execution_error],
        "errors": tuple(ErrorCount(kind, failed[kind]) for kind in ToolErrorClass if failed[kind]),
        "wrong_tool_boundary_recent": by_kind[T.wrong_tool_boundary],
        "low_utility_recent": by_kind[T.low_utility],
        "user_corrections_recent": sum(one.corrected for one in calls),
    }


def _methods(calls: Iterable[Call]) -> list[str | None]:
    return sorted({one.method for one in calls}, key=lambda key: (key is None, key or ""))


def _method(key: str | None, calls: Iterable[Call], limits: Limits) -> MethodHealth:
    own = [one for one in calls if one.method == key]
    return MethodHealth(
        **_counts(own),
        method_key=key,
        low_utility_rate=utility_rate(own, limits),
        failure_rate=failure_rate(own),
        standing=_of_calls(own, limits),
    )


def _of_calls(calls: Sequence[Call], limits: Limits) -> ToolStanding:
    if is_demoted(calls, limits):
        return ToolStanding.demoted
    return ToolStanding.failing if is_failing(calls, limits) else ToolStanding.reliable


def _standing(facts: ToolFacts, calls: Sequence[Call], at: datetime, limits: Limits) -> tuple[ToolStanding, str]:
    if not calls:
        if is_unused(facts, at, limits):
            return ToolStanding.unused, f"It has not been called for {limits.unused.days} days or more."
        return ToolStanding.unknown, f"No call of the last {limits.window.days} days is known."
    found = _of_calls(calls, limits)
    if found is ToolStanding.demoted:
        rate = utility_rate(calls, limits)
        weak = sum(is_judged(one) and is_weak(one) for one in calls)
        return found, (
            f"{weak} of {len(calls)} calls gave little; weighed and smoothed that is {rate.rate:.2f}, above "
            f"{limits.utility_rate:.2f}."
        )
    if found is ToolStanding.failing:
        rate = failure_rate(calls)
        unknown = sum(one.error_class is ToolErrorClass.unknown for one in calls)
        why = "by its own fault" + (f" or, {unknown} of them, for a reason that is not known" if unknown else "")
        return found, f"{rate.count} of {rate.of} calls failed {why}, smoothed {rate.rate:.2f}."
    return found, f"Neither low utility nor failures of its own are repeated in {len(calls)} calls."


def _cohesion_why(calls: Sequence[Call], limits: Limits) -> str:
    referred = sum(one.outcome is T.wrong_tool_boundary for one in calls)
    return (
        f"{referred} referrals on {len(axes_of(calls))} axes in {len(calls)} calls; a warning needs "
        f"{limits.boundary_failures} on {limits.boundary_axes}, and {limits.boundary_share:.0%} of the calls."
    )


def _refers_too_often(calls: Sequence[Call], limits: Limits) -> bool:
    referred = sum(one.outcome is T.wrong_tool_boundary for one in calls)
    enough = referred >= limits.boundary_failures
    return enough and smoothed(referred, len(calls)).rate > limits.referral_rate


def _pressure(some: Sequence[Call], calls: Sequence[Call]) -> float:
    """None without a case; else how many, smoothed."""
    return smoothed(len(some), len(calls)).rate if some else 0.0
