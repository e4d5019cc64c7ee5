"""Agent events in batches of 500 by 4 clients against a bare UNWIND of the same; decisions; and how soon they come."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any, LiteralString

from graph_schema.attention.words import OperatingMode
from graph_schema.registry import REGISTRY
from service import clock
from service.access.viewer import Viewer
from service.attention.answers import AttentionAnswers
from service.attention.deciding import cypher
from service.attention.deciding.commands import Attention
from service.attention.deciding.read import MOST_EVENTS as MOST_READ
from service.attention.inbox.waits import InboxWaits
from service.attention.pipeline.facts import AttentionLimits
from service.attention.reporting.commands import AgentEvents
from service.attention.reporting.events import understood
from service.attention.reporting.sessions import SessionState, begun, handle_of
from service.commands import Commands, RecordRef
from service.commands.ground import event_row
from service.graph.database import Database, Transaction
from service.memory.reporting.answers import ReportOutcome
from service.memory.reporting.commands import MOST_EVENTS
from service.memory.reporting.events import latest_at
from service.runtime.compose import services_alone
from tests.bench.measure import in_turns, timing
from tests.bench.report import Report
from tests.bench.reporting import LINKS, NODES
from tests.bench.setting import Setting

CLIENTS = 4
ROUNDS = 5
BATCHES_EACH = 8
DECISIONS = 30
SOON = 15
RAISED: LiteralString = "MATCH (d:AttentionDirective {session_id: $session}) RETURN count(d) AS count"
SURFACE = "bench_tool"

Event = dict[str, Any]


async def measure(setting: Setting, report: Report) -> None:
    viewer = await setting.viewer(setting.key)
    await _reporting(setting.database, viewer, report)
    await _deciding(setting, report)
    await _soon(setting, report)


def batch(session: str, number: int = MOST_EVENTS, at: datetime | None = None) -> list[Event]:
    """Events of a session: what the user does, and what a component finds."""
    start = (at or datetime.now(UTC)) - timedelta(seconds=number)
    kinds: tuple[tuple[str, Event], ...] = (
        ("user_action", {"action": "open", "target_id": "panel"}),
        ("tool_rendered", {"active_panels": ["a", "b"], "visible_traces": ["x"], "primary_trace_id": "x"}),
        ("analysis_completed", {"result": "What was measured."}),
        ("attention_requested", {"summary": "Something odd", "confidence": 0.7}),
    )
    return [
        {
            "event_id": f"{place}",
            "event_type": kinds[place % len(kinds)][0],
            "occurred_at": clock.stamp(start + timedelta(seconds=place)),
            "session": {"source": "bench", "key": session},
            "component": SURFACE,
            "payload": kinds[place % len(kinds)][1],
        }
        for place in range(number)
    ]


async def _reporting(database: Database, viewer: Viewer, report: Report) -> None:
    """Both in turns, each time with sessions that nobody has seen."""
    events = AgentEvents(database, lambda _new: None, lambda: None)
    numbers = count()

    async def reported(part: list[Event]) -> None:
        answers = await events.report(viewer, part)
        assert all(one.outcome is ReportOutcome.accepted for one in answers), answers[0]

    async def bare(part: dict[str, list[Any]]) -> None:
        async def write(transaction: Transaction) -> None:
            await transaction.run(NODES, rows=part["nodes"])
            await transaction.run(LINKS, rows=part["links"])

        await database.write(write)

    spent = {"reported": 0.0, "bare": 0.0}
    for turn in range(ROUNDS + 1):
        parts = [batch(f"r{next(numbers)}") for _ in range(BATCHES_EACH)]
        rows = [_rows(viewer, batch(f"b{next(numbers)}")) for _ in range(BATCHES_EACH)]
        times = await _timed(parts, reported), await _timed(rows, bare)
        if turn:  # the first is for the caches
            spent["reported"] += times[0]
            spent["bare"] += times[1]
    total = ROUNDS * BATCHES_EACH * MOST_EVENTS
    note = f"{total / spent['reported']:,.0f} events a second against {total / spent['bare']:,.0f}"
    name = f"agent events in batches of {MOST_EVENTS} by {CLIENTS} clients"
    report.add(name, spent["bare"] / spent["reported"], "of the floor", bar=0.5, at_least=True, note=note)


def _rows(viewer: Viewer, events: list[Event]) -> dict[str, list[Any]]:
    """What these events become, as rows for a driver that knows it all beforehand."""
    latest, at = latest_at(datetime.now(UTC)), clock.now()
    state: SessionState | None = None
    links: list[Any] = []
    for place, raw in enumerate(events):
        event = understood(place, raw, latest, None)
        state = state or begun(event, handle_of(event, viewer.principal_id), viewer, at)
        row = state.take(event, state.access, viewer, at)
        links.append({"tail": row["id"], "type": "HEARD_IN", "head": state.id, "properties": {}})
    assert state
    nodes = [{"labels": ["AttentionSession", "Record"], "properties": {**state.values, "due_at": None}}]
    nodes += [{"labels": ["AgentEvent", "Record"], "properties": one} for one in state.rows]
    told = event_row("attention.events_reported", "AttentionSession", state.values, principal_id="", command_id="")
    nodes.append({"labels": ["Event", "Unnumbered"], "properties": told})
    return {"nodes": nodes, "links": links}


async def _timed(parts: list[Any], work: Callable[[Any], Awaitable[None]]) -> float:
    waiting = list(parts)

    async def client() -> None:
        while waiting:
            await work(waiting.pop())

    started = time.perf_counter()
    await asyncio.gather(*(client() for _ in range(CLIENTS)))
    return time.perf_counter() - started


async def _deciding(setting: Setting, report: Report) -> None:
    database = setting.database
    events = AgentEvents(database, lambda _new: None, lambda: None)
    limits, services = AttentionLimits(), services_alone(database)
    attention = Attention(Commands(database, REGISTRY, lambda _new: None), database, limits, services[InboxWaits])
    viewer = await setting.viewer(setting.key)
    for part in (0, 1):
        made = batch("decided", 1_000)[part * MOST_EVENTS : (part + 1) * MOST_EVENTS]
        session = (await events.report(viewer, made))[0].session_id
    viewer = await setting.viewer(setting.key)
    assert session

    async def decide() -> None:
        await attention.decide(viewer, RecordRef(id=session))

    async def bare() -> None:
        known = {"at": clock.now(), "most": MOST_READ, "few": limits.first_time_sessions}
        await database.read(cypher.DECISION_FACTS, session=session, audiences=viewer.audiences, **known)

    times = await in_turns({"decide": decide, "bare": bare}, rounds=DECISIONS, warm=10)
    ratio = times["decide"].p50_ms / times["bare"].p50_ms
    note = f"p50 {times['decide'].p50_ms:.1f} ms against {times['bare'].p50_ms:.1f} ms"
    report.add("a decision over 1,000 events, kept", ratio, "times bare", bar=3, note=note)


async def _soon(setting: Setting, report: Report) -> None:
    """From the report to the directive, by the running service alone."""
    database, viewer = setting.database, await setting.viewer(setting.key)
    events = AgentEvents(database, lambda _new: None, lambda: None)
    commands = Commands(database, REGISTRY, lambda _new: None)
    await AttentionAnswers(commands, lambda: None).set_mode(viewer, SURFACE, OperatingMode.advisory, None)
    waited: list[float] = []
    for number in range(SOON + 1):
        started = time.perf_counter()
        session = (await events.report(viewer, batch(f"soon{number}", 8)))[0].session_id
        while not (await database.read(RAISED, session=session))[0]["count"]:  # noqa: ASYNC110 - nobody tells it
            await asyncio.sleep(0.02)
        if number:
            waited.append((time.perf_counter() - started) * 1_000)
    found = timing(waited)
    note = f"p50 {found.p50_ms:.0f} ms; the report came by another process"
    report.add("from events to a directive, p95", found.p95_ms / 1_000, "seconds", bar=2, note=note)
