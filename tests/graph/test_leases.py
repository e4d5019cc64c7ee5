"""Work that one process does for all: once at a time, and by another soon after the first one ended or was killed."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable
from contextlib import asynccontextmanager, suppress
from typing import Any

from service.graph.database import Database
from service.graph.leases import Lease, by_one

NAME = "probe"
SECONDS = 0.6


class Worker:
    """As a process would: it works while it has the lease."""

    def __init__(self, database: Database) -> None:
        self.works = asyncio.Event()
        self.rests = asyncio.Event()
        self.rests.set()
        self.task = asyncio.create_task(by_one(database, NAME, [self._work], seconds=SECONDS, look_s=0.05))

    async def _work(self) -> None:
        self.works.set()
        self.rests.clear()
        try:
            await asyncio.Event().wait()
        finally:
            self.works.clear()
            self.rests.set()


@asynccontextmanager
async def _worker(database: Database) -> AsyncGenerator[Worker]:
    worker = Worker(database)
    try:
        yield worker
    finally:
        worker.task.cancel()
        with suppress(asyncio.CancelledError):
            await worker.task


async def soon(awaited: Awaitable[Any]) -> None:
    async with asyncio.timeout(20):
        await awaited


async def test_one_works_and_hands_over_when_it_ends(database: Database) -> None:
    async with _worker(database) as first:
        await soon(first.works.wait())
        async with _worker(database) as second:
            await asyncio.sleep(2 * SECONDS)  # longer than a lease that nobody renews
            assert first.works.is_set()
            assert not second.works.is_set()
            first.task.cancel()
            await soon(second.works.wait())
            assert first.rests.is_set()


async def test_the_work_of_one_that_was_killed_is_taken_over(database: Database) -> None:
    killed = Lease(database, NAME, SECONDS)
    assert await killed.take()
    async with _worker(database) as other:
        assert not other.works.is_set()
        await soon(other.works.wait())


async def test_one_that_lost_the_lease_gives_up_its_work(database: Database) -> None:
    async with _worker(database) as paused:
        await soon(paused.works.wait())
        await database.run_alone("MATCH (lock:Lock {name: $name}) SET lock.owner = 'another'", name=NAME)
        await soon(paused.rests.wait())


async def test_work_that_fails_is_begun_again(database: Database) -> None:
    begun = asyncio.Semaphore(0)

    async def fail() -> None:
        begun.release()
        raise RuntimeError("as it happens")

    task = asyncio.create_task(by_one(database, NAME, [fail], seconds=SECONDS, look_s=0.05))
    try:
        for _ in range(2):
            await soon(begun.acquire())
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
