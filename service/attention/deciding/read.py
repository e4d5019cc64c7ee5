"""Facts of a decision: from the graph, and from what was kept of it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any

import orjson

from graph_schema.attention.words import (
    AgentEventType,
    AttentionMoment,
    DirectiveState,
    OperatingMode,
    PreferenceDimension,
    ViewCommand,
)
from graph_schema.library.words import CapabilityState
from service import clock
from service.attention.pipeline.facts import (
    AttentionLimits,
    Dimension,
    Facts,
    Heard,
    Raised,
    UserState,
    ViewRights,
    Waits,
)
from service.attention.rules.policies import Rules
from service.graph.database import Row

MOST_EVENTS = 2_000
"""Events of a session that a decision looks at: the last by their own time."""


_TYPES = {one.value: one for one in AgentEventType}
"""Found by its value faster than made of it: every decision reads a session's events."""


def facts_of(
    row: Row, at: datetime, ours: Rules, limits: AttentionLimits, waits: Sequence[Waits] | None = None
) -> Facts:
    """From what `DECISION_FACTS` tells."""
    events = heard_of(row["events"])
    return Facts(
        session_id=row["session"]["id"],
        at=at,
        events=events,
        rules=ours.with_domain(row["rules"]),
        user=user_of(row["model"]),
        modes={surface: OperatingMode(mode) for surface, mode in row["modes"]},
        capabilities={one[0]: _rights(*one[1:]) for one in row["capabilities"]},
        raised=(*(_raised(one) for one in row["directives"]), *_thought_of(row["withheld"], limits)),
        sessions={one[0]: one[1] for one in row["sessions"]},
        limits=limits,
        began=clock.parse(row["session"]["started_at"]) if len(events) >= MOST_EVENTS else None,
        waits=None if waits is None else tuple(waits),
        to_come=_time(row["to_come"]),
    )


def heard_of(rows: Iterable[Sequence[Any]]) -> tuple[Heard, ...]:
    return tuple(
        Heard(record, event, _TYPES[kind], clock.parse(at), component, orjson.loads(payload), ends)
        for _, record, event, kind, at, component, payload, ends, *_ in rows
    )


def user_of(model: Mapping[str, Any] | None) -> UserState:
    told = model or {}
    return {
        one: Dimension(told.get(one.value, Dimension().value), told.get(f"{one.value}_confidence", 0.0))
        for one in PreferenceDimension
    }


def _rights(require: bool | None, allowed: Sequence[str] | None, state: str | None) -> ViewRights:
    """A capability of which nothing was said asks a person."""
    return ViewRights(
        require_confirmation=require is not False,
        allowed=frozenset(ViewCommand(one) for one in allowed or ()),
        usable=state in (None, CapabilityState.up),
    )


def _raised(one: Mapping[str, Any]) -> Raised:
    return Raised(
        moment=AttentionMoment(one["moment"]),
        subject=one["subject"],
        evidence=frozenset(one["evidence"]),
        at=clock.parse(one["raised_at"]),
        expires_at=clock.parse(one["expires_at"]),
        state=DirectiveState(one["directive_state"]),
        snoozed_until=_time(one["snoozed_until"]),
        answered_at=_time(one["answered_at"]),
        critical=one["critical"],
        id=one["id"],
    )


def _thought_of(withheld: Iterable[Sequence[str]], limits: AttentionLimits) -> Iterable[Raised]:
    """What would have been raised in shadow mode, from the traces of those decisions."""
    for decided_at, answer in withheld:
        at = clock.parse(decided_at)
        for one in answer_of(answer).get("output", ()):
            if one["mode"] == OperatingMode.shadow:
                moment, evidence = AttentionMoment(one["moment"]), frozenset[str](one["evidence"])
                yield Raised(moment, one["subject"], evidence, at, at + limits.life, critical=one["critical"])


