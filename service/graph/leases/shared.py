"""Work without end that one process does, however many there are: each looks whether somebody does it, and else begins.

The lease saves work; it protects nothing. Whoever was paused for longer than it lasts may go on for a moment beside the
next one, so such work has to bear being done twice.
"""

import asyncio
import os
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any

from service.errors import TaskloreError
from service.graph.database import Database
from service.graph.leases.lease import Lease
from service.observe.logs import log

SECONDS = 6.0
"""After so long at most the work of a process that was killed is taken over; it is renewed three times meanwhile."""

LOOK_S = 1.0

Begin = Callable[[], Coroutine[Any, Any, None]]
"""Begins a piece of work without end, again after it was given up."""


async def by_one(
    database: Database, name: str, works: Sequence[Begin], *, seconds: float = SECONDS, look_s: float = LOOK_S
) -> None:
    """Do the work while nobody else does, until cancelled."""
    while True:
        lease = Lease(database, name, seconds)
        try:
            if not await lease.is_held() and await lease.take():
                log.info("the work beside the requests is done here", lease=name, process=os.getpid())
                await _hold(lease, works)
        except Exception as error:  # whatever it was, the next round may go better; the service must not lose this task
            log.warning("the work beside the requests waits", problem=str(error), kind=type(error).__name__)
        await asyncio.sleep(look_s)


async def _hold(lease: Lease, works: Sequence[Begin]) -> None:
    """Work until the lease is lost, or a part of the work fails."""
    tasks = [asyncio.create_task(one) for one in (lease.keep(), *(begin() for begin in works))]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        await asyncio.gather(*done)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        with suppress(TaskloreError):
            await lease.release()
