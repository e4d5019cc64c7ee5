"""Pages of events: by cursor, by kind, about a record, and only what the viewer may see."""

from typing import Any

import pytest

from graph_schema.model.fields import DataClass
from service.access.viewer import Viewer
from service.commands import RecordRef
from service.errors import TaskloreError
from service.events import CursorInvalid
from service.events.cursor import Cursors, new_secret
from service.events.log import LARGEST_PAGE
from service.records import Records
from service.runtime.compose import hooks
from tests.events.world import World
from tests.viewers import viewer_of


async def test_pages_hold_every_event_once_in_order(world: World) -> None:
    goals = await world.create(20)
    await world.update(goals[3], name="Changed")
    await world.number_all()
    found = await world.read_all()
    assert sorted(one.about for one in found[:20]) == sorted(goals)
    assert (found[20].kind, found[20].about, found[20].about_version) == ("goal.updated", goals[3], 2)
    assert "name" in found[20].changed
    assert len({one.event_id for one in found}) == 21


async def test_an_empty_log_has_a_head_to_start_from(world: World) -> None:
    page = await world.page()
    assert page.nodes == ()
    await world.create()
    await world.number_all()
    assert len(await world.read_all(after=page.head)) == 1


async def test_kinds_by_name_and_by_family(world: World) -> None:
    (goal,) = await world.create()
    await world.update(goal, name="Changed")
    await world.number_all()

    async def kinds(*wanted: str) -> list[str]:
        return [one.kind for one in await world.read_all(kinds=wanted)]

    assert await kinds("goal.updated") == ["goal.updated"]
    assert await kinds("goal.*") == ["goal.created", "goal.updated"]
    assert await kinds("entity.*", "goal.created") == ["goal.created"]
    assert await kinds("entity.created") == []


@pytest.mark.parametrize("kind", ["", "*", "goal.", "Goal.created", "goal.*.x", "goal' OR 1=1"])
async def test_what_is_no_kind_is_refused(world: World, kind: str) -> None:
    await _refused(world, "invalid_input", "kinds", kinds=[kind])


@pytest.mark.parametrize("first", [0, -1, LARGEST_PAGE + 1])
async def test_a_page_has_bounds(world: World, first: int) -> None:
    await _refused(world, "invalid_input", "first", first=first)


async def test_about_one_record(world: World) -> None:
    goals = await world.create(3)
    await world.update(goals[1], name="Changed")
    await world.number_all()
    found = await world.read_all(about=goals[1])
    assert [(one.about, one.kind) for one in found] == [(goals[1], "goal.created"), (goals[1], "goal.updated")]


@pytest.mark.parametrize("cursor", ["", "garbled", "A" * 22, "é" * 22])
async def test_a_garbled_cursor_is_refused(world: World, cursor: str) -> None:
    await _refused(world, "invalid_cursor", "after", after=cursor)


async def test_a_cursor_of_another_log_or_of_the_future_is_refused(world: World) -> None:
    await world.create()
    await world.number_all()
    await _refused(world, "invalid_cursor", "after", after=Cursors(new_secret()).of(1))
    row = await world.database.read_one("MATCH (lock:Lock {name: 'events'}) RETURN lock.secret AS secret")
    assert row
    with pytest.raises(CursorInvalid):
        await world.page(after=Cursors(row["secret"]).of(2))


async def test_a_cursor_of_a_process_that_is_ahead_is_good(world: World) -> None:
    behind = World(world.database)
    await behind.page()
    await world.create()
    await world.number_all()
    (event,) = await world.read_all()
    assert (await behind.page(after=event.cursor)).nodes == ()
    assert (await behind.page()).nodes == (event,)


async def test_what_the_viewer_may_not_see_is_not_there(world: World) -> None:
    (shown,) = await world.create(data_class="internal")
    (hidden,) = await world.create(data_class="privileged")
    await world.number_all()
    viewer = world.sees(DataClass.internal)
    assert [one.about for one in await world.read_all(viewer)] == [shown]
    assert await world.read_all(viewer, about=hidden) == []
    assert len(await world.read_all()) == 2


async def test_a_viewer_of_few_among_many_gets_them_all_in_order(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Further apart than a page looks ahead in the order of the log, so that audiences are looked up one by one."""
    monkeypatch.setattr("service.events.read.LOOK_AHEAD", 10)
    wanted = await world.create(5, data_class="public")
    await world.create(60, data_class="privileged")
    wanted += await world.create(5, data_class="internal")
    wanted += await world.create(5, data_class="public")
    await world.number_all()
    found = await world.read_all(world.sees(DataClass.internal), first=4)
    assert len(found) == 15
    assert {one.about for one in found} == {*wanted}
    assert [one.at for one in found] == sorted(one.at for one in found)
    assert await world.read_all(world.sees(DataClass.internal), first=15) == found


async def test_an_event_is_gone_for_those_who_may_no_longer_see_its_record(world: World) -> None:
    (goal,) = await world.create(data_class="internal")
    await world.number_all()
    viewer = world.sees(DataClass.internal)
    assert [one.about for one in await world.read_all(viewer)] == [goal]
    await world.update(goal, data_class="privileged")
    await world.number_all()
    assert await world.read_all(viewer) == []
    assert len(await world.read_all()) == 2


async def test_the_other_record_is_named_only_to_those_who_may_see_it(world: World) -> None:
    (shown,), (hidden,) = await world.create(data_class="internal"), await world.create(data_class="privileged")
    admin = await viewer_of(world.database)
    await _link(world, admin, shown, hidden)
    await world.number_all()
    linked = "goal.linked"
    (for_all,) = await world.read_all(kinds=[linked], about=shown)
    (for_few,) = await world.read_all(world.sees(DataClass.internal), kinds=[linked], about=shown)
    assert (for_all.other, for_few.other) == (hidden, None)


async def _link(world: World, viewer: Viewer, tail: str, head: str) -> None:
    records = Records(world.commands, hooks())
    await records.link(viewer, RecordRef(id=tail), "SUPPORTS", RecordRef(id=head), {})


async def _refused(world: World, code: str, field: str, **chosen: Any) -> None:
    with pytest.raises(TaskloreError) as refusal:
        await world.page(**chosen)
    assert (refusal.value.code, refusal.value.field) == (code, field)
    assert refusal.value.remedy