def kept_facts(facts: Facts) -> dict[str, Any]:
    """All but the events, as plain values."""
    return {
        "at": clock.stamp(facts.at),
        "user": {one.value: [known.value, known.confidence] for one, known in facts.user.items()},
        "modes": {surface: mode.value for surface, mode in facts.modes.items()},
        "capabilities": {
            name: [one.require_confirmation, sorted(one.allowed), one.usable]
            for name, one in facts.capabilities.items()
        },
        "raised": [_plain(one) for one in facts.raised],
        "sessions": dict(facts.sessions),
        "limits": {
            name: one.total_seconds() if isinstance(one, timedelta) else one
            for name, one in asdict(facts.limits).items()
        },
        "rules": [dict(one) for one in facts.rules.domain],
        "began": clock.stamp(facts.began) if facts.began else None,
        "waits": None if facts.waits is None else [_waits_plain(one) for one in facts.waits],
    }


def known_facts(session_id: str, kept: Mapping[str, Any], events: tuple[Heard, ...], ours: Rules) -> Facts:
    """Facts as they were when they were kept."""
    limits: Mapping[str, Any] = kept["limits"]
    return Facts(
        session_id=session_id,
        at=clock.parse(kept["at"]),
        events=events,
        rules=ours.with_domain(kept["rules"]),
        user={PreferenceDimension(name): Dimension(*one) for name, one in kept["user"].items()},
        modes={surface: OperatingMode(mode) for surface, mode in kept["modes"].items()},
        capabilities={
            name: ViewRights(require, frozenset(ViewCommand(one) for one in allowed), usable)
            for name, (require, allowed, usable) in kept["capabilities"].items()
        },
        raised=tuple(_unplain(one) for one in kept["raised"]),
        sessions=kept["sessions"],
        limits=AttentionLimits(
            idle=timedelta(seconds=limits["idle"]),
            directives=limits["directives"],
            first_time_sessions=limits["first_time_sessions"],
            life=timedelta(seconds=limits["life"]),
        ),
        began=_time(kept.get("began")),
        waits=_waits_of(kept.get("waits")),
    )


def spans_of(places: Iterable[int]) -> str:
    """Numbers as spans: 1-5 7 9-12."""
    found: list[list[int]] = []
    for one in sorted(places):
        if found and found[-1][1] == one - 1:
            found[-1][1] = one
        else:
            found.append([one, one])
    return " ".join(f"{first}-{last}" for first, last in found)


def read_spans(text: str) -> list[list[int]]:
    return [[int(part) for part in one.split("-")] for one in text.split()]


def _waits_plain(one: Waits) -> list[Any]:
    named = [one.moment.value, one.component, one.about, clock.stamp(one.since), one.type.value, dict(one.payload)]
    return [*named, one.put.value if one.put else None]


def _waits_of(kept: Sequence[Sequence[Any]] | None) -> tuple[Waits, ...] | None:
    if kept is None:
        return None
    return tuple(
        Waits(
            moment=AttentionMoment(moment),
            component=component,
            about=about,
            since=clock.parse(since),
            type=AgentEventType(kind),
            payload=payload,
            put=DirectiveState(put) if put else None,
        )
        for moment, component, about, since, kind, payload, put in kept
    )


def _plain(one: Raised) -> list[Any]:
    times = (one.at, one.expires_at, one.snoozed_until, one.answered_at)
    known = [one.moment.value, one.subject, sorted(one.evidence), one.state.value, one.critical, one.id]
    return [*known, *(clock.stamp(time) if time else None for time in times)]


def _unplain(one: Sequence[Any]) -> Raised:
    moment, subject, evidence, state, critical, record, at, expires_at, snoozed_until, answered_at = one
    return Raised(
        AttentionMoment(moment),
        subject,
        frozenset(evidence),
        clock.parse(at),
        clock.parse(expires_at),
        DirectiveState(state),
        _time(snoozed_until),
        _time(answered_at),
        critical,
        record,
    )


def _time(text: str | None) -> datetime | None:
    return clock.parse(text) if text else None


def answer_of(answer: str) -> dict[str, Any]:
    """What was erased since tells nothing."""
    try:
        return orjson.loads(answer)
    except orjson.JSONDecodeError:
        return {}
