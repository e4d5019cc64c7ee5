"""Forgets old events and old commands, in small steps, oldest first."""

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from service import clock
from service.events import cypher
from service.events.head import take_lock
from service.graph.database import Database, Transaction
from service.observe.logs import log

BATCH = 1000
EVERY_S = 3600.0


@dataclass(frozen=True, slots=True)
class Expired:
    events: int
    commands: int


async def keep_retention(database: Database, days: int, *, every_s: float = EVERY_S) -> None:
    """Expire again and again until cancelled. One process does it; should two, the work is done once."""
    while True:
        try:
            gone = await expire(database, days)
        except Exception as error:
            log.warning("old events are not expired", problem=str(error), kind=type(error).__name__)
        else:
            if gone.events or gone.commands:
                log.info("expired", events=gone.events, commands=gone.commands)
        await asyncio.sleep(every_s)


async def expire(database: Database, days: int) -> Expired:
    """Delete numbered events and commands older than so many days.

    With a command goes its first result: the same command id again would be a new command. With an event goes every
    event numbered before it, so that what is kept has no holes and a cursor is either good or expired.
    """
    cutoff = clock.stamp(datetime.now(UTC) - timedelta(days=days))
    return Expired(await _events(database, cutoff), await _commands(database, cutoff))


async def _events(database: Database, cutoff: str) -> int:
    async def step(transaction: Transaction) -> int | None:
        floor = (await take_lock(transaction))["floor"]
        row = await transaction.one(cypher.LAST_EXPIRED, floor=floor, batch=BATCH, cutoff=cutoff)
        if row is None or row["last"] is None:
            return None
        gone = await transaction.one(cypher.DELETE_EXPIRED, floor=floor, last=row["last"])
        return gone["deleted"] if gone else 0

    total = 0
    while (deleted := await database.write(step)) is not None:
        total += deleted
    return total


async def _commands(database: Database, cutoff: str) -> int:
    async def step(transaction: Transaction) -> int:
        row = await transaction.one(cypher.DELETE_EXPIRED_COMMANDS, batch=BATCH, cutoff=cutoff)
        return row["deleted"] if row else 0

    total = 0
    while deleted := await database.write(step):
        total += deleted
    return total
