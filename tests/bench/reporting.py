"""Reporting in batches of 500 by 4 clients, against a bare driver that writes the same nodes and links by UNWIND."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any, LiteralString

from graph_schema.registry import REGISTRY
from service import clock, collector
from service.access.viewer import Viewer
from service.graph.database import Database, Transaction
from service.memory.reporting.answers import ReportOutcome
from service.memory.reporting.changes import Changes
from service.memory.reporting.commands import MOST_EVENTS, Reporting
from service.memory.reporting.effects import effects_of
from service.memory.reporting.events import latest_at, understood
from service.memory.reporting.fold import fold
from service.memory.reporting.policy import Rules, RunPolicy, settled
from service.memory.reporting.world import RunState, World
from tests.bench.report import Report
from tests.bench.setting import Setting

CLIENTS = 4
MODULES = 10
ARTIFACTS_EACH = 2
ROUNDS = 5
BATCHES_EACH = 8
START = datetime(2026, 1, 1, tzinfo=UTC)
POLICY: dict[str, Any] = {"memory_mode": "standard", "data_class": "internal", "matter_ids": []}

NODES: LiteralString = """
UNWIND $rows AS row
CREATE (n:$(row.labels)) SET n = row.properties
"""
LINKS: LiteralString = """
UNWIND $rows AS row
MATCH (tail:Record {id: row.tail})
MATCH (head:Record {id: row.head})
CREATE (tail)-[r:$(row.type)]->(head) SET r = row.properties
"""

Event = dict[str, Any]
Write = Callable[[list[Event]], Awaitable[None]]


@dataclass(frozen=True)
class Rates:
    """Events a second."""

    reported: float
    bare: float

    @property
    def ratio(self) -> float:
        return self.reported / self.bare


async def measure(setting: Setting, report: Report) -> None:
    collector.calm()
    rates = await rates_of(setting.database, await setting.viewer(setting.key))
    note = f"{rates.reported:,.0f} events a second against {rates.bare:,.0f}"
    name = f"reporting in batches of {MOST_EVENTS} by {CLIENTS} clients"
    report.add(name, rates.ratio, "of the floor", bar=0.5, at_least=True, note=note)


async def rates_of(database: Database, viewer: Viewer) -> Rates:
    """Both in turns, each time with runs that nobody has seen, of sources of their own."""
    reporting = Reporting(database, REGISTRY, lambda _new: None)

    async def report(events: list[Event]) -> None:
        answers = await reporting.report(viewer, events)
        assert all(one.outcome is ReportOutcome.accepted for one in answers), answers[0]

    numbers = count()
    spent = {"reported": 0.0, "bare": 0.0}
    for turn in range(ROUNDS + 1):
        batches = [batch(next(numbers)) for _ in range(BATCHES_EACH)]
        rows = [_rows(viewer, batch(next(numbers))) for _ in range(BATCHES_EACH)]
        reported = await timed(batches, report)
        bare = await timed(rows, lambda part: bare_write(database, part))
        if turn:  # the first is for the caches
            spent["reported"] += reported
            spent["bare"] += bare
    events = ROUNDS * BATCHES_EACH * MOST_EVENTS
    return Rates(events / spent["reported"], events / spent["bare"])


async def timed(parts: list[Any], work: Callable[[Any], Awaitable[None]]) -> float:
    waiting = list(parts)

    async def client() -> None:
        while waiting:
            await work(waiting.pop())

    started = time.perf_counter()
    await asyncio.gather(*(client() for _ in range(CLIENTS)))
    return time.perf_counter() - started


async def bare_write(database: Database, part: dict[str, list[Any]]) -> None:
    async def write(transaction: Transaction) -> None:
        await transaction.run(NODES, rows=part["nodes"])
        await transaction.run(LINKS, rows=part["links"])

    await database.write(write)


def batch(number: int) -> list[Event]:
    """500 events of some runs of one source."""
    source = f"bench-{number}"
    found: list[Event] = []
    for run in count():
        found += _run(source, f"{source}-run-{run}")
        if len(found) >= MOST_EVENTS:
            return found[:MOST_EVENTS]
    raise AssertionError("unreachable")


def _run(source: str, key: str) -> Iterator[Event]:
    moments = (clock.stamp(START + timedelta(seconds=second)) for second in count())
    numbers = count()

    def event(kind: str, **values: Any) -> Event:
        shared = {"event_id": f"{next(numbers)}", "kind": kind, "occurred_at": next(moments)}
        return {**shared, "run": {"source": source, "key": key}, "policy": POLICY, **values}

    yield event("run_started", task_key=f"{source}-task", trigger_kind="manual", workflow_summary="A run of the bench.")
    for module in range(MODULES):
        step = {"module_key": f"m{module}", "activation_seq": 1}
        yield event("activation_started", **step, module_type="agent")
        for artifact in range(ARTIFACTS_EACH):
            name = f"{key}-{module}-{artifact}"
            made = {"artifact_key": name, "artifact_kind": "text_output", "name": name, "summary": "What was made."}
            yield event("artifact_produced", **step, **made, storage_ref=f"file:///{name}", port_name="out")
        yield event("activation_completed", **step, cost_usd=0.01, output_summary=["Done."])
    yield event("run_completed")


def _rows(viewer: Viewer, events: list[Event]) -> dict[str, list[Any]]:
    """What these events become, as rows for a driver that knows it all beforehand."""
    rules = Rules(settled(RunPolicy.model_validate(POLICY)))
    world = World(REGISTRY, viewer, clock.now())
    items: list[Any] = []
    latest = latest_at(datetime.now(UTC))
    for place, raw in enumerate(events):
        event = understood(place, raw, latest)
        handle = ("Run", raw["run"]["source"], raw["run"]["key"])
        world.runs.setdefault(handle, RunState(handle, f"run_{raw['run']['key']}", rules))
        items.append((event, effects_of(REGISTRY, rules, handle, event)))
    reports, records, _, links, *_, heard = (rows for _, rows in Changes(world, fold(world, items)).writes())
    nodes = [*records, *({"labels": ["Report"], "properties": one} for one in reports)]
    nodes += [{"labels": ["Event", "Unnumbered"], "properties": one} for one in heard]
    return {"nodes": nodes, "links": links}
