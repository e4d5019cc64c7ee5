"""Tools: reporting outcomes against a bare driver that writes the same, and health of a tool with many calls."""

from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any, LiteralString, cast

from graph_schema.registry import REGISTRY
from service import clock, collector
from service.access.viewer import Viewer
from service.commands import Work
from service.graph.database import Database, Transaction
from service.ids import new_id
from service.memory.reporting.answers import ReportOutcome
from service.memory.reporting.events import latest_at
from service.runtime.compose import services_alone
from service.tools.health import ToolHealths
from service.tools.reports import OutcomeReports
from service.tools.reports.events import OutcomeReport, read
from service.tools.reports.outcomes import Outcomes
from service.tools.vocabulary import vocabulary_of
from tests.bench.measure import in_turns
from tests.bench.report import Report
from tests.bench.reporting import CLIENTS, bare_write, timed
from tests.bench.setting import Setting

EACH, ROUNDS, BATCHES = 500, 3, 8
CALLS = 100_000
OTHERS = 10
HEALTHS = 40

TOOL_WITH_CALLS: LiteralString = """
UNWIND $rows AS row
CREATE (tool:Tool:Record) SET tool = row
"""

# As reporting keeps them: half of them within the window.
CALLS_OF_TOOL: LiteralString = """
UNWIND range(0, $count - 1) AS number
CALL (number) {
  MATCH (tool:Tool {id: $tool})
  CREATE (o:ToolOutcome:Record) SET o = $shared, o.id = $tool + '_' + number, o.tool_id = $tool,
    o.source_key = 'outcome/' + $tool + '-' + number, o.audience = tool.audience,
    o.outcome_type = CASE number % 5 WHEN 0 THEN 'low_utility' WHEN 1 THEN 'wrong_tool_boundary' ELSE 'success' END,
    o.boundary_axes = CASE number % 5 WHEN 1 THEN ['transport', 'extraction'] ELSE [] END,
    o.occurred_at = $times[number % size($times)]
  CREATE (o)-[:OUTCOME_OF]->(tool)
} IN TRANSACTIONS OF 10000 ROWS
"""


async def measure(setting: Setting, report: Report) -> float:
    collector.calm()
    viewer = await setting.viewer(setting.key)
    await _reporting(setting.database, viewer, report)
    tool = await _grow(setting.database, "tool_bench_0")
    viewer = await setting.viewer(setting.key)
    spent = await _health(setting.database, viewer, tool)
    report.add(f"health of a tool with {CALLS:,} calls", spent, "ms", note="p50")
    return spent


async def measure_growth(setting: Setting, report: Report, before: float) -> None:
    viewer = await setting.viewer(setting.key)
    for number in range(1, OTHERS):
        await _grow(setting.database, f"tool_bench_{number}")
    after = await _health(setting.database, viewer, "tool_bench_0")
    note = f"{after:.2f} ms among {OTHERS * CALLS:,} calls against {before:.2f}"
    report.add("health of a tool in ten times the graph", after / before, "times", bar=1.5, note=note)


async def _health(database: Database, viewer: Viewer, tool: str) -> float:
    healths = services_alone(database)[ToolHealths]

    async def work() -> None:
        assert (await healths.of(viewer, tool)).outcomes == healths.limits.outcomes

    return (await in_turns({"health": work}, rounds=HEALTHS, warm=10))["health"].p50_ms


async def _grow(database: Database, tool: str) -> str:
    now = datetime.now(UTC)
    access: dict[str, Any] = {"data_class": "internal", "matter_ids": [], "audience": "internal|"}
    shared = {"created_at": clock.now(), "updated_at": clock.now(), "lifecycle_state": "active", "version": 1, **access}
    row = {**shared, "id": tool, "name": tool, "source": "bench", "source_key": tool, "realm": ""}
    await database.run_alone(TOOL_WITH_CALLS, rows=[row])
    times = [clock.stamp(now - timedelta(minutes=minute)) for minute in range(1, 28 * 24 * 60, 4)]
    outcome = {**shared, "name": "call", "source": "bench", "realm": ""}
    await database.run_alone(CALLS_OF_TOOL, tool=tool, count=CALLS, shared=outcome, times=times)
    return tool


async def _reporting(database: Database, viewer: Viewer, report: Report) -> None:
    reports = services_alone(database)[OutcomeReports]

    async def told(batch: list[Any]) -> None:
        answers = await reports.report(viewer, batch)
        assert all(one.outcome is ReportOutcome.accepted for one in answers), answers[0]

    numbers = count()
    spent = {"reported": 0.0, "bare": 0.0}
    for turn in range(ROUNDS + 1):
        batches = [_batch(next(numbers)) for _ in range(BATCHES)]
        rows = [_rows(viewer, _batch(next(numbers))) for _ in range(BATCHES)]
        reported = await timed(batches, told)
        bare = await timed(rows, lambda part: bare_write(database, part))
        if turn:  # the first is for the caches
            spent["reported"] += reported
            spent["bare"] += bare
    total = ROUNDS * BATCHES * EACH
    note = f"{total / spent['reported']:,.0f} outcomes a second against {total / spent['bare']:,.0f}"
    name = f"reporting outcomes in batches of {EACH} by {CLIENTS} clients"
    report.add(name, spent["bare"] / spent["reported"], "of the floor", bar=0.5, at_least=True, note=note)


def _batch(number: int) -> list[dict[str, Any]]:
    """Outcomes of some tools of a source of its own, a tenth of them referrals."""
    why = {"boundary_axes": ["http", "parsing"], "evidence": "It came to nothing.", "observed_task_shape": "a list"}
    return [
        {
            "event_id": f"{number}-{one}",
            "source": f"bench-{number}",
            "tool": {"key": f"tool-{number}-{one % 10}"},
            "method": f"method-{one % 3}",
            "outcome_type": "success" if one % 10 else "wrong_tool_boundary",
            "occurred_at": "2026-01-01T00:00:00.000Z",
            "duration_ms": one,
            **({} if one % 10 else {"metadata": why}),
        }
        for one in range(EACH)
    ]


def _rows(viewer: Viewer, batch: list[dict[str, Any]]) -> dict[str, list[Any]]:
    """What these become, as rows for a driver that knows it all beforehand."""
    work = Work(REGISTRY, viewer, cast("Transaction", None), new_id("cmd"), [])
    outcomes = Outcomes(work, vocabulary_of())
    latest = latest_at(datetime.now(UTC))
    for place, raw in enumerate(batch):
        outcomes.keep(read(place, OutcomeReport, raw, None, latest), {"matter_ids": []}, None)
    work.close()
    events = [{"labels": ["Event", "Unnumbered"], "properties": one} for one in work.changes.events]
    return {"nodes": [*work.changes.creates, *events], "links": work.changes.links}
