"""Which tools to make anew first, and which to repair: two lists, each with what presses for it. Pure."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar

from graph_schema.tools.words import ToolErrorClass, ToolStanding, UtilityTrend
from service.tools.health.rules import OWN_FAULT, ToolHealth
from service.views import Id, Linked


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolPriority:
    """A tool that its recent calls press for doing something about."""

    tool_id: Annotated[Id, "Id of the tool."]
    name: Annotated[str, "What people call it."]
    priority: Annotated[float, "How much, from 0 to 1."]
    reasons: Annotated[tuple[str, ...], "What presses for it, with its counts."]
    standing: Annotated[ToolStanding, "What its recent calls come to."]
    utility_trend: Annotated[UtilityTrend, "Whether what it gives is becoming better or worse."]
    outcomes: Annotated[int, "Calls that were looked at."]
    recommendation_ids: Annotated[tuple[Id, ...], "Ids of what is recommended about it and open, or accepted."]
    tool: ClassVar = Linked("tool_id", "The tool itself.", "Tool")
    recommendations: ClassVar = Linked(
        "recommendation_ids", "What is recommended about it.", "Recommendation", many=True
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolPriorities:
    """What to do first about tools, from what you may see of their recent calls."""

    regenerate: Annotated[tuple[ToolPriority, ...], "To make anew: low utility, users who asked again, referrals."]
    repair: Annotated[tuple[ToolPriority, ...], "To repair: failures of their own. The two are counted apart."]
    looked_at: Annotated[int, "Tools that were looked at."]
    truncated: Annotated[bool, "Whether there are more tools than were looked at."]
    rules: Annotated[str, "Name and version of the rules of health."]


Reasons = Callable[[ToolHealth], Iterator[str]]


def to_regenerate(healths: Iterable[ToolHealth], advice: dict[str, list[str]], first: int) -> tuple[ToolPriority, ...]:
    return _ranked(healths, lambda one: one.regeneration_priority, _why_anew, advice, first)


def to_repair(healths: Iterable[ToolHealth], advice: dict[str, list[str]], first: int) -> tuple[ToolPriority, ...]:
    return _ranked(healths, lambda one: one.repair_priority, _why_repair, advice, first)


def _ranked(
    healths: Iterable[ToolHealth],
    pressure: Callable[[ToolHealth], float],
    why: Reasons,
    advice: dict[str, list[str]],
    first: int,
) -> tuple[ToolPriority, ...]:
    """The strongest pressure first; of the same, what was seen more often."""
    pressed = [one for one in healths if pressure(one) > 0]
    ranked = sorted(pressed, key=lambda one: (-pressure(one), -one.outcomes, one.name, one.tool_id))[:first]
    return tuple(
        ToolPriority(
            tool_id=one.tool_id,
            name=one.name,
            priority=pressure(one),
            reasons=tuple(why(one)),
            standing=one.standing,
            utility_trend=one.utility_trend,
            outcomes=one.outcomes,
            recommendation_ids=tuple(advice.get(one.tool_id, ())),
        )
        for one in ranked
    )


def _why_anew(one: ToolHealth) -> Iterator[str]:
    if one.low_utility_recent:
        yield f"{one.low_utility_recent} of {one.outcomes} calls gave little, by its own word."
    if one.user_corrections_recent:
        yield f"After {one.user_corrections_recent} of {one.outcomes} calls the user asked again."
    if one.wrong_tool_boundary_recent:
        axes = ", ".join(one.boundary_axes_top)
        yield f"{one.wrong_tool_boundary_recent} of {one.outcomes} calls were handed back, on {axes}."
    if one.cohesion_warning:
        yield "Its referrals show that it does several jobs in one."
    if one.utility_trend is UtilityTrend.falling:
        yield "What it gives is becoming worse."


def _why_repair(one: ToolHealth) -> Iterator[str]:
    own = {each.error_class: each.count for each in one.errors if each.error_class in OWN_FAULT}
    if count := own.get(ToolErrorClass.tool):
        yield f"{count} of {one.outcomes} calls failed by its own fault."
    if count := own.get(ToolErrorClass.unknown):
        yield f"{count} of {one.outcomes} calls failed for a reason that is not known."
