"""`python -m tests.upgrades.keep`: store the graph that the settings mean as one that this version wrote."""

import asyncio
import sys
from importlib.metadata import version

from service.graph.open import opened
from service.settings import load_settings
from tests.upgrades.stored import GRAPHS, SUFFIX, Line, taken, written


async def _taken() -> list[Line]:
    async with opened(load_settings(), print) as database:
        return await taken(database)


def main() -> None:
    file = GRAPHS / f"{version('tasklore')}{SUFFIX}"
    lines = asyncio.run(_taken())
    file.write_bytes(written(lines))
    sys.stdout.write(f"{file.name}: {len(lines):,} lines, {file.stat().st_size / 1000:.0f} kB\n")


if __name__ == "__main__":
    main()
