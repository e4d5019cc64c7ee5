"""Subscriptions: each event once, in order, nothing lost, nothing hidden, no endless waiting."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

import pytest

from graph_schema.model.fields import DataClass
from service.access.errors import Unauthenticated
from service.access.viewer import Viewer
from service.errors import TaskloreError
from service.events import CursorInvalid, RecordEvent, SubscriberTooSlow, ViewerNow
from tests.events.world import World, numbering

SECONDS = 20


async def test_events_come_as_they_happen(world: World) -> None:
    start = (await world.page()).head
    async with numbering(world), aclosing(_stream(world, after=start)) as subscription:
        waiting = asyncio.create_task(_take(subscription, 3))
        goals = await world.create(2)
        await world.update(goals[0], name="Changed")
        found = await waiting
    assert {one.about for one in found[:2]} == {*goals}
    assert (found[2].about, found[2].kind) == (goals[0], "goal.updated")


@pytest.mark.slow
async def test_a_subscriber_that_was_away_misses_nothing_and_sees_nothing_twice(world: World) -> None:
    """Also when it comes back to another process, and the first one is gone."""
    start = (await world.page()).head
    writers = [World(world.database) for _ in range(3)]
    seen: list[RecordEvent] = []

    async def write(writer: World) -> None:
        for _ in range(10):
            (goal,) = await writer.create()
            await writer.update(goal, name="Changed")

    async with numbering(*writers):
        writing = [asyncio.create_task(write(one)) for one in writers]
        for part in (1, 5, 14, 20, 20):
            process = World(world.database)
            async with numbering(process), aclosing(_stream(process, after=_last(seen, start))) as subscription:
                seen += await _take(subscription, part)
        await asyncio.gather(*writing)
    await world.number_all()
    assert [one.event_id for one in seen] == [one.event_id for one in await world.read_all()]
    assert len(seen) == 60


async def test_more_than_a_page_is_waiting(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.events.log.PAGE", 10)
    start = (await world.page()).head
    await world.create(35)
    await world.number_all()
    async with aclosing(_stream(world, after=start)) as subscription:
        found = await _take(subscription, 35)
    assert [one.event_id for one in found] == [one.event_id for one in await world.read_all(first=100)]


async def test_only_the_chosen_and_the_visible(world: World) -> None:
    start = (await world.page()).head
    (hidden,) = await world.create(data_class="privileged")
    (goal,) = await world.create(data_class="internal")
    await world.update(hidden, name="Changed")
    await world.update(goal, name="Changed")
    await world.number_all()
    viewer = world.sees(DataClass.internal)
    async with aclosing(_stream(world, viewer, after=start, kinds=["goal.updated"])) as subscription:
        assert [one.about for one in await _take(subscription, 1)] == [goal]


async def test_a_record_of_a_new_matter_reaches_its_members(world: World) -> None:
    """The audience is new to the graph; the viewer is resolved after the head moved, so nothing slips through."""
    start = (await world.page()).head
    member = world.sees(matters=("ent_m",))
    async with numbering(world), aclosing(_stream(world, member, after=start)) as subscription:
        waiting = asyncio.create_task(_take(subscription, 1))
        await world.create(matter_ids=["ent_other"])
        (goal,) = await world.create(matter_ids=["ent_m"])
        assert [one.about for one in await waiting] == [goal]


@pytest.mark.slow
async def test_what_is_hidden_while_it_waits_is_not_handed_out(world: World) -> None:
    start = (await world.page()).head
    goals = [(await world.create(data_class="internal"))[0] for _ in range(3)]
    await world.number_all()
    async with aclosing(_stream(world, world.sees(DataClass.internal), after=start)) as subscription:
        await _take(subscription, 1)
        await world.update(goals[1], data_class="privileged")
        await asyncio.sleep(1.1)
        assert [one.about for one in await _take(subscription, 1)] == [goals[2]]


@pytest.mark.slow
async def test_a_revoked_key_ends_the_subscription(world: World) -> None:
    alive = True
    sees = world.sees()

    async def viewer_now() -> Viewer:
        if not alive:
            raise Unauthenticated("revoked")
        return await sees()

    async with aclosing(_stream(world, viewer_now)) as subscription:
        waiting = asyncio.create_task(_take(subscription, 1))
        await world.head.wait_beyond(world.head.seq, 0.1)
        alive = False
        with pytest.raises(Unauthenticated):
            await waiting


async def test_a_slow_subscriber_is_told_where_to_resume(world: World) -> None:
    start = (await world.page()).head
    await world.create(3)
    await world.number_all()
    async with aclosing(_stream(world, after=start, slow_after_s=0.05)) as subscription:
        (first,) = await _take(subscription, 1)
        await asyncio.sleep(0.1)
        with pytest.raises(SubscriberTooSlow) as told:
            await _take(subscription, 1)
    assert told.value.facts["resume_cursor"] == first.cursor
    async with aclosing(_stream(world, after=first.cursor)) as subscription:
        rest = await _take(subscription, 2)
    assert [first, *rest] == await world.read_all()


async def test_a_subscriber_that_pauses_while_nothing_waits_is_not_slow(world: World) -> None:
    start = (await world.page()).head
    await world.create(1, data_class="internal")
    await world.number_all()
    viewer = world.sees(DataClass.internal)
    async with aclosing(_stream(world, viewer, after=start, slow_after_s=0.05)) as subscription:
        await _take(subscription, 1)
        await world.create(1, data_class="privileged")
        await world.number_all()
        await asyncio.sleep(0.1)
        waiting = asyncio.create_task(_take(subscription, 1))
        await asyncio.sleep(0.1)
        (goal,) = await world.create(1, data_class="internal")
        await world.number_all()
        assert [one.about for one in await waiting] == [goal]


async def test_without_a_cursor_it_begins_now(world: World) -> None:
    await world.create()
    await world.number_all()
    async with aclosing(_stream(world)) as subscription:
        waiting = asyncio.create_task(_take(subscription, 1))
        await world.head.wait_beyond(world.head.seq, 0.1)
        (goal,) = await world.create()
        await world.number_all()
        assert [one.about for one in await waiting] == [goal]


async def test_a_garbled_cursor_or_kind_ends_it_at_once(world: World) -> None:
    with pytest.raises(CursorInvalid):
        await _take(_stream(world, after="garbled"), 1)
    with pytest.raises(TaskloreError):
        await _take(_stream(world, kinds=["Not a kind"]), 1)


def _stream(world: World, viewer_now: ViewerNow | None = None, **chosen: Any) -> AsyncGenerator[RecordEvent]:
    return world.events.follow(viewer_now or world.sees(), **chosen)


async def _take(subscription: AsyncGenerator[RecordEvent], how_many: int) -> list[RecordEvent]:
    async with asyncio.timeout(SECONDS):
        return [await anext(subscription) for _ in range(how_many)]


def _last(seen: list[RecordEvent], start: str) -> str:
    return seen[-1].cursor if seen else start
