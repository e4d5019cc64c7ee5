"""What goes wrong, and when: a plan that follows from a seed, and its carrying out."""

import asyncio
import os
import signal
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from tests.chaos.luck import luck_of
from tests.chaos.place import SERVICES, Place

DATABASE = SERVICES
"""The target behind the services."""
READY_S = 300.0


@dataclass(frozen=True)
class Fault:
    kind: str
    target: int
    """The number of a service, or the database."""
    after_s: float
    """How long after the one before it began."""
    lasts_s: float

    @property
    def kills(self) -> bool:
        return self.kind.startswith("kill")


KINDS = {
    "kill a service": (12, 1.0),
    "kill the database": (3, 0.0),
    "pause a service": (3, 6.0),
    "pause the database": (1, 4.0),
    "cut a service off": (5, 3.0),
    "hold a service's way up": (2, 6.0),
}
"""How often each comes, and how long it lasts at most."""


def planned(seed: int, kills: int, gap_s: float) -> Iterator[Fault]:
    """So many kills, with what else goes wrong between them."""
    luck = luck_of("faults", seed)
    while kills:
        [kind] = luck.choices([*KINDS], [often for often, _ in KINDS.values()])
        target = DATABASE if kind.endswith("database") else luck.randrange(SERVICES)
        fault = Fault(kind, target, luck.uniform(0.2, gap_s), luck.uniform(0.1, KINDS[kind][1] + 0.1))
        kills -= fault.kills
        yield fault


class Faults:
    """Carries faults out, those of different targets at the same time."""

    def __init__(self, place: Place) -> None:
        self.done: Counter[str] = Counter()
        self._place = place
        self._busy = [asyncio.Lock() for _ in range(SERVICES + 1)]
        self._going: set[asyncio.Task[None]] = set()
        self._ways: dict[str, Callable[[Fault], Awaitable[None]]] = {
            "kill a service": self._kill_service,
            "kill the database": self._kill_database,
            "pause a service": self._pause_service,
            "pause the database": self._pause_database,
            "cut a service off": self._cut,
            "hold a service's way up": self._hold,
        }

    async def begin(self, fault: Fault) -> None:
        """Wait for its moment, and for its target to be well again."""
        await asyncio.sleep(fault.after_s)
        await self._busy[fault.target].acquire()
        going = asyncio.create_task(self._carry_out(fault))
        self._going.add(going)

    async def over(self) -> None:
        """Until nothing goes wrong any more, and everybody is ready."""
        while self._going:
            done, self._going = await asyncio.wait(self._going)
            for one in done:
                one.result()
        async with asyncio.timeout(READY_S):
            for number in range(SERVICES):
                await self._ready(number)

    async def _carry_out(self, fault: Fault) -> None:
        try:
            await self._ways[fault.kind](fault)
            self.done[fault.kind] += 1
        finally:
            self._busy[fault.target].release()

    async def _kill_service(self, fault: Fault) -> None:
        service = self._place.ways[fault.target].service
        await asyncio.to_thread(service.stop, signal.SIGKILL)
        await asyncio.sleep(fault.lasts_s)
        while True:  # one that finds no database says so and ends, as whoever keeps it running knows
            with suppress(AssertionError):
                await asyncio.to_thread(service.start)
                return
            await asyncio.sleep(0.5)

    async def _kill_database(self, _fault: Fault) -> None:
        server = self._place.server
        restarts = server.restarts
        os.kill(server.pid, signal.SIGKILL)
        async with asyncio.timeout(READY_S):
            while server.restarts == restarts or server.state != "running":  # noqa: ASYNC110 - it tells nobody
                await asyncio.sleep(0.1)

    async def _pause_service(self, fault: Fault) -> None:
        await _paused(self._place.ways[fault.target].service.process.pid, fault.lasts_s)

    async def _pause_database(self, fault: Fault) -> None:
        await _paused(self._place.server.pid, fault.lasts_s)

    async def _cut(self, fault: Fault) -> None:
        proxy = self._place.ways[fault.target].proxy
        await proxy.cut()
        await asyncio.sleep(fault.lasts_s)
        await proxy.mend()

    async def _hold(self, fault: Fault) -> None:
        proxy = self._place.ways[fault.target].proxy
        proxy.hold()
        try:
            await asyncio.sleep(fault.lasts_s)
        finally:
            proxy.let_go()

    async def _ready(self, number: int) -> None:
        service = self._place.ways[number].service
        while not await asyncio.to_thread(service.is_ready):  # noqa: ASYNC110 - it tells nobody
            await asyncio.sleep(0.2)


async def _paused(pid: int, seconds: float) -> None:
    os.kill(pid, signal.SIGSTOP)
    try:
        await asyncio.sleep(seconds)
    finally:
        os.kill(pid, signal.SIGCONT)
