"""What holds for a class of context now, and why. A query: it stores nothing."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, ClassVar

from graph_schema.model.fields import KEY_LENGTH
from graph_schema.routing.agent import TASK_AGENT
from service import clock
from service.access.viewer import Viewer
from service.commands.errors import InputInvalid
from service.graph.database import Database, Row
from service.routing.feedback import cypher
from service.routing.feedback.rules import DAY, Limits, Standing, Tally, may_suggest, standing
from service.views import Id, Linked, Time

MOST_SHOWN = 200
"""More suggestions of one day than any limit allows are not looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutingState:
    """What people made of suggestions in a class of context, and what holds for unasked ones because of it."""

    context_class: Annotated[str, "The class of context."]
    known: Annotated[bool, "Whether anything was counted for it yet."] = False
    muted: Annotated[bool, "Whether suggestions that nobody asked for are muted. What is asked for never is."] = False
    boosted: Annotated[bool, "Whether such suggestions are welcome, as far as responses tell."] = False
    learned: Annotated[bool, "Whether the Task Agent's profile lets what was learned bear on suggestions."] = True
    why: Annotated[str, "Why it is so, in a sentence."]
    refusals: Annotated[int, "Refusals in all, as far as you may see."] = 0
    acceptances: Annotated[int, "Acceptances in all, as far as you may see."] = 0
    muted_since: Annotated[Time | None, "Since when they are muted."] = None
    refusals_left: Annotated[int, "Refusals that acceptances have yet to outweigh."] = 0
    suggestions_today: Annotated[int, "Unasked suggestions of this class that your key has shown within a day."] = 0
    suggestions_today_all: Annotated[int, "The same of all classes."] = 0
    may_suggest: Annotated[bool, "Whether the limits of a day leave room for another."] = True
    lifted_at: Annotated[Time | None, "When a person last began the count anew."] = None
    lift_reason: Annotated[str | None, "Why they did."] = None
    evidence_ids: Annotated[tuple[Id, ...], "Ids of the traces and feedback that were counted last."] = ()
    evidence: ClassVar = Linked("evidence_ids", "The traces and feedback that were counted last.", many=True)


class RoutingStates:
    def __init__(self, database: Database, limits: Limits) -> None:
        self._database = database
        self._limits = limits

    async def of(self, viewer: Viewer, context_class: str, at: datetime | None = None) -> RoutingState:
        """What holds for the class at a moment. Of what is hidden from the viewer nothing counts."""
        check_class(context_class, "context_class")
        moment = clock.stamp(at) if at else clock.now()
        [row] = await self._database.read(
            cypher.STATE,
            context_class=context_class,
            principal=viewer.principal_id,
            since=clock.stamp(clock.parse(moment) - DAY),
            at=moment,
            most=MOST_SHOWN,
            agent=TASK_AGENT,
            audiences=viewer.audiences,
        )
        return _state(context_class, row, self._limits)


def check_class(context_class: str, field: str) -> None:
    if not context_class.strip():
        raise InputInvalid(field, "name the class of context, such as complaint/review/legal")
    if len(context_class) > KEY_LENGTH:
        raise InputInvalid(field, f"has {len(context_class):,} characters; at most {KEY_LENGTH} name a class")


def tally_of(row: Mapping[str, Any]) -> Tally:
    return Tally(
        refusals=row["refusals"],
        acceptances=row["acceptances"],
        open_refusals=tuple(row["open_refusals"]),
        open_acceptances=tuple(row["open_acceptances"]),
        last_refused_at=row.get("last_refused_at"),
        last_accepted_at=row.get("last_accepted_at"),
        muted_since=row.get("muted_since"),
        weight=row["weight"],
    )


def _state(context_class: str, row: Row, limits: Limits) -> RoutingState:
    tallies: list[Row] = sorted(row["tallies"], key=lambda one: one["updated_at"], reverse=True)
    found = standing([tally_of(one) for one in tallies], limits)
    shown = _shown(row["shown"])
    in_class, in_all = shown[context_class], sum(shown.values())
    lifted = max((one for one in tallies if one.get("lifted_at")), key=lambda one: one["lifted_at"], default=None)
    learned: bool = row["learned"]
    return RoutingState(
        context_class=context_class,
        known=bool(tallies),
        muted=found.muted and learned,
        boosted=found.boosted and learned,
        learned=learned,
        why=_why(found, limits, learned=learned),
        refusals=found.refusals,
        acceptances=found.acceptances,
        muted_since=found.muted_since,
        refusals_left=max(0, found.weight),
        suggestions_today=in_class,
        suggestions_today_all=in_all,
        may_suggest=may_suggest(in_class, in_all, limits),
        lifted_at=lifted["lifted_at"] if lifted else None,
        lift_reason=lifted.get("lift_reason") if lifted else None,
        evidence_ids=tuple(id_ for one in tallies for id_ in one["evidence_ids"]),
    )


def _shown(rows: Iterable[Row]) -> Counter[str]:
    """Suggestions by class. A trace and feedback on the same request tell of one suggestion."""
    told: dict[tuple[str, str], Counter[bool]] = {}
    for one in rows:
        told.setdefault((one["context_class"], one["request"]), Counter())[one["traced"]] += 1
    found: Counter[str] = Counter()
    for (context_class, _), ways in told.items():
        found[context_class] += max(ways.values())
    return found


def _why(found: Standing, limits: Limits, *, learned: bool) -> str:
    said = _told(found, limits)
    return said if learned else f"{said} The Task Agent's profile leaves what was learned out of account."


def _told(found: Standing, limits: Limits) -> str:
    within = f"within {limits.window.days} days"
    if found.muted:
        return (
            f"Suggestions were refused {limits.refusals} times or more {within} without an acceptance between. "
            f"{_times(found.weight, 'refusal')} left to outweigh; an acceptance outweighs {limits.outweighs}."
        )
    if found.boosted:
        return f"Suggestions were accepted {limits.acceptances} times or more {within} without a refusal between."
    if found.refusals or found.acceptances:
        counted = f"{_times(found.refusals, 'refusal')} and {_times(found.acceptances, 'acceptance')}"
        return f"Neither muted nor boosted: {counted} so far."
    return "Nothing was counted for this class of context that you may see."


def _times(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
