"""`make bench`: speed as ratios to the bare driver, and memory, in one run on one machine."""

import argparse
import asyncio
import json
import sys
import tempfile
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from service.graph.local import LocalServer
from service.settings import Settings, load_settings
from tests.bench import (
    assessments,
    attention,
    bleed,
    commands,
    context,
    growth,
    idle,
    importing,
    indexes,
    introspection,
    knowledge,
    learning,
    lineage,
    matching,
    mcp,
    neighbours,
    oracle,
    pages,
    reads,
    reporting,
    routing,
    starts,
    tools,
    views,
    workers,
)
from tests.bench.report import Report
from tests.bench.runs import RUNS, grow_runs
from tests.bench.setting import Setting, served
from tests.bench.world import PROJECTS, grow
from tests.orphans import ended_with_us

Grow = Callable[[Setting, int], Awaitable[None]]


@dataclass(frozen=True)
class Part:
    """One thing to measure: on which world, and what of it should not grow with that world."""

    name: str
    measure: Callable[[Setting, Report], Awaitable[Any]]
    world: Grow | None = None
    measure_growth: Callable[[Setting, Report, Any], Awaitable[None]] | None = None


async def _projects(setting: Setting, times: int) -> None:
    _tell(f"Growing a world of {PROJECTS * 31 * times:,} records")
    await grow(setting.database, PROJECTS if times > 1 else 0, PROJECTS * times)


async def _runs(setting: Setting, times: int) -> None:
    _tell(f"Growing a world of {RUNS * times:,} runs")
    await grow_runs(setting.database, RUNS if times > 1 else 0, RUNS * times)


async def _idle(setting: Setting, report: Report) -> None:
    idle.measure(setting, report)


PARTS = (
    Part("idle", _idle),
    Part("reads", reads.measure, _projects, reads.measure_growth),
    Part("introspection", introspection.measure),
    Part("indexes", indexes.measure),
    Part("commands", commands.measure, _projects),
    Part("lineage", lineage.measure, _runs, lineage.measure_growth),
    Part("views", views.measure),
    Part("pages", pages.measure),
    Part("reporting", reporting.measure),
    Part("tools", tools.measure, None, tools.measure_growth),
    Part("matching", matching.measure, None, matching.measure_growth),
    Part("routing", routing.measure, None, routing.measure_growth),
    Part("knowledge", knowledge.measure),
    Part("learning", learning.measure),
    Part("assessments", assessments.measure),
    Part("mcp", mcp.measure, _projects),
    Part("importing", importing.measure, None, importing.measure_growth),
    Part("bleed", bleed.measure),
    Part("context", context.measure, None, context.measure_growth),
    Part("attention", attention.measure),
    Part("growth", growth.measure, None, growth.measure_growth),
    Part("starts", starts.measure),
    Part("oracle", oracle.measure),
    Part("neighbours", neighbours.measure, _runs),
    Part("workers", workers.measure, _projects),
)
TIMES = 10


async def main() -> None:
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"what to measure, of {_names()}; without it, all")
    parser.add_argument("--small", action="store_true", help="leave out the world of ten times the size")
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    options = parser.parse_args()
    unknown = {*options.parts} - {part.name for part in PARTS}
    if unknown:
        parser.error(f"there is no part {', '.join(sorted(unknown))}; there are {_names()}")
    report = Report()
    try:
        async with _setting() as setting:
            chosen = [part for part in PARTS if not options.parts or part.name in options.parts]
            await _measure(setting, report, chosen, small=options.small)
    finally:  # what was measured before something broke is worth knowing
        report.show()
    if options.json:
        options.json.write_text(json.dumps(report.as_json(), indent=2) + "\n")


async def _measure(setting: Setting, report: Report, parts: Sequence[Part], *, small: bool) -> None:
    grown: list[Grow] = []
    found: dict[str, Any] = {}
    for part in parts:
        if part.world is not None and part.world not in grown:
            await part.world(setting, 1)
            grown.append(part.world)
        found[part.name] = await part.measure(setting, report)
    growing = [part for part in parts if part.measure_growth and not small]
    for world in dict.fromkeys(part.world for part in growing if part.world):
        await world(setting, TIMES)
    for part in growing:
        if part.measure_growth is not None:
            await part.measure_growth(setting, report, found[part.name])


@asynccontextmanager
async def _setting() -> AsyncGenerator[Setting]:
    with tempfile.TemporaryDirectory(prefix="tasklore-bench-") as home:
        settings: Settings = load_settings(home=Path(home), local_heap_mb=2048, local_page_cache_mb=1024)
        async with LocalServer(settings, _tell) as server:
            with ended_with_us(server.pid):
                async with served(settings, server) as setting:
                    yield setting


def _names() -> str:
    return ", ".join(part.name for part in PARTS)


def _tell(line: str) -> None:
    print(line, file=sys.stderr)


asyncio.run(main())
