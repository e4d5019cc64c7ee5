"""`make bench`: speed as ratios to the bare driver, and memory, in one run on one machine."""

import argparse
import asyncio
import json
import sys
import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from bench import commands, idle, reads, views
from bench.report import Report
from bench.setting import Setting, served
from bench.world import PROJECTS, grow
from service.graph.local import LocalServer
from service.settings import Settings, load_settings


async def main() -> None:
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--small", action="store_true", help="leave out the world of ten times the size")
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    options = parser.parse_args()
    report = Report()
    async with _setting() as setting:
        idle.measure(setting, report)
        _tell(f"Growing a world of {PROJECTS * 31:,} records")
        await grow(setting.database, 0, PROJECTS)
        small = await reads.measure(setting, report)
        await commands.measure(setting, report)
        await views.measure(setting, report)
        if not options.small:
            _tell(f"Growing it to {PROJECTS * 310:,} records")
            await grow(setting.database, PROJECTS, PROJECTS * 10)
            await reads.measure_growth(setting, report, small)
    report.show()
    if options.json:
        options.json.write_text(json.dumps(report.as_json(), indent=2) + "\n")


@asynccontextmanager
async def _setting() -> AsyncGenerator[Setting]:
    with tempfile.TemporaryDirectory(prefix="tasklore-bench-") as home:
        settings: Settings = load_settings(home=Path(home), local_heap_mb=2048, local_page_cache_mb=1024)
        async with LocalServer(settings, _tell) as server, served(settings, server) as setting:
            yield setting


def _tell(line: str) -> None:
    print(line, file=sys.stderr)


asyncio.run(main())
