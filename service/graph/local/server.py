"""The local Neo4j as a supervised child of a service."""

import asyncio
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import replace
from types import TracebackType
from typing import Literal, Self

from service.errors import TaskloreError
from service.graph.local.answers import await_answer
from service.graph.local.configuration import Configuration
from service.graph.local.home import Home
from service.graph.local.launch import adopt_or_start, start_process, stop_running
from service.graph.local.password import USER, read_password
from service.graph.local.provision import Installation, provision
from service.graph.local.state import Connection, ServerState
from service.settings import Settings

State = Literal["starting", "running", "restarting", "stopped"]

WATCH_SECONDS = 0.25
FIRST_PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 30.0
STEADY_SECONDS = 60.0


class LocalServer:
    """`async with LocalServer(settings, progress) as server:` runs Neo4j and keeps it running until the end."""

    def __init__(
        self,
        settings: Settings,
        progress: Callable[[str], None],
        *,
        purpose: str = "a service",
        wanted: Configuration | None = None,
        steady_s: float = STEADY_SECONDS,
    ) -> None:
        """`steady_s`: how long a server has to have run for the pauses before its restarts to begin anew."""
        self.home = Home(settings)
        self.state: State = "stopped"
        self.restarts = 0
        self.last_exit: str | None = None
        self._settings = settings
        self._progress = progress
        self._purpose = purpose
        self._wanted = wanted or Configuration.wanted(settings)
        self._steady_s = steady_s
        self._ownership = ExitStack()

    @property
    def connection(self) -> Connection:
        return self._server.connection(self.home)

    @property
    def uri(self) -> str:
        return self._server.uri

    @property
    def user(self) -> str:
        return USER

    @property
    def password(self) -> str:
        return read_password(self.home)

    @property
    def browser_url(self) -> str:
        return self._server.browser_url

    @property
    def pid(self) -> int:
        return self._server.pid

    async def __aenter__(self) -> Self:
        self._ownership.enter_context(self.home.owned(self._purpose))
        try:
            self.state = "starting"
            self._installation: Installation = await asyncio.to_thread(provision, self._settings, self._progress)
            self._server: ServerState = await adopt_or_start(
                self.home, self._wanted, self._installation, self._progress, detached=False
            )
        except BaseException:
            self.state = "stopped"
            self._ownership.close()
            raise
        self.state = "running"
        self._watch = asyncio.create_task(self._supervise(), name="local-neo4j")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._watch.cancel()
        with suppress(asyncio.CancelledError):
            await self._watch
        try:
            if not self._server.detached:  # one that `tasklore db start` began goes on
                await stop_running(self.home, self._progress)
        finally:
            self.state = "stopped"
            self._ownership.close()

    async def _supervise(self) -> None:
        pause = FIRST_PAUSE_SECONDS
        while True:
            started = time.monotonic()
            self.last_exit = await self._ended()
            self.state = "restarting"
            if time.monotonic() - started > self._steady_s:
                pause = FIRST_PAUSE_SECONDS
            while self.state == "restarting":
                self._progress(f"The local Neo4j ended ({self.last_exit}); starting it again in {pause:.0f} s")
                await asyncio.sleep(pause)
                pause = min(pause * 2, LONGEST_PAUSE_SECONDS)
                await self._restart()

    async def _ended(self) -> str:
        while not (reason := self._server.process.exit_reason()):  # noqa: ASYNC110 - it may be no child of ours
            await asyncio.sleep(WATCH_SECONDS)
        return reason

    async def _restart(self) -> None:
        """On the same ports: clients reconnect by themselves."""
        actual = replace(self._wanted, bolt_port=self._server.bolt_port, http_port=self._server.http_port)
        self.restarts += 1
        try:
            self._server = start_process(
                self.home,
                self._wanted,
                actual,
                self._installation,
                detached=self._server.detached,
                restarts=self.restarts,
            )
            await await_answer(self.home, self._server, self._progress)
        except (TaskloreError, OSError) as error:
            self.last_exit = str(error)
            await stop_running(self.home, self._progress)  # one that came up but does not answer
        else:
            self.state = "running"
            self._progress("The local Neo4j runs again")
