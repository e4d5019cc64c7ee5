"""Whether somebody still waits for an answer: what nobody waits for is broken off, in the database too."""

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

from starlette.types import Receive

from service.access.errors import CallerGone

T = TypeVar("T")

PATIENCE_S = 0.5
"""Nearly all answers are sent by then, and nobody has to look."""


class Presence:
    """The client of one request, whose body has been received."""

    def __init__(self, receive: Receive, patience: float = PATIENCE_S) -> None:
        self._receive = receive
        self._patience = patience
        self._gone = False
        self._watch: asyncio.Task[None] | None = None

    async def awaited(self, work: Awaitable[T]) -> T:
        """Do it while somebody waits for it. For work that only reads: it ends in the middle when the client goes."""
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - this runs in a coroutine
        timer = asyncio.get_running_loop().call_later(self._patience, self._look, task)
        try:
            return await work
        except asyncio.CancelledError:
            if not self._gone or task.uncancel():
                raise
            raise CallerGone from None
        finally:
            timer.cancel()
            if self._watch is not None:
                self._watch.cancel()

    def _look(self, task: asyncio.Task[object]) -> None:
        self._watch = asyncio.get_running_loop().create_task(self._until_gone(task))

    async def _until_gone(self, task: asyncio.Task[object]) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass
        self._gone = True
        task.cancel()
