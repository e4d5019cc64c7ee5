"""Numbers events in the background. Every process runs one; the lock in the database lets one work at a time."""

import asyncio

from service.events.head import Head
from service.observe.logs import log

POLL_S = 0.3
GAP_S = 0.02
LONGEST_BACK_OFF_S = 2.0


class Numberer:
    def __init__(self, head: Head, *, poll_s: float = POLL_S, gap_s: float = GAP_S) -> None:
        """`poll_s`: how often to look for the work of other processes. `gap_s`: the least time between two batches
        that are not full; under load it lets events gather, so that numbering costs the writers little."""
        self._head = head
        self._poll_s = poll_s
        self._gap_s = gap_s
        self._wake = asyncio.Event()

    def notify(self) -> None:
        """A command of this process was committed: do not wait for the next look."""
        self._wake.set()

    async def run(self) -> None:
        """Number until cancelled. A database that does not answer is waited for."""
        failures = 0
        while True:
            try:
                await self._round()
            except Exception as error:
                failures += 1
                log.warning("events are not numbered", problem=str(error), kind=type(error).__name__, failures=failures)
                await asyncio.sleep(min(self._poll_s * 2**failures, LONGEST_BACK_OFF_S))
            else:
                if failures:
                    log.info("events are numbered again", failures=failures)
                failures = 0

    async def _round(self) -> None:
        if self._wake.is_set() or await self._head.is_behind():
            self._wake.clear()
            while await self._head.advance():
                pass
            await asyncio.sleep(self._gap_s)
        await self._sleep()

    async def _sleep(self) -> None:
        try:
            async with asyncio.timeout(self._poll_s):
                await self._wake.wait()
        except TimeoutError:
            return
