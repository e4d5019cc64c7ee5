"""What indexes cost: a schema with those that former versions had, against the one of today, in turns on one server.

Once, every field that could be filtered by was indexed. The statements that write are the same in both turns.
"""

import statistics
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any, LiteralString

from graph_schema.output.ddl import Index, IndexKind, schema_ddl
from graph_schema.registry import REGISTRY
from service import clock, collector
from service.access.viewer import Viewer
from service.graph.database import Database
from service.graph.migrations.retired import RETIRED
from service.graph.migrations.schema import Step, shown_indexes, steps, wait_until_online
from service.memory.reporting.answers import ReportOutcome
from service.memory.reporting.commands import MOST_EVENTS, Reporting
from tests.bench.report import Report
from tests.bench.setting import Setting

TURNS = 3
RUNS = 500
STEPS_EACH = 10
START = datetime(2026, 1, 1, tzinfo=UTC)
POLICY: dict[str, Any] = {"memory_mode": "standard", "data_class": "internal", "matter_ids": []}

REPORTED: LiteralString = """
MATCH (n:Run|Activation) WHERE n.source = 'bench-indexes' OR n:Activation
RETURN labels(n) AS labels, properties(n) AS values ORDER BY n.created_at, n.id LIMIT $most
"""
NODES: LiteralString = """
UNWIND $rows AS row
CREATE (n:$(row.labels)) SET n = row.values
"""
_KEYS = ("id", "run_id", "source_key")

Event = dict[str, Any]
Indexes = Sequence[Index]


async def measure(setting: Setting, report: Report) -> None:
    collector.calm()
    today = [one for one in schema_ddl(REGISTRY) if one.kind is IndexKind.range]
    former = [*(one for one in today if not _is_new(one)), *RETIRED]
    turns = _Turns(setting.database, former, today)
    name = f"{len(today)} range indexes instead of {len(former)}: made"
    turns.add(report, name, await turns.seconds(lambda: _timed(turns.make)), 0.6)
    writing = _Writing(setting.database, await setting.viewer(setting.key))
    await writing.reported()  # the first is for the caches, and the pattern for what is created
    written = f"{RUNS} runs of {STEPS_EACH} activations"
    turns.add(report, f"{written}: created", await turns.seconds(lambda: turns.after_making(writing.created)), 0.8)
    turns.add(report, f"{written}: reported", await turns.seconds(lambda: turns.after_making(writing.reported)), 1.0)


@dataclass
class _Turns:
    """The two schemas in turns. Which of them is there now is `indexes`."""

    database: Database
    former: Indexes
    today: Indexes
    indexes: Indexes = ()

    async def seconds(self, work: Callable[[], Awaitable[float]]) -> list[tuple[float, float]]:
        found: list[tuple[float, float]] = []
        for _ in range(TURNS):
            pair: list[float] = []
            for indexes in (self.former, self.today):
                self.indexes = indexes
                await _dropped(self.database, [*self.today, *RETIRED])
                pair.append(await work())
            found.append((pair[0], pair[1]))
        return found

    async def make(self) -> None:
        for step in steps(self.indexes, await shown_indexes(self.database)):
            await step.run(self.database)
        await wait_until_online(self.database, self.indexes, lambda _text: None)

    async def after_making(self, work: Callable[[], Awaitable[float]]) -> float:
        await self.make()
        return await work()

    def add(self, report: Report, what: str, seconds: list[tuple[float, float]], bar: float) -> None:
        former, today = (statistics.median(one) for one in zip(*seconds, strict=True))
        report.add(what, today / former, "of former", bar=bar, note=f"{today:.2f} s against {former:.2f} s")


class _Writing:
    """Runs with their activations, each time others: as executors report them, and as bare nodes of the same values."""

    def __init__(self, database: Database, viewer: Viewer) -> None:
        self._database = database
        self._viewer = viewer
        self._reporting = Reporting(database, REGISTRY, lambda _new: None)
        self._numbers = count()

    async def reported(self) -> float:
        events = [event for _ in range(RUNS) for event in _run(f"run-{next(self._numbers)}")]

        async def report() -> None:
            for start in range(0, len(events), MOST_EVENTS):
                answers = await self._reporting.report(self._viewer, events[start : start + MOST_EVENTS])
                assert all(one.outcome is ReportOutcome.accepted for one in answers), answers[0]

        return await _timed(report)

    async def created(self) -> float:
        turn = f"-{next(self._numbers)}"
        rows = [_copy(one, turn) for one in await self._database.read(REPORTED, most=RUNS * (STEPS_EACH + 1))]

        async def create() -> None:
            for start in range(0, len(rows), MOST_EVENTS):
                await self._database.run_alone(NODES, rows=rows[start : start + MOST_EVENTS])

        return await _timed(create)


def _copy(row: dict[str, Any], turn: str) -> dict[str, Any]:
    """The same record under other keys."""
    values = {name: f"{one}{turn}" if name in _KEYS else one for name, one in row["values"].items()}
    return {"labels": row["labels"], "values": values}


def _is_new(one: Index) -> bool:
    """An order of today that had an index without the audience before."""
    ordered = one.properties[0] == "audience" and len(one.properties) == 2
    return ordered and any(old.labels == one.labels and old.properties == one.properties[1:] for old in RETIRED)


async def _timed(work: Callable[[], Awaitable[None]]) -> float:
    started = time.perf_counter()
    await work()
    return time.perf_counter() - started


async def _dropped(database: Database, indexes: Indexes) -> None:
    shown = await shown_indexes(database)
    await Step("drop", tuple(one.drop for one in indexes if one.name in shown)).run(database)


def _run(key: str) -> Iterator[Event]:
    """A run with its steps, and nothing beside them."""
    moments = (clock.stamp(START + timedelta(seconds=second)) for second in count())
    numbers = count()

    def event(kind: str, **values: Any) -> Event:
        shared = {"event_id": f"{next(numbers)}", "kind": kind, "occurred_at": next(moments)}
        return {**shared, "run": {"source": "bench-indexes", "key": key}, "policy": POLICY, **values}

    yield event("run_started", task_key="task", template_key="template", trigger_kind="manual")
    for module in range(STEPS_EACH):
        step = {"module_key": f"m{module}", "activation_seq": 1}
        yield event("activation_started", **step, module_type="agent")
        yield event("activation_completed", **step, cost_usd=0.01, model_ref="model")
    yield event("run_completed")
