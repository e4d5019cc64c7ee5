"""The process that numbers dies, or stands still, in the middle of it: another goes on within seconds."""

import asyncio
import signal
import sys
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress

import pytest

from service.graph.database import Database
from tests.conftest import Server
from tests.events.test_numbering import ALL_EVENTS, check_law
from tests.events.world import World, numbering

pytestmark = pytest.mark.slow

EVENTS = 20
SECONDS = 5.0
STANDS_STILL = """
import asyncio, sys
from service.events import head
from service.graph.connect import connect

number = head._number

async def numbered_and_not_committed(transaction):
    await number(transaction)
    print("numbered", flush=True)
    await asyncio.Event().wait()

async def main():
    head._number, head.NUMBERING_SECONDS = numbered_and_not_committed, 1
    await head.Head(await connect(*sys.argv[1:], "neo4j"), lambda: None).advance()

asyncio.run(main())
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
async def test_another_process_numbers(database: Database, neo4j_server: Server, how: signal.Signals) -> None:
    world = World(database)
    await world.create(EVENTS)
    async with _numbering_process(neo4j_server) as process, numbering(world):
        await asyncio.sleep(0)
        assert world.head.seq == 0
        process.send_signal(how)
        ended = time.monotonic()
        while world.head.seq < EVENTS and time.monotonic() - ended < SECONDS:
            await world.head.wait_beyond(world.head.seq, SECONDS)
    assert time.monotonic() - ended < SECONDS
    assert world.head.seq == EVENTS
    rows = await database.read(ALL_EVENTS)
    assert len(rows) == EVENTS
    check_law(rows)


@asynccontextmanager
async def _numbering_process(server: Server) -> AsyncGenerator[asyncio.subprocess.Process]:
    """One that has numbered all that waits, and has not committed it."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-c", STANDS_STILL, server.uri, server.user, server.password),
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stdout
        assert await process.stdout.readline() == b"numbered\n"
        yield process
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
