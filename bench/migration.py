"""The price of indexes: the first migration of an empty graph, and reporting runs with their activations into it.

It has no floor of its own. It is compared with another checkout, run in turns on the same machine:

    for turn in 1 2 3; do for one in ../before .; do (cd $one && .venv/bin/python -m bench.migration); done; done

Each turn has a server of its own, as users have it. A checkout from before this file was there runs a copy of it.
"""

import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

from graph_schema import REGISTRY
from graph_schema.ddl import IndexKind, schema_ddl
from graph_schema.fields import DataClass
from service import clock
from service.access.owner import operator_commands
from service.access.viewer import OPERATOR, KeyScope, Viewer
from service.access.viewers import Viewers
from service.graph.connect import connect
from service.graph.database import Database
from service.graph.local import LocalServer
from service.graph.migrations import migrate
from service.memory import MOST_EVENTS, Outcome, Reporting
from service.settings import load_settings

RUNS = 500
STEPS_EACH = 10
WARM_RUNS = 100
START = datetime(2026, 1, 1, tzinfo=UTC)
POLICY: dict[str, Any] = {"memory_mode": "standard", "data_class": "internal", "matter_ids": []}
PORTS = {"local_bolt_port": 17_787, "local_http_port": 17_774}

Event = dict[str, Any]


async def main() -> None:
    with tempfile.TemporaryDirectory(prefix="tasklore-bench-") as home:
        settings = load_settings(home=Path(home), local_heap_mb=1024, local_page_cache_mb=512, **PORTS)
        async with LocalServer(settings, lambda line: print(line, file=sys.stderr)) as server:
            database = await connect(server.uri, server.user, server.password, "neo4j")
            try:
                print(json.dumps(await measured(database)))
            finally:
                await database.close()


async def measured(database: Database) -> dict[str, float]:
    """Seconds on an empty graph; the first runs are for the caches."""
    started = time.perf_counter()
    await migrate(database, REGISTRY)
    migrated = time.perf_counter() - started
    reporting, viewer = Reporting(database, REGISTRY, lambda _new: None), await _reporter(database)
    await _reported(reporting, viewer, range(WARM_RUNS))
    created = await _reported(reporting, viewer, range(WARM_RUNS, WARM_RUNS + RUNS))
    kinds = (IndexKind.range, IndexKind.unique)
    indexes = sum(one.kind in kinds for one in schema_ddl(REGISTRY))
    return {"indexes": indexes, "migration": round(migrated, 2), "creation": round(created, 2)}


async def _reported(reporting: Reporting, viewer: Viewer, numbers: range) -> float:
    events = [event for number in numbers for event in _run(f"run-{number}")]
    started = time.perf_counter()
    for start in range(0, len(events), MOST_EVENTS):
        answers = await reporting.report(viewer, events[start : start + MOST_EVENTS])
        assert all(one.outcome is Outcome.accepted for one in answers), answers[0]
    return time.perf_counter() - started


def _run(key: str) -> Iterator[Event]:
    """A run and its steps as one would report them when all is done: nothing that is not a run or an activation."""
    moments = (clock.stamp(START + timedelta(seconds=second)) for second in count())
    numbers = count()

    def event(kind: str, **values: Any) -> Event:
        shared = {"event_id": f"{next(numbers)}", "kind": kind, "occurred_at": next(moments)}
        return {**shared, "run": {"source": "bench", "key": key}, "policy": POLICY, **values}

    yield event("run_started", task_key="task", template_key="template", trigger_kind="manual")
    for module in range(STEPS_EACH):
        step = {"module_key": f"m{module}", "activation_seq": 1}
        yield event("activation_started", **step, module_type="agent")
        yield event("activation_completed", **step, cost_usd=0.01, model_ref="model")
    yield event("run_completed")


async def _reporter(database: Database) -> Viewer:
    commands = operator_commands(database)
    await commands.create_principal(OPERATOR, {"name": "bench", "clearance": DataClass.internal, "all_matters": True})
    scopes = [KeyScope.read, KeyScope.report]
    created = await commands.create_key(OPERATOR, {"principal": "bench", "name": "bench", "scopes": scopes})
    viewers = Viewers(database)
    try:
        return await viewers.of_key(created.text or "")
    finally:
        await viewers.close()


if __name__ == "__main__":
    asyncio.run(main())
