"""The graph for a command: the server that runs already, or one for the command's own duration."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import IO

from service.graph.local.answers import START_SECONDS, answers
from service.graph.local.errors import HomeInUse
from service.graph.local.home import Home, use, use_alone
from service.graph.local.server import LocalServer
from service.graph.local.state import Connection, read_state
from service.settings import Settings

Progress = Callable[[str], None]

POLL_SECONDS = 0.2


@asynccontextmanager
async def borrowed(settings: Settings, progress: Progress) -> AsyncGenerator[Connection]:
    home = Home(settings)
    with home.open_users() as users:
        await _until(lambda: use(users))
        if connection := await _running(home):
            yield connection
            return
        async with _own(settings, progress, users) as server:
            yield server.connection


@asynccontextmanager
async def _own(settings: Settings, progress: Progress, users: IO[str]) -> AsyncGenerator[LocalServer]:
    async with LocalServer(settings, progress, purpose="a command") as server:
        try:
            yield server
        finally:
            await _until(lambda: use_alone(users))  # other commands may have come to use it meanwhile


async def _running(home: Home) -> Connection | None:
    """The server that runs here. One that its owner is just starting is waited for."""
    deadline = time.monotonic() + START_SECONDS
    while True:
        server = read_state(home)
        if server and await answers(server.connection(home)):
            return server.connection(home)
        if not (owner := home.owner()):
            return None
        if time.monotonic() > deadline:
            raise HomeInUse(home.root.parent, owner, "it does not come up")
        await asyncio.sleep(POLL_SECONDS)


async def _until(condition: Callable[[], bool]) -> None:
    while not condition():  # noqa: ASYNC110 - another process changes it
        await asyncio.sleep(POLL_SECONDS)
