"""Retention: old events and commands go, in order, and cursors that pointed at them say so."""

from datetime import UTC, datetime, timedelta

import pytest

from service import clock
from service.events import CursorExpired, Expired, expire
from tests.events.world import World

COUNTS = "RETURN COUNT { MATCH (:Event) } AS events, COUNT { MATCH (:Command) } AS commands"


async def _age(world: World, days: int) -> None:
    """Make all that there is so many days older."""
    then = clock.stamp(datetime.now(UTC) - timedelta(days=days))
    await world.database.run_alone("MATCH (n:Event|Command) SET n.at = $then", then=then)


async def test_nothing_young_is_deleted(world: World) -> None:
    await world.create(3)
    await world.number_all()
    assert await expire(world.database, 1) == Expired(0, 0)
    assert len(await world.read_all()) == 3


async def test_old_events_and_commands_are_deleted(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.events.retention.BATCH", 3)
    start = (await world.page()).head
    for _ in range(4):
        await world.create(5)
    await world.number_all()
    old = (await world.page()).nodes[5]
    await _age(world, 10)
    (young,) = await world.create()
    await world.number_all()
    assert await expire(world.database, 9) == Expired(20, 4)
    assert await world.database.read_one(COUNTS) == {"events": 1, "commands": 1}
    assert [one.about for one in await world.read_all()] == [young]
    for cursor in (start, old.cursor):
        with pytest.raises(CursorExpired) as refusal:
            await world.page(after=cursor)
        oldest = str(refusal.value.facts["oldest_cursor"])
        assert [one.about for one in await world.read_all(after=oldest)] == [young]


async def test_a_subscription_from_an_expired_cursor_says_so(world: World) -> None:
    start = (await world.page()).head
    await world.create(2)
    await world.number_all()
    last = (await world.read_all())[-1].cursor
    await _age(world, 10)
    await expire(world.database, 9)
    with pytest.raises(CursorExpired):
        await anext(world.events.follow(world.sees(), after=start))
    assert (await world.page(after=last)).nodes == ()


async def test_events_without_a_number_are_kept(world: World) -> None:
    await world.create(2)
    await _age(world, 10)
    assert (await expire(world.database, 9)).events == 0
    await world.number_all()
    assert len(await world.read_all()) == 2


async def test_an_event_numbered_before_an_expired_one_goes_with_it(world: World) -> None:
    """A writer's clock that is ahead neither stops retention nor leaves a hole behind the oldest cursor."""
    for name in ("old", "from the future", "old too", "young"):
        await world.create(name=name)
        await world.number_all()
    await world.database.run_alone("MATCH (e:Event) WHERE e.seq IN [1, 3] SET e.at = '2020-01-01T00:00:00.000Z'")
    assert (await expire(world.database, 9)).events == 3
    assert len(await world.read_all()) == 1
