"""Whether a server answers, asked as a client would ask."""

import asyncio
import time
from collections.abc import Callable

import neo4j
from neo4j import exceptions as driver_errors

from service.graph.local.errors import PasswordRefused, ServerFailed
from service.graph.local.home import Home
from service.graph.local.ports import is_open
from service.graph.local.process import POLL_SECONDS
from service.graph.local.state import Connection, ServerState

START_SECONDS = 600.0  # a start after a crash replays the transaction log
PROGRESS_SECONDS = 5.0


async def answers(connection: Connection, seconds: float = 5.0) -> bool:
    try:
        async with asyncio.timeout(seconds):
            await _ask(connection)
    except (TimeoutError, OSError, driver_errors.DriverError, driver_errors.Neo4jError):
        return False
    return True


async def await_answer(home: Home, state: ServerState, progress: Callable[[str], None]) -> None:
    """Return once the server answers; an error when it ends, or refuses our password, before it does."""
    started = time.monotonic()
    next_line = PROGRESS_SECONDS
    while not await _answers_now(home, state):
        waited = time.monotonic() - started
        if reason := state.process.exit_reason():
            raise ServerFailed(reason, home.console_log, last_words(home))
        if waited > START_SECONDS:
            raise ServerFailed(f"no answer within {START_SECONDS:.0f} s", home.console_log, last_words(home))
        if waited > next_line:
            next_line += PROGRESS_SECONDS
            progress(f"The local Neo4j is starting ({waited:.0f} s)")
        await asyncio.sleep(POLL_SECONDS)


def last_words(home: Home) -> str:
    """The lines of the server's output that say why it failed."""
    lines = home.console_log.read_text(errors="replace").splitlines() if home.console_log.exists() else []
    told = [line for line in lines if line.strip() and not line.startswith(("\t", " "))]
    errors = [line for line in told if "ERROR" in line or "Caused by" in line]
    return " | ".join((errors or told)[-2:])[:600]


async def _answers_now(home: Home, state: ServerState) -> bool:
    # The port first: a driver that finds it closed waits longer than we need to.
    if not is_open(state.bolt_port):
        return False
    try:
        async with asyncio.timeout(10):
            await _ask(state.connection(home))
    except driver_errors.AuthError:
        raise PasswordRefused(home.password_file) from None
    except (TimeoutError, OSError, driver_errors.DriverError, driver_errors.Neo4jError):
        return False
    return True


async def _ask(connection: Connection) -> None:
    driver = neo4j.AsyncGraphDatabase.driver(  # pyright: ignore[reportUnknownMemberType]
        connection.uri, auth=(connection.user, connection.password), connection_timeout=3
    )
    async with driver, driver.session() as session:  # pyright: ignore[reportUnknownMemberType]
        await (await session.run("RETURN 1")).consume()
