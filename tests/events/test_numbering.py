"""Numbers: unique, without gaps, in order for each record, whoever writes and whoever numbers."""

import asyncio
from collections import defaultdict
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.events import Head, Numberer
from service.graph.connect import connect
from service.graph.database import Database
from tests.conftest import Server
from tests.events.proxy import Proxy
from tests.events.world import World, numbering
from tests.laws import law

ALL_EVENTS = """
MATCH (e:Event)
RETURN e.seq AS seq, e.event_id AS event_id, e.about AS about, e.at AS at, e.about_version AS version,
  e:Unnumbered AS unnumbered
ORDER BY seq
"""

# One writer's work: for each of its commands the goal that it changes.
work_of_writers = st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=6), min_size=2, max_size=4)


@pytest.mark.slow
@given(work=work_of_writers, numberers=st.integers(1, 3))
@law(5)
async def test_any_interleaving_is_numbered_in_order(database: Database, work: list[list[int]], numberers: int) -> None:
    await database.run_alone("MATCH (n:Event|Lock|Record|Command) DETACH DELETE n")
    world = World(database)
    goals = [(await world.create())[0] for _ in range(3)]
    done = asyncio.Event()

    async def number() -> None:
        head = Head(database, lambda: None)
        while not done.is_set():
            await head.advance()
            await asyncio.sleep(0)

    numbering_tasks = [asyncio.create_task(number()) for _ in range(numberers)]
    await asyncio.gather(*(_write(World(database), goals, writer, todo) for writer, todo in enumerate(work)))
    done.set()
    await asyncio.gather(*numbering_tasks)
    await world.number_all()
    rows = await database.read(ALL_EVENTS)
    assert len(rows) == 3 + sum(len(todo) for todo in work)
    check_law(rows)


async def test_two_numberers_at_once(world: World) -> None:
    other = World(world.database)
    async with numbering(world, other):
        made = await asyncio.gather(*(one.create(3) for one in (world, other) * 15))
        await _until_numbered(world.database)
    rows = await world.database.read(ALL_EVENTS)
    assert {row["about"] for row in rows} == {goal for goals in made for goal in goals}
    check_law(rows)


async def test_a_backlog_larger_than_a_batch(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.events.head.BATCH", 4)
    (goal,) = await world.create()
    await world.create(20)
    for step in range(6):
        await world.update(goal, name=f"Step {step}")
    await world.number_all()
    rows = await world.database.read(ALL_EVENTS)
    assert len(rows) == 27
    check_law(rows)


async def test_an_event_is_numbered_within_a_second_by_a_process_that_was_not_told(world: World) -> None:
    writer = World(world.database)
    async with numbering(world):
        await writer.create()
        async with asyncio.timeout(1):
            await world.head.wait_beyond(0, 1)
    assert world.head.seq == 1


@pytest.mark.slow
async def test_numbering_goes_on_when_the_database_was_away(world: World, neo4j_server: Server) -> None:
    async with Proxy(neo4j_server.uri) as proxy:
        database = await connect(proxy.uri, neo4j_server.user, neo4j_server.password, "neo4j")
        head = Head(database, lambda: None)
        task = asyncio.create_task(Numberer(head, poll_s=0.05).run())
        try:
            await world.create()
            await _until_at(head, 1)
            await proxy.cut()
            await world.create()
            await asyncio.sleep(0.2)
            assert head.seq == 1
            await proxy.mend()
            await _until_at(head, 2)
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            await database.close()


async def test_looking_for_work_costs_nothing_when_there_is_none(world: World) -> None:
    await world.create(200)
    await world.number_all()
    assert not await world.head.is_behind()


async def _write(world: World, goals: list[str], writer: int, todo: list[int]) -> None:
    for step, goal in enumerate(todo):
        await world.update(goals[goal], name=f"By {writer}, step {step}")


def check_law(rows: list[dict[str, Any]]) -> None:
    assert not any(row["unnumbered"] for row in rows)
    assert [row["seq"] for row in rows] == list(range(1, len(rows) + 1))
    assert len({row["event_id"] for row in rows}) == len(rows)
    by_record = defaultdict[str, list[tuple[str, int]]](list)
    for row in rows:
        by_record[row["about"]].append((row["at"], row["version"]))
    for order in by_record.values():
        assert order == sorted(order)
        assert [version for _, version in order] == list(range(1, len(order) + 1))


async def _until_numbered(database: Database) -> None:
    async with asyncio.timeout(20):
        while True:
            row = await database.read_one("RETURN COUNT { MATCH (:Unnumbered) } AS waiting")
            if row and not row["waiting"]:
                return
            await asyncio.sleep(0.05)


async def _until_at(head: Head, seq: int) -> None:
    async with asyncio.timeout(20):
        await head.wait_beyond(seq - 1, 20)
    assert head.seq == seq
