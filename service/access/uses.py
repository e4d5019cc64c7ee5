"""When keys were last used, written behind the requests that used them."""

import asyncio
import time
from collections.abc import Callable
from contextvars import Context
from datetime import UTC, datetime, timedelta

from service import clock
from service.access import cypher
from service.graph.database import Database, Transaction
from service.observe.logs import log

EVERY_SECONDS = 60.0
MOST_WAITING = 1_000
CLOSE_SECONDS = 2.0


class KeyUses:
    """Notes the use of a key once a minute at most. What the database does not take in time is dropped, not kept."""

    def __init__(self, database: Database, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._database = database
        self._monotonic = monotonic
        self._due: dict[str, float] = {}
        self._waiting: dict[str, str] = {}
        self._writer: asyncio.Task[None] | None = None

    def note(self, key_id: str) -> None:
        now = self._monotonic()
        if now < self._due.get(key_id, 0.0) or len(self._waiting) >= MOST_WAITING:
            return
        if len(self._due) >= MOST_WAITING:
            self._due.clear()
        self._due[key_id] = now + EVERY_SECONDS
        self._waiting[key_id] = clock.now()
        if self._writer is None or self._writer.done():
            # Not in the name of the request that happens to be under way.
            self._writer = asyncio.create_task(self._write(), name="key uses", context=Context())

    async def close(self) -> None:
        """Write what waits, if the database takes it soon."""
        if self._writer and not self._writer.done():
            await asyncio.wait([self._writer], timeout=CLOSE_SECONDS)
            self._writer.cancel()
            await asyncio.gather(self._writer, return_exceptions=True)

    async def _write(self) -> None:
        while self._waiting:
            taken, self._waiting = self._waiting, {}
            not_since = clock.stamp(datetime.now(UTC) - timedelta(seconds=EVERY_SECONDS))
            uses = [{"key_id": key_id, "at": at, "not_since": not_since} for key_id, at in taken.items()]
            try:
                await self._database.write(lambda transaction, uses=uses: _note(transaction, uses))
            except Exception as error:
                log.warning("the use of keys was not noted", keys=len(uses), exc_info=error)


async def _note(transaction: Transaction, uses: list[dict[str, str]]) -> None:
    await transaction.run(cypher.NOTE_USE, uses=uses)
