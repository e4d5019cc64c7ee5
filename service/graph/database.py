"""One database, one driver. A read is one auto-commit statement; a write is one retried transaction."""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Iterable
from contextlib import asynccontextmanager
from typing import Any, LiteralString, TypeVar

import neo4j
from neo4j import exceptions as driver_errors

from service.graph.bookmarks import Bookmarks, note_written
from service.graph.errors import is_passing, translate
from service.graph.lane import Lane

T = TypeVar("T")
Row = dict[str, Any]
Observer = Callable[[str, float], None]
"""Told the kind (`read` or `write`) and the seconds of every piece of work; feeds the metrics."""


def unobserved(_kind: str, _seconds: float) -> None:
    return None


class Transaction:
    """A transaction under way. Statements run in it one after another; all take effect, or none does."""

    def __init__(self, transaction: neo4j.AsyncManagedTransaction) -> None:
        self._transaction = transaction

    async def run(self, query: LiteralString, **parameters: Any) -> list[Row]:
        result = await self._transaction.run(query, parameters)
        return _rows(await result.fetch(_ALL))

    async def one(self, query: LiteralString, **parameters: Any) -> Row | None:
        rows = await self.run(query, **parameters)
        return rows[0] if rows else None


_ALL = 1_000_000
_READ_PAUSES = (0.05, 0.4)
"""Seconds before a read is tried a second and a third time."""
ALONE_PAUSES = (0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4)
"""The same for a statement that is run alone: as long as the driver tries a transaction."""


def _rows(records: list[neo4j.Record]) -> list[Row]:
    """As dictionaries, without a walk through every value: statements return maps and values, never nodes."""
    return [dict(zip(record.keys(), record.values(), strict=True)) for record in records]


class Database:
    def __init__(
        self,
        driver: neo4j.AsyncDriver,
        name: str,
        *,
        read_timeout: float | None = None,
        observe: Observer = unobserved,
        bookmarks: Bookmarks | None = None,
        lane: Lane | None = None,
    ) -> None:
        self.driver = driver
        self.name = name
        self._read_timeout = read_timeout
        self._observe = observe
        self._bookmarks = bookmarks or Bookmarks()
        self._lane = lane

    async def read(self, query: LiteralString, **parameters: Any) -> list[Row]:
        """Run one reading statement. The server stops it when it takes longer than `read_timeout` seconds."""
        return _rows(await self._fetched(query, parameters, _ALL))

    async def examine(self, query: LiteralString, **parameters: Any) -> list[Row]:
        """Run a reading statement that may go through the whole graph, and take the time that it needs."""
        return _rows(await self._patiently(lambda: self._fetch(query, parameters, _ALL, None), _READ_PAUSES))

    async def read_one(self, query: LiteralString, **parameters: Any) -> Row | None:
        rows = await self.read(query, **parameters)
        return rows[0] if rows else None

    async def read_value(self, query: LiteralString, parameters: Row) -> Any:
        """The one value of the one row that a reading statement returns."""
        return (await self._fetched(query, parameters, 1))[0].value()

    async def write(self, work: Callable[[Transaction], Awaitable[T]], *, seconds: float | None = None) -> T:
        """Run `work` in one transaction, again when the database says that a retry may help.

        After so many seconds the server ends it: it then holds no lock any longer, whatever became of this process.
        `CommitUnknown` when the answer to the commit was lost: whoever asked knows how to find out what became of it.
        """

        @neo4j.unit_of_work(timeout=seconds)
        async def in_transaction(transaction: neo4j.AsyncManagedTransaction) -> T:
            return await work(Transaction(transaction))

        with _translated():
            async with self._writing() as session:
                done = await session.execute_write(in_transaction)
                note_written((await session.last_bookmarks()).raw_values)
                return done

    async def run_alone(self, query: LiteralString, **parameters: Any) -> list[Row]:
        """Run a statement that must have a transaction of its own: DDL, `CALL {…} IN TRANSACTIONS`.

        The driver tries no such statement again, so it is done here: it has to bear being run twice, for a connection
        that is lost does not say how far it came.
        """
        return _rows(await self._patiently(lambda: self._run_alone(query, parameters), ALONE_PAUSES))

    async def apart(self, work: "Callable[[Database], Coroutine[Any, Any, T]]") -> T:
        """Do work that computes for long in the lane beside the event loop, where there is one, with its database."""
        return await (self._lane.run(work) if self._lane else work(self))

    @property
    def drivers(self) -> list[neo4j.AsyncDriver]:
        beside = self._lane.database if self._lane else None
        return [self.driver, *(beside.drivers if beside else [])]

    async def close(self) -> None:
        if self._lane:
            await self._lane.close()
        await self.driver.close()

    async def _fetched(self, query: LiteralString, parameters: Row, most: int) -> list[neo4j.Record]:
        return await self._patiently(lambda: self._fetch(query, parameters, most, self._read_timeout), _READ_PAUSES)

    async def _patiently(self, ask: Callable[[], Awaitable[T]], pauses: Iterable[float]) -> T:
        """Asked again, of another server if there is one, when the one that was asked is gone or stepped down.

        The driver does so for transactions that it was handed as a function, at the price of two round trips more.
        """
        with _translated():
            for pause in pauses:
                try:
                    return await ask()
                except (driver_errors.Neo4jError, driver_errors.DriverError) as error:
                    if not is_passing(error):
                        raise
                await asyncio.sleep(pause)
            return await ask()

    async def _run_alone(self, query: LiteralString, parameters: Row) -> list[neo4j.Record]:
        async with self._writing() as session:
            result = await session.run(query, parameters)
            return [record async for record in result]

    async def _fetch(
        self, query: LiteralString, parameters: Row, most: int, seconds: float | None
    ) -> list[neo4j.Record]:
        started = time.perf_counter()
        try:
            async with self._opened(neo4j.READ_ACCESS) as session:
                result = await session.run(neo4j.Query(query, timeout=seconds), parameters)
                return await result.fetch(most)
        finally:
            self._observe("read", time.perf_counter() - started)

    @asynccontextmanager
    async def _writing(self) -> AsyncGenerator[neo4j.AsyncSession]:
        started = time.perf_counter()
        try:
            async with self._opened(neo4j.WRITE_ACCESS) as session:
                yield session
        finally:
            self._observe("write", time.perf_counter() - started)

    def _opened(self, access: str) -> neo4j.AsyncSession:
        return self.driver.session(  # pyright: ignore[reportUnknownMemberType]
            database=self.name, default_access_mode=access, bookmark_manager=self._bookmarks
        )


class _translated:  # noqa: N801 - reads as a word in a with statement
    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, driver_errors.Neo4jError | driver_errors.DriverError):
            translated = translate(error)
            if translated is not error:
                raise translated from error
