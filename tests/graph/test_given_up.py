"""What nobody waits for any more ends in the database too; who finds no free connection is told to come back."""

import asyncio

import neo4j
import pytest

from service.access.errors import CallerGone
from service.graph.database import Database
from service.graph.errors import DatabaseBusy
from service.web.presence import Presence
from tests.conftest import Server

ENDLESS = "UNWIND range(1, 1000000000) AS a UNWIND range(1, 1000) AS b RETURN sum(a * b) AS given_up"
RUNNING = "SHOW TRANSACTIONS YIELD currentQuery WHERE currentQuery STARTS WITH 'UNWIND range' RETURN count(*) AS count"
DEADLINE = 20.0


async def until_running(database: Database, count: int) -> None:
    async with asyncio.timeout(DEADLINE):
        while (await database.read(RUNNING))[0]["count"] != count:
            pass


async def test_a_read_that_is_cancelled_ends_in_the_database(migrated: Database) -> None:
    task = asyncio.create_task(migrated.read(ENDLESS))
    await until_running(migrated, 1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await until_running(migrated, 0)


async def test_so_does_one_whose_client_goes(migrated: Database) -> None:
    gone = asyncio.Event()

    async def receive() -> dict[str, str]:
        await gone.wait()
        return {"type": "http.disconnect"}

    task = asyncio.create_task(Presence(receive, 0).awaited(migrated.read(ENDLESS)))
    await until_running(migrated, 1)
    gone.set()
    with pytest.raises(CallerGone):
        await task
    await until_running(migrated, 0)


async def test_an_answer_that_is_awaited_comes_and_a_cancelled_task_stays_cancelled(migrated: Database) -> None:
    async def receive() -> dict[str, str]:
        return await asyncio.Future()

    presence = Presence(receive, 0)
    assert await presence.awaited(migrated.read("RETURN 1 AS one")) == [{"one": 1}]
    task = asyncio.create_task(presence.awaited(asyncio.Event().wait()))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_an_empty_pool_is_told_with_a_code(neo4j_server: Server, migrated: Database) -> None:
    driver = neo4j.AsyncGraphDatabase.driver(  # pyright: ignore[reportUnknownMemberType]
        neo4j_server.uri,
        auth=(neo4j_server.user, neo4j_server.password),
        max_connection_pool_size=1,
        connection_acquisition_timeout=0.2,
    )
    narrow = Database(driver, "neo4j")
    task = asyncio.create_task(narrow.read(ENDLESS))
    try:
        await until_running(migrated, 1)
        with pytest.raises(DatabaseBusy):
            await narrow.read("RETURN 1 AS one")
        with pytest.raises(DatabaseBusy):
            await narrow.write(lambda transaction: transaction.run("RETURN 1 AS one"))
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await narrow.close()
    await until_running(migrated, 0)
