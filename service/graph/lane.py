"""A lane beside the event loop: a thread with a loop and connections of its own, for work that computes for long.

Reading 500 events or making a picture of thousands of records takes the interpreter for tens of milliseconds. On the
first loop everybody would wait for it. From here the interpreter changes hands every half millisecond.
"""

import asyncio
import sys
import threading
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from service.graph.database import Database

T = TypeVar("T")

SWITCH_SECONDS = 0.0005
"""Python's own ten times as long would be most of what a plain read takes."""


class Lane:
    def __init__(self, open_database: "Callable[[], Database]") -> None:
        """The thread starts, and the database is opened in it, when there is work for the first time."""
        self._open_database = open_database
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._database: Database | None = None

    @property
    def database(self) -> "Database | None":
        """Absent until there was work."""
        return self._database

    async def run(self, work: "Callable[[Database], Coroutine[Any, Any, T]]") -> T:
        """Do the work there, with the lane's database. Who is cancelled here is cancelled there."""
        running = asyncio.run_coroutine_threadsafe(self._done(work), self._loop or self._start())
        return await asyncio.wrap_future(running)

    async def close(self) -> None:
        if self._loop is None or self._thread is None:
            return
        if self._database is not None:
            await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(self._database.close(), self._loop))
        self._loop.call_soon_threadsafe(self._loop.stop)
        await asyncio.to_thread(self._thread.join)
        self._loop.close()
        self._loop = self._thread = self._database = None

    def _start(self) -> asyncio.AbstractEventLoop:
        sys.setswitchinterval(SWITCH_SECONDS)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="lane", daemon=True)
        self._thread.start()
        return self._loop

    async def _done(self, work: "Callable[[Database], Coroutine[Any, Any, T]]") -> T:
        if self._database is None:
            self._database = self._open_database()
        return await work(self._database)
