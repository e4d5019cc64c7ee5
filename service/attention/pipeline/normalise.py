"""The first step: the events of a session, as one picture of session, tool, view and user at a moment."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from operator import attrgetter
from typing import Any

from graph_schema.attention.words import AgentEventType as Type
from service.attention.pipeline.facts import Facts, Heard

SESSION, TOOL = "NORMALIZE_SESSION_v1", "NORMALIZE_TOOL_v1"
_SHOWING = frozenset({Type.tool_rendered, Type.analysis_completed, Type.artifact_created})
BY_TIME = attrgetter("at", "event_id")
"""As `Heard.order`."""

UNDO = "undo"
ASKING = frozenset({"ask", "help"})


@dataclass(frozen=True, slots=True)
class Context:
    """What is going on. `events` are those of the stretch of work that is under way, by their own time.

    `started_at`: since when what was raised counts for the limits.
    """

    session_id: str
    at: datetime
    events: tuple[Heard, ...]
    ended: bool
    component: str | None = None
    last_action: Heard | None = None
    last_active_at: datetime | None = None
    action_count: int = 0
    undo_count: int = 0
    asked_at: datetime | None = None
    view: Mapping[str, Any] | None = None
    last_result: Heard | None = None
    first_time: frozenset[str] = frozenset()
    started_at: datetime | None = None

    def values(self) -> dict[str, Any]:
        """What rules may speak of beside what an event says."""
        view = self.view or {}
        panels, traces = view.get("active_panels", []), view.get("visible_traces", [])
        return {
            "session_id": self.session_id,
            "visible_panels": len(panels),
            "visible_traces": len(traces),
            "primary_panel_id": view.get("primary_panel_id") or (panels[0] if panels else None),
            "primary_trace_id": view.get("primary_trace_id") or (traces[0] if traces else None),
            "undo_count": self.undo_count,
            "action_count": self.action_count,
        }


def normalise(facts: Facts) -> Context:
    if facts.waits is not None:
        return Context(facts.session_id, facts.at, (), ended=False, started_at=facts.at - facts.limits.life)
    known = sorted((one for one in facts.events if one.at <= facts.at), key=BY_TIME)
    events = _stretch(known, facts.limits.idle)
    started = _started(facts, known, events)
    if not events or events[-1].ends or facts.at - events[-1].at > facts.limits.idle:
        return Context(facts.session_id, facts.at, tuple(events), ended=True, started_at=started)
    actions = [one for one in events if one.type is Type.user_action]
    showing = [one for one in events if one.type in _SHOWING]
    asked = [one.at for one in actions if one.payload.get("action") in ASKING]
    return Context(
        session_id=facts.session_id,
        at=facts.at,
        events=tuple(events),
        ended=False,
        component=(showing or events)[-1].component,
        last_action=actions[-1] if actions else None,
        last_active_at=_last_active(facts, actions),
        action_count=len(actions),
        undo_count=sum(one.payload.get("action") == UNDO for one in actions),
        asked_at=asked[-1] if asked else None,
        view=_view(events),
        last_result=next((one for one in reversed(events) if one.type is Type.analysis_completed), None),
        first_time=frozenset(_first_time(facts, events)),
        started_at=started,
    )


def _stretch(events: Sequence[Heard], idle: timedelta) -> list[Heard]:
    """The last stretch of work: an end that was told, or a long silence, begins another."""
    found: list[Heard] = []
    for one in events:
        if found and (found[-1].ends or one.at - found[-1].at > idle):
            found = []
        found.append(one)
    return found


def _started(facts: Facts, known: Sequence[Heard], events: Sequence[Heard]) -> datetime | None:
    """The stretch's first event. Where it reaches back beyond those that are looked at, all of the session counts."""
    if not events:
        return None
    reaches_back = facts.began is not None and events[0] is known[0]
    return min(events[0].at, facts.began) if reaches_back and facts.began else events[0].at


def _last_active(facts: Facts, actions: Sequence[Heard]) -> datetime | None:
    """To answer a directive is to act, too; without an action of their own nobody is known to be there."""
    if not actions:
        return None
    answers = [one.answered_at for one in facts.raised if one.answered_at and one.answered_at <= facts.at]
    return max(actions[-1].at, *answers) if answers else actions[-1].at


def _view(events: Iterable[Heard]) -> Mapping[str, Any]:
    """What is shown, as far as it was told: what a later event leaves out has not changed."""
    shown: dict[str, Any] = {}
    for one in events:
        if one.type is Type.tool_rendered:
            shown |= one.payload
    return shown


def _first_time(facts: Facts, events: Sequence[Heard]) -> Iterable[str]:
    said = [one.payload["first_time"] for one in events if "first_time" in one.payload]
    for component in {one.component for one in events}:
        few = facts.sessions.get(component, 1) < facts.limits.first_time_sessions
        if said[-1] if said else few:
            yield component
