"""The head of the log: how far the numbers go, as one process knows for sure. Shared by all its readers."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from service import clock
from service.events import cypher
from service.events.cursor import new_secret
from service.graph.database import Database, Row, Transaction
from service.graph.errors import QueryTimedOut

BATCH = 1000
NUMBERING_SECONDS = 10.0
"""A process that is paused while it numbers holds the others up for so long at most. Mostly it takes a tenth of one."""
LONGEST_SECONDS = 160.0
"""Where that was not enough, the next attempt has twice as long: on a machine that slow nobody else does better."""


class Head:
    """All events up to `seq` are there for every reader.

    A reader that saw the log's number grow by itself could not rely on that: while a transaction is being applied,
    others see the node of the lock before they find the events in the index. So the head moves only by what was read
    under the lock, in a transaction whose bookmark later reads carry.
    """

    def __init__(self, database: Database, new_audiences: Callable[[], None]) -> None:
        """`new_audiences` is called before the head moves past events of audiences that viewers may not know yet."""
        self.seq = 0
        self.known = False
        self._database = database
        self._new_audiences = new_audiences
        self._audiences = -1
        self._moved = asyncio.Event()
        self._seconds = NUMBERING_SECONDS
        self._advancing = asyncio.Lock()

    async def advance(self) -> bool:
        """Number a batch of what waits, and move to the last number. Returns whether more may be waiting."""
        async with self._advancing:
            done = await self._numbered()
            if done.audiences != self._audiences:
                self._audiences = done.audiences
                self._new_audiences()
            self._move(done.seq)
            return done.numbered == BATCH

    async def _numbered(self) -> "_Numbered":
        try:
            done = await self._database.write(_number, seconds=self._seconds)
        except QueryTimedOut:
            self._seconds = min(2 * self._seconds, LONGEST_SECONDS)
            raise
        self._seconds = NUMBERING_SECONDS
        return done

    async def is_behind(self) -> bool:
        """Whether events wait for a number, or another process has given some out."""
        log = await self._database.read_one(cypher.WAITING)
        return log is not None and (log["waiting"] or log["seq"] != self.seq)

    async def wait_beyond(self, seq: int, seconds: float) -> None:
        """Wait until the head is beyond this number, at most so many seconds."""
        if self.seq > seq:
            return
        moved = self._moved
        try:
            async with asyncio.timeout(seconds):
                await moved.wait()
        except TimeoutError:
            return

    def _move(self, seq: int) -> None:
        self.known = True
        if seq != self.seq:
            self.seq = seq
            self._moved.set()
            self._moved = asyncio.Event()


async def take_lock(transaction: Transaction) -> Row:
    """Hold the log's lock until the transaction ends. Returns the log as it stands."""
    log = await transaction.one(cypher.TAKE_LOCK, secret=new_secret(), at=clock.now())
    return log or {}


@dataclass(frozen=True, slots=True)
class _Numbered:
    """The last number that is given out, how many were given out now, and how many audiences the graph then had."""

    seq: int
    numbered: int
    audiences: int


async def _number(transaction: Transaction) -> _Numbered:
    """Number the next events, in order for each record.

    One look is not enough. While it goes over the waiting events, a record's earlier event may be committed behind it
    and a later one before it. But whatever was committed before an event that the first look has seen is there for the
    second. So only events up to those that the first look has seen are numbered, as the second look finds them.
    """
    log = await take_lock(transaction)
    found = await transaction.one(cypher.SEEN_UNNUMBERED, batch=BATCH)
    upto = dict(found["seen"]) if found else {}
    row = await transaction.one(cypher.NUMBER_EVENTS, upto=upto, seq=log["seq"], batch=BATCH) if upto else None
    if row is None:
        return _Numbered(log["seq"], 0, log["audiences"])
    return _Numbered(log["seq"] + row["numbered"], row["numbered"], row["audiences"])
