"""Work that computes for long is done beside the event loop, with the same answers, errors and end."""

import asyncio
import threading

import pytest

from service.errors import TaskloreError
from service.graph.connect import connect
from service.graph.database import Database
from service.graph.errors import QueryTimedOut
from tests.conftest import Server
from tests.graph.test_given_up import ENDLESS, until_running


async def _thread(_database: Database) -> str:
    return threading.current_thread().name


async def _written(database: Database) -> None:
    await database.run_alone("CREATE (:Record {id: 'ent_lane'})")


async def _endless(database: Database) -> object:
    return await database.read(ENDLESS)


async def test_work_apart_is_done_in_another_thread_and_what_it_wrote_is_there(database: Database) -> None:
    assert await database.apart(_thread) == "lane"
    await database.apart(_written)
    assert await database.read("MATCH (n:Record) RETURN n.id AS id") == [{"id": "ent_lane"}]


async def test_its_errors_are_ours(neo4j_server: Server) -> None:
    brief = await connect(neo4j_server.uri, neo4j_server.user, neo4j_server.password, "neo4j", read_timeout=0.1)
    try:
        with pytest.raises(QueryTimedOut) as told:
            await brief.apart(_endless)
        assert isinstance(told.value, TaskloreError)
    finally:
        await brief.close()


async def test_who_is_cancelled_here_is_cancelled_there(database: Database) -> None:
    task = asyncio.create_task(database.apart(_endless))
    await until_running(database, 1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await until_running(database, 0)


async def test_the_thread_ends_with_the_database(neo4j_server: Server) -> None:
    own = await connect(neo4j_server.uri, neo4j_server.user, neo4j_server.password, "neo4j")
    before = threading.active_count()
    assert len(own.drivers) == 1
    await own.apart(_thread)
    assert threading.active_count() == before + 1
    assert len(own.drivers) == 2
    await own.close()
    assert threading.active_count() == before
