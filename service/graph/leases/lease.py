"""A lock that outlives transactions: a lease on a `Lock` node, renewed while its holder works.

DDL waits for every transaction that has written to the labels it concerns, so no transaction may stay open while
others wait for their turn. A holder that was killed stops renewing, and the next one takes over when the lease ends.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import LiteralString

from service.graph.database import Database, Transaction
from service.graph.errors import DatabaseUnavailable
from service.graph.leases import cypher
from service.graph.leases.errors import LeaseLost
from service.ids import new_id

LEASE_SECONDS = 15.0
POLL_SECONDS = 0.25

Progress = Callable[[str], None]


@dataclass(slots=True)
class Lease:
    database: Database
    name: str
    seconds: float
    owner: str = field(default_factory=lambda: new_id("lease"))
    lost: bool = False

    async def take(self) -> bool:
        return await self._ask(cypher.TAKE_LEASE)

    async def is_held(self) -> bool:
        """Whether somebody has it now."""
        row = await self.database.read_one(cypher.LEASE_HELD, name=self.name)
        return bool(row and row["held"])

    async def renew(self) -> None:
        self.lost = self.lost or not await self._ask(cypher.RENEW_LEASE)

    async def release(self) -> None:
        async def work(transaction: Transaction) -> None:
            await transaction.run(cypher.RETURN_LEASE, name=self.name, owner=self.owner)

        await self.database.write(work)

    def check(self) -> None:
        if self.lost:
            raise LeaseLost(self.name)

    async def fence(self, transaction: Transaction) -> None:
        """Make a transaction's success depend on still holding the lease when it commits."""
        row = await transaction.one(cypher.RENEW_LEASE, **self._parameters())
        if row is None:
            raise LeaseLost(self.name)

    async def keep(self) -> None:
        """Renew for as long as this runs. A database that does not answer is asked again: the lease may still hold."""
        while not self.lost:
            await asyncio.sleep(self.seconds / 3)
            with suppress(DatabaseUnavailable):
                await self.renew()

    async def _ask(self, query: LiteralString) -> bool:
        async def work(transaction: Transaction) -> bool:
            return await transaction.one(query, **self._parameters()) is not None

        return await self.database.write(work)

    def _parameters(self) -> dict[str, str | int]:
        return {"name": self.name, "owner": self.owner, "milliseconds": int(self.seconds * 1000)}


@asynccontextmanager
async def leased(
    database: Database, name: str, progress: Progress, *, seconds: float = LEASE_SECONDS
) -> AsyncGenerator[Lease]:
    """Hold the lock for the block; wait for whoever holds it now. Its uniqueness constraint must be there already."""
    lease = Lease(database, name, seconds)
    waiting = False
    while not await lease.take():
        if not waiting:
            progress(f"waiting for another process that holds the lock {name!r}")
            waiting = True
        await asyncio.sleep(POLL_SECONDS)
    keeper = asyncio.create_task(lease.keep(), name=f"lease-{name}")
    try:
        yield lease
    finally:
        keeper.cancel()
        with suppress(asyncio.CancelledError):
            await keeper
        with suppress(DatabaseUnavailable):
            await lease.release()
