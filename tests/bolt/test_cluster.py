"""With `neo4j://`: who is asked what, and what becomes of it when a leader changes or a server goes."""

import asyncio
from collections.abc import AsyncGenerator

import pytest

from service.graph import connect as module
from service.graph import database as database_module
from service.graph.bookmarks import following
from service.graph.connect import FEATURES, connect
from service.graph.database import Database, Transaction
from service.graph.errors import (
    BookmarkAhead,
    CommitUnknown,
    DatabaseLacksFeature,
    DatabaseTooOld,
    DatabaseUnavailable,
)
from tests.bolt.cluster import NOT_A_LEADER, UNAVAILABLE, Cluster, modes, started
from tests.bolt.scripted import Scripted

READERS = {("two", "r"), ("three", "r")}


@pytest.fixture
def script() -> Scripted:
    return Scripted()


@pytest.fixture
async def cluster(script: Scripted) -> AsyncGenerator[Cluster]:
    async with started(script) as cluster:
        yield cluster


@pytest.fixture
async def database(cluster: Cluster) -> AsyncGenerator[Database]:
    """Connected, checks and all, and with nothing asked of it since."""
    database = await connect(cluster.uri, "neo4j", "secret", "neo4j")
    cluster.asked.clear()
    yield database
    await database.close()


async def _created(transaction: Transaction) -> str:
    await transaction.run("CREATE (:Thing)")
    return "done"


async def _known(database: Database) -> list[str]:
    row = await database.read_one("MATCH (n) RETURN n")
    assert row
    return row["value"]


async def test_at_connecting_a_reader_says_its_version_and_the_leader_what_it_can_do(cluster: Cluster) -> None:
    database = await connect(cluster.uri, "neo4j", "secret", "neo4j")
    await database.close()
    assert {*modes(cluster.runs("RETURN 1 AS one"))} <= READERS
    assert all({*modes(cluster.runs(one))} == {("one", "w")} for one in FEATURES.values())


async def test_a_cluster_that_is_too_old_or_lacks_something_is_told(cluster: Cluster, script: Scripted) -> None:
    script.lacks = "db.index.vector"
    with pytest.raises(DatabaseLacksFeature, match="vector"):
        await connect(cluster.uri, "neo4j", "secret", "neo4j")
    script.agent = "Neo4j/5.19.0"
    with pytest.raises(DatabaseTooOld):
        await connect(cluster.uri, "neo4j", "secret", "neo4j")


async def test_reads_say_so_and_go_to_readers(database: Database, cluster: Cluster) -> None:
    for _ in range(5):
        await database.read("MATCH (n) RETURN n")
        await database.examine("MATCH (n) RETURN n")
    assert {*modes(cluster.runs("MATCH"))} <= READERS


async def test_writes_go_to_the_writer(database: Database, cluster: Cluster, script: Scripted) -> None:
    await database.write(_created)
    await database.run_alone("CREATE INDEX here")
    assert {*modes(cluster.runs("CREATE"))} == {("one", "w")}
    assert script.committed == ["CREATE (:Thing)", "CREATE INDEX here"]


async def test_so_it_is_in_the_lane(database: Database, cluster: Cluster) -> None:
    async def work(beside: Database) -> None:
        assert beside is not database
        await beside.write(_created)
        assert await beside.read("MATCH (n) RETURN n") == [{"value": ["CREATE (:Thing)"]}]

    await database.apart(work)
    assert {*modes(cluster.runs("CREATE"))} == {("one", "w")}
    assert {*modes(cluster.runs("MATCH"))} <= READERS


@pytest.mark.parametrize("message", ["BEGIN", "RUN", "COMMIT"])
async def test_a_write_during_a_change_of_leaders_is_tried_again_and_happens_once(
    message: str, database: Database, cluster: Cluster, script: Scripted
) -> None:
    cluster.on(message, then=cluster.lead("two"))
    assert await database.write(_created) == "done"
    assert [*modes(cluster.runs("CREATE"))] == [("one", "w"), ("two", "w")]
    assert script.committed == ["CREATE (:Thing)"]


async def test_so_is_a_statement_that_is_run_alone(database: Database, cluster: Cluster, script: Scripted) -> None:
    cluster.lead("two")()
    await database.run_alone("CREATE (:Alone)")
    assert [*modes(cluster.runs("CREATE"))] == [("one", "w"), ("two", "w")]
    assert script.committed == ["CREATE (:Alone)"]


async def test_while_nobody_leads_a_write_waits(database: Database, cluster: Cluster, script: Scripted) -> None:
    cluster.lead(None)()
    cluster.on("ROUTE")
    cluster.on("ROUTE", then=cluster.lead("three"))
    assert await database.write(_created) == "done"
    cluster.lead(None)()
    cluster.on("ROUTE", then=cluster.lead("one"))
    await database.run_alone("CREATE (:Alone)")
    assert script.committed == ["CREATE (:Thing)", "CREATE (:Alone)"]


