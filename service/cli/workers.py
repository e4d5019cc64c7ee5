"""Several processes that answer on one port, and one that watches over them and over the local Neo4j."""

import asyncio
import os
import signal
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import orjson

from service.cli.stopping import Stop
from service.errors import TaskloreError
from service.graph.local import LocalServer
from service.observe.metrics import FOLDER, forget_process
from service.progress import Part
from service.settings import Settings, key_of

FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 30.0
STEADY_S = 60.0
"""One that ran this long is started again with the first pause."""

PATIENCE_S = 15.0
"""Beyond the time that requests in flight have: to close what is open."""

WORKER = "service.cli.worker"
LEADS = "--leads"

Tell = Callable[[str], None]
Facts = Mapping[str, str]


class WorkerFailed(TaskloreError):
    code = "worker_failed"

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(
            f"Process {number} of the service ended before it was ready: {reason}.",
            remedy="What it wrote before this says why.",
        )


async def serve_together(settings: Settings, tell: Tell, stop: Stop, announce: Callable[[Facts], None]) -> None:
    async with AsyncExitStack() as stack:
        if settings.is_local:
            await stack.enter_async_context(LocalServer(settings, tell))
        figures = Path(stack.enter_context(TemporaryDirectory(prefix="tasklore-figures-")))
        await Workers(settings, tell, figures).run(stop, announce)


class Workers:
    def __init__(self, settings: Settings, tell: Tell, figures: Path) -> None:
        """`figures`: a folder where the processes keep what they count, for any of them to tell."""
        self._tell = tell
        self._figures = figures
        self._grace = settings.shutdown_grace_s + PATIENCE_S
        self._all = [_Worker(number + 1, settings, figures) for number in range(settings.workers)]
        self._ending = asyncio.Event()

    async def run(self, stop: Stop, announce: Callable[[Facts], None]) -> None:
        """The first one alone: it brings the graph up to date and fills it. The others find all of it done."""
        try:
            facts = await self._all[0].start(self._tell)
            await asyncio.gather(*(one.start() for one in self._all[1:]))
            announce(facts)
            stop.serves(self)
            await asyncio.gather(*(self._keep(one) for one in self._all))
        finally:
            await asyncio.gather(*(one.close() for one in self._all))

    def end_gently(self) -> None:
        self._ending.set()
        self._signal(signal.SIGTERM)
        asyncio.get_running_loop().call_later(self._grace, self._signal, signal.SIGKILL)

    def end_at_once(self) -> None:
        self._signal(signal.SIGINT)

    def _signal(self, number: signal.Signals) -> None:
        for one in self._all:
            one.signal(number)

    async def _keep(self, worker: "_Worker") -> None:
        """Start it again whenever it ends, with growing pauses, until the service ends."""
        pause = FIRST_PAUSE_S
        while True:
            started = time.monotonic()
            reason = await worker.ended()
            forget_process(self._figures, worker.pid)
            if time.monotonic() - started > STEADY_S:
                pause = FIRST_PAUSE_S
            if not self._ending.is_set():
                self._tell(f"Process {worker.number} of the service ended ({reason}); starting it again")
            if await self._ends_within(pause):
                return
            pause = min(2 * pause, LONGEST_PAUSE_S)
            with suppress(WorkerFailed):
                await worker.start()

    async def _ends_within(self, seconds: float) -> bool:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._ending.wait()
        return self._ending.is_set()


class _Worker:
    def __init__(self, number: int, settings: Settings, figures: Path) -> None:
        self.number = number
        self._environment = {
            **os.environ,
            key_of("host"): settings.host,
            key_of("port"): str(settings.port),
            FOLDER: str(figures),
        }
        self._process: asyncio.subprocess.Process | None = None

    @property
    def pid(self) -> int:
        return self._process.pid if self._process else 0

    async def start(self, tell: Tell | None = None) -> Facts:
        """Start it and wait until it is ready. Whoever wants to hear how that goes has it lead."""
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", WORKER, *([LEADS] if tell else [])),
            env=self._environment,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,  # what a terminal sends to all is for the parent to hand on
        )
        while line := await self._heard():
            told: dict[str, Any] = orjson.loads(line)
            if "ready" in told:
                return told["ready"]
            if tell:
                tell(Part(*told["part"]) if "part" in told else told["begins"])
        raise WorkerFailed(self.number, await self.ended())

    async def ended(self) -> str:
        code = await self._process.wait() if self._process else 0
        return f"killed by signal {-code}" if code < 0 else f"exit code {code}"

    def signal(self, number: signal.Signals) -> None:
        if self._process and self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.send_signal(number)

    async def close(self) -> None:
        """Whatever it does. Of one that has ended already nothing is left to do."""
        self.signal(signal.SIGTERM)
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE_S):
                await self.ended()
        self.signal(signal.SIGKILL)
        await self.ended()

    async def _heard(self) -> bytes:
        assert self._process  # noqa: S101 - started by whoever asks
        assert self._process.stdout  # noqa: S101
        return await self._process.stdout.readline()
