"""Who does how much at once. One principal's work waits for its own, so that it leaves room for that of others."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field

from service.access.errors import TooManyOpen, TooMuchWaiting

COST_AT_ONCE = 50_000
"""What the work of one principal may cost at once in records (`resolvers.engine.costs`). More runs alone."""

MOST_WAITING = 500
MOST_SOCKETS = 50
MOST_STREAMS = 100


@dataclass(slots=True)
class _Queue:
    running: int = 0
    cost: int = 0
    waiting: deque[tuple[int, asyncio.Future[None]]] = field(default_factory=deque[tuple[int, asyncio.Future[None]]])


class Turns:
    """Work is let in by its cost, in the order in which it came."""

    def __init__(self, cost_at_once: int = COST_AT_ONCE, most_waiting: int = MOST_WAITING) -> None:
        self._most = cost_at_once
        self._most_waiting = most_waiting
        self._queues: dict[str, _Queue] = {}

    @asynccontextmanager
    async def one(self, name: str, cost: int) -> AsyncGenerator[None]:
        """A turn for work of this cost, which begins when what the same name has under way leaves room for it."""
        queue = self._queues.setdefault(name, _Queue())
        if queue.waiting or not self._fits(queue, cost):
            await self._wait(queue, cost)
        else:
            self._start(queue, cost)
        try:
            yield
        finally:
            self._end(name, queue, cost)

    def _fits(self, queue: _Queue, cost: int) -> bool:
        return not queue.running or queue.cost + cost <= self._most

    def _start(self, queue: _Queue, cost: int) -> None:
        queue.running += 1
        queue.cost += cost

    def _end(self, name: str, queue: _Queue, cost: int) -> None:
        queue.running -= 1
        queue.cost -= cost
        self._let_in(queue)
        if not queue.running and not queue.waiting:
            self._queues.pop(name, None)

    async def _wait(self, queue: _Queue, cost: int) -> None:
        if len(queue.waiting) >= self._most_waiting:
            raise TooMuchWaiting(self._most_waiting)
        turn = asyncio.get_running_loop().create_future()
        queue.waiting.append((cost, turn))
        try:
            await turn
        except asyncio.CancelledError:
            self._give_up(queue, cost, turn)
            raise

    def _give_up(self, queue: _Queue, cost: int, turn: asyncio.Future[None]) -> None:
        """Whoever stops waiting is in nobody's way, also when their turn came in the same moment."""
        if turn.cancelled():
            queue.waiting.remove((cost, turn))
        else:
            queue.running -= 1
            queue.cost -= cost
        self._let_in(queue)

    def _let_in(self, queue: _Queue) -> None:
        while queue.waiting and self._fits(queue, queue.waiting[0][0]):
            cost, turn = queue.waiting.popleft()
            self._start(queue, cost)
            turn.set_result(None)


class Open:
    """What is open at once for each name: sockets, streams."""

    def __init__(self, what: str, most: int) -> None:
        self._what = what
        self._most = most
        self._held: dict[str, int] = {}

    @contextmanager
    def one(self, name: str) -> Generator[None]:
        held = self._held.get(name, 0)
        if held >= self._most:
            raise TooManyOpen(self._what, self._most)
        self._held[name] = held + 1
        try:
            yield
        finally:
            left = self._held.pop(name) - 1
            if left:
                self._held[name] = left