async def test_but_not_for_ever(cluster: Cluster, script: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_RETRY_SECONDS", 0.2)
    monkeypatch.setattr(database_module, "ALONE_PAUSES", (0.01, 0.01))
    database = await connect(cluster.uri, "neo4j", "secret", "neo4j")
    cluster.lead(None)()
    with pytest.raises(DatabaseUnavailable):
        await database.write(_created)
    with pytest.raises(DatabaseUnavailable):
        await database.run_alone("CREATE (:Alone)")
    await database.close()
    assert script.committed == []


async def test_what_the_server_refuses_for_good_is_not_tried_again(database: Database, cluster: Cluster) -> None:
    cluster.on("RUN", "CREATE", times=9, code="Neo.ClientError.Statement.SyntaxError")
    for work in (database.write(_created), database.run_alone("CREATE (:Alone)")):
        with pytest.raises(Exception, match="SyntaxError"):
            await work
    assert len(cluster.runs("CREATE")) == 2


@pytest.mark.parametrize("lost", ["before", "after"])
async def test_whether_a_commit_took_place_whose_answer_was_lost_is_left_to_the_caller(
    lost: str, database: Database, cluster: Cluster, script: Scripted
) -> None:
    cluster.on("COMMIT", lost=lost)
    with pytest.raises(CommitUnknown, match="committed"):
        await database.write(_created)
    assert len(cluster.runs("CREATE")) == 1
    assert len(script.committed) == (1 if lost == "after" else 0)


@pytest.mark.parametrize("trouble", [{"lost": "before"}, {"lost": "after"}, {"code": UNAVAILABLE}])
async def test_a_read_whose_server_is_gone_is_asked_of_another(
    trouble: dict[str, str], database: Database, cluster: Cluster
) -> None:
    cluster.on("RUN", "MATCH", **trouble)
    assert await _known(database) == []
    [(first, _), (second, _)] = modes(cluster.runs("MATCH"))
    assert {first, second} == {"two", "three"}


async def test_at_most_twice_more(database: Database, cluster: Cluster) -> None:
    cluster.on("RUN", "MATCH", times=9, lost="before")
    with pytest.raises(DatabaseUnavailable):
        await database.read("MATCH (n) RETURN n")
    assert len(cluster.runs("MATCH")) == 3


async def test_a_member_that_is_gone_is_not_missed(database: Database, cluster: Cluster, script: Scripted) -> None:
    await database.read("MATCH (n) RETURN n")
    cluster.members["two"].lose()
    cluster.members["one"].lose()
    cluster.lead("three")()
    cluster.on("ROUTE")
    assert await database.write(_created) == "done"
    assert script.committed == ["CREATE (:Thing)"]


async def test_a_read_carries_what_this_process_has_written(database: Database, cluster: Cluster) -> None:
    await database.write(_created)
    assert await _known(database) == ["CREATE (:Thing)"]
    assert cluster.runs("MATCH")[-1].bookmarks == {"FB:scripted:1"}


async def test_who_brings_a_bookmark_reads_the_write_by_another_process(
    database: Database, cluster: Cluster, script: Scripted
) -> None:
    other = await connect(cluster.uri, "neo4j", "secret", "neo4j")
    with following() as trail:
        await database.write(_created)
    assert trail.bookmark == "FB:scripted:1"
    script.applied, script.patient = {"two": 0, "three": 0}, True
    try:
        assert await _known(other) == []
        with following(trail.bookmark):
            reading = asyncio.create_task(_known(other))
            await script.waiting.wait()
            await script.catch_up()
            assert await reading == ["CREATE (:Thing)"]
        assert cluster.runs("MATCH")[-1].bookmarks >= {"FB:scripted:1"}
    finally:
        await other.close()


async def test_a_server_that_stays_behind_says_so_at_once(
    database: Database, cluster: Cluster, script: Scripted
) -> None:
    """It has waited already, for as long as it is set to. Whoever asks again may find it there."""
    await database.write(_created)
    script.applied = {"two": 0, "three": 0}
    with pytest.raises(BookmarkAhead):
        await _known(database)
    assert len(cluster.runs("MATCH")) == 1
    await script.catch_up()
    assert await _known(database) == ["CREATE (:Thing)"]


async def test_a_write_waits_for_a_new_leader_that_is_behind(
    database: Database, cluster: Cluster, script: Scripted
) -> None:
    await database.write(_created)
    script.applied = {"two": 0}
    cluster.lead("two")()
    cluster.on("BEGIN", code=NOT_A_LEADER)
    writing = asyncio.create_task(database.write(_created))
    cluster.on("BEGIN", then=script.applied.clear)
    assert await writing == "done"
    assert len(script.committed) == 2
