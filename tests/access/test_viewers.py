"""From a key to its viewer: what is seen, how long it is remembered, and how often the database is asked."""

import asyncio
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_schema.model.fields import DataClass
from service.access.audience import ADMINISTRATION, audience_of, cleared
from service.access.errors import Unauthenticated
from service.access.keys import new_key
from service.access.viewer import OPERATOR, KeyScope
from service.access.viewers import MOST_REFUSALS, Viewers
from service.graph.bookmarks import following
from service.graph.database import Database
from tests.access.conftest import World
from tests.laws import law

MATTERS = st.frozensets(st.sampled_from(["ent_a", "ent_ab", "ent_b", "ent_c"]))
CLASSES = st.sampled_from(DataClass)


async def until_refused(viewers: Viewers, key: str, deadline: float) -> None:
    """What is asked before the deadline may take its time; what is asked after it must be refused."""
    while True:
        last = time.monotonic() > deadline
        try:
            await viewers.of_key(key)
        except Unauthenticated:
            return
        assert not last, "the key still works"
        await asyncio.sleep(0.02)


@pytest.mark.slow
@law(6)
@given(
    stored=st.sets(st.tuples(CLASSES, MATTERS), max_size=12),
    clearance=CLASSES,
    member_of=MATTERS,
    all_matters=st.booleans(),
    admin=st.booleans(),
)
async def test_a_viewer_sees_exactly_the_audiences_that_the_rule_gives(
    world: World,
    *,
    stored: set[tuple[DataClass, frozenset[str]]],
    clearance: DataClass,
    member_of: frozenset[str],
    all_matters: bool,
    admin: bool,
) -> None:
    await world.database.run_alone("MATCH (n:Audience|Principal|Key|Version) DETACH DELETE n")
    me = await world.principal("me", clearance=clearance, all_matters=all_matters)
    other = await world.principal("other")
    await world.database.run_alone("MATCH (p {name: 'me'}) SET p.matter_ids = $ids", ids=sorted(member_of))
    for data_class, matters in stored:
        await world.audience(data_class, matters)
    for principal in (me, other):
        await world.audience(DataClass.internal, frozenset(), principal["id"])
    text, _ = await world.key("me", (KeyScope.admin if admin else KeyScope.read,))
    expected = {
        audience_of(data_class, matters)
        for data_class, matters in stored
        if cleared(clearance, data_class) and (all_matters or matters <= member_of)
    } | {f"stub|{me['id']}"}
    if admin:
        expected |= {f"stub|{other['id']}", ADMINISTRATION}
    found = (await world.viewers.of_key(text)).audiences
    assert {*found} == expected
    assert len(found) == len(expected)


@pytest.mark.slow
async def test_a_revoked_key_is_dead_within_a_second_in_another_process(world: World) -> None:
    await world.principal()
    text, key_id = await world.key()
    other = Viewers(world.database)
    await other.of_key(text)
    await world.principals.revoke_key(OPERATOR, key_id)
    revoked = time.monotonic()
    await until_refused(other, text, revoked + 1.1)
    await until_refused(world.viewers, text, revoked + 1.1)
    await other.close()


@pytest.mark.slow
async def test_a_key_in_constant_use_dies_as_well(world: World) -> None:
    """What was remembered is not kept alive by being used."""
    await world.principal()
    text, _ = await world.key()
    other = Viewers(world.database)
    await other.of_key(text)
    await world.principals.disable_principal(OPERATOR, "ada")
    await until_refused(other, text, time.monotonic() + 1.1)
    await other.close()


def counted(database: Database) -> tuple[Database, list[str]]:
    """The same database, with a list of what was done on it."""
    done: list[str] = []
    return Database(database.driver, database.name, observe=lambda kind, _seconds: done.append(kind)), done


async def test_the_database_is_asked_once_a_second_and_once_for_many(world: World) -> None:
    await world.principal()
    text, _ = await world.key()
    database, done = counted(world.database)
    now = 100.0
    viewers = Viewers(database, lambda: now)
    found = await asyncio.gather(*(viewers.of_key(text) for _ in range(50)))
    assert len({*found}) == 1
    assert done.count("read") == 1
    now = 100.9
    await viewers.of_key(text)
    assert done.count("read") == 1
    now = 101.0
    await viewers.of_key(text)
    assert done.count("read") == 2
    await viewers.close()


async def test_what_was_asked_before_a_bookmark_was_brought_does_not_do(world: World) -> None:
    """Not even where this process has read the same bookmark itself: the viewer that it remembers may be older."""
    await world.principal("me", clearance=DataClass.local_only, all_matters=True)
    key, _ = await world.key("me")
    database, done = counted(world.database)
    viewers = Viewers(database, lambda: 100.0)
    before = await viewers.of_key(key)
    with following() as trail:
        await world.audience(DataClass.internal, frozenset({"ent_new"}))
        await world.database.write(lambda transaction: transaction.run("CREATE (:Probe)"))
    assert trail.bookmark
    brought = frozenset(trail.bookmark.split(","))
    await database.read("RETURN 1 AS one")
    done.clear()
    after = await viewers.of_key(key, after=brought)
    assert {*after.audiences} - {*before.audiences} == {audience_of(DataClass.internal, {"ent_new"})}
    assert await viewers.of_key(key, after=brought) == after
    assert done.count("read") == 1
    await viewers.close()


async def test_a_caller_that_goes_away_disturbs_nobody(world: World) -> None:
    await world.principal()
    text, _ = await world.key()
    world.viewers.forget()
    first = asyncio.create_task(world.viewers.of_key(text))
    second = asyncio.create_task(world.viewers.of_key(text))
    await asyncio.sleep(0)
    first.cancel()
    assert (await second).name == "ada"


async def test_what_was_asked_before_forget_is_not_remembered_after(world: World) -> None:
    await world.principal()
    text, _ = await world.key()
    database, done = counted(world.database)
    viewers = Viewers(database)
    asking = asyncio.create_task(viewers.of_key(text))
    await asyncio.sleep(0)
    viewers.forget()
    await asking
    await viewers.of_key(text)
    assert done.count("read") == 2
    await viewers.close()


async def test_unknown_keys_are_remembered_within_bounds_and_push_no_viewer_out(world: World) -> None:
    await world.principal()
    text, _ = await world.key()
    database, done = counted(world.database)
    viewers = Viewers(database, lambda: 100.0)
    await viewers.of_key(text)
    unknown = new_key()
    for key in (unknown, unknown, *(new_key() for _ in range(20))):
        with pytest.raises(Unauthenticated):
            await viewers.of_key(key)
    assert done.count("read") == 22
    await viewers.of_key(text)
    assert done.count("read") == 22
    assert MOST_REFUSALS < 10_000
    await viewers.close()


async def test_the_last_use_is_noted_behind_the_request_and_once_a_minute(world: World) -> None:
    await world.principal()
    text, key_id = await world.key()
    database, done = counted(world.database)
    now = 100.0
    viewers = Viewers(database, lambda: now)
    for seconds in (0.0, 2.0, 4.0):
        now = 100.0 + seconds
        await viewers.of_key(text)
    await viewers.close()
    assert done.count("write") == 1
    row = await world.database.read_one("MATCH (k:Key {id: $id}) RETURN k.last_used_at AS at", id=key_id)
    assert row
    assert row["at"]
    now = 161.0
    await viewers.of_key(text)
    await viewers.close()
    again = await world.database.read_one("MATCH (k:Key {id: $id}) RETURN k.last_used_at AS at", id=key_id)
    assert again == row, "another process, or this one, noted a use less than a minute ago"
