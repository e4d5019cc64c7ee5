"""Migrations: once each, however many start together; on from where a failure stopped; never on a newer graph."""

import asyncio
from collections.abc import AsyncGenerator

import pytest

from graph_schema.output.ddl import drop_statement, schema_ddl, vector_ddl
from graph_schema.registry import REGISTRY
from service.graph.connect import connect
from service.graph.database import Database
from service.graph.leases import Lease, LeaseLost, leased
from service.graph.migrations import (
    MIGRATIONS,
    DatabaseNewer,
    Migration,
    MigrationChanged,
    MigrationFailed,
    Way,
    migrate,
    pending,
)
from service.graph.migrations.retired import RETIRED
from service.graph.migrations.schema import missing, shown_indexes
from tests.conftest import Server
from tests.graph.conftest import GROWN

FIRST = len(MIGRATIONS) + 1
PROBE = Migration(FIRST, "probe", Way.data, ("CREATE (:Probe {step: 1})", "CREATE (:Probe {step: 2})"))
STUCK = Migration(
    FIRST,
    "stuck",
    Way.data,
    ("CREATE (:Probe {step: 1})", "MATCH (p:Probe {step: 1}) SET p.half = 1 / p.divisor", "CREATE (:Probe {step: 3})"),
)


def silent(_text: str) -> None:
    return None


@pytest.fixture
async def second(neo4j_server: Server) -> AsyncGenerator[Database]:
    """The same graph as another service sees it: through a driver of its own."""
    database = await connect(neo4j_server.uri, neo4j_server.user, neo4j_server.password, "neo4j")
    yield database
    await database.close()


async def _probes(database: Database) -> list[int]:
    rows = await database.read("MATCH (p:Probe) RETURN p.step AS step ORDER BY step")
    return [row["step"] for row in rows]


async def _drop_schema(database: Database) -> None:
    await database.run_alone("MATCH (m) WHERE m:Migration OR m:Lock DELETE m")
    for name, row in (await shown_indexes(database)).items():
        if row["type"] != "LOOKUP":
            await database.run_alone(drop_statement(name, owned_by_constraint=row["owningConstraint"] is not None))


async def test_nothing_is_pending_once_applied(database: Database) -> None:
    assert await pending(database) == []
    assert await migrate(database) == []


@pytest.mark.slow
async def test_two_services_on_an_empty_graph_apply_each_once(schema_put_back: Database, second: Database) -> None:
    await _drop_schema(schema_put_back)
    applied = await asyncio.gather(
        *(
            migrate(
                one,
                migrations=(
                    *MIGRATIONS,
                    PROBE,
                ),
            )
            for one in (schema_put_back, second)
        )
    )
    assert sorted(one.name for run in applied for one in run) == sorted(
        ["probe", "schema", *(one.name for one in MIGRATIONS)]
    )
    assert await _probes(schema_put_back) == [1, 2]
    assert missing(schema_ddl(REGISTRY), await shown_indexes(second)) == []


async def test_a_new_graph_gets_the_schema_of_now_and_nothing_that_former_versions_need(
    schema_put_back: Database,
) -> None:
    database = schema_put_back
    await _drop_schema(database)
    await database.run_alone("MATCH (mark:TaskloreTestGraph) DELETE mark")
    migrations = (*MIGRATIONS, PROBE)
    try:
        assert [one.name for one in await migrate(database, migrations=migrations)] == ["schema"]
        assert await _probes(database) == []
        assert await pending(database, migrations=migrations) == []
    finally:
        await database.run_alone("MERGE (:TaskloreTestGraph)")


async def test_what_fails_says_how_far_it_came_and_goes_on_from_there(schema_put_back: Database) -> None:
    database = schema_put_back
    await database.run_alone("CREATE (:Probe {step: 1, divisor: 0})")
    with pytest.raises(MigrationFailed, match="after 1 of 3 steps"):
        await migrate(
            database,
            migrations=(
                *MIGRATIONS,
                STUCK,
            ),
        )
    assert await pending(
        database,
        migrations=(
            *MIGRATIONS,
            STUCK,
        ),
    ) == [f"{FIRST} (stuck)"]
    assert await _probes(database) == [1, 1]
    await database.run_alone("MATCH (p:Probe) SET p.divisor = 2")
    [applied] = await migrate(
        database,
        migrations=(
            *MIGRATIONS,
            STUCK,
        ),
    )
    assert applied.number == FIRST
    assert await _probes(database) == [1, 1, 3]
    assert (
        await migrate(
            database,
            migrations=(
                *MIGRATIONS,
                STUCK,
            ),
        )
        == []
    )


async def test_data_that_stands_against_a_constraint(schema_put_back: Database) -> None:
    database = schema_put_back
    await database.run_alone("DROP CONSTRAINT record_id_unique")
    await database.run_alone("UNWIND [1, 2] AS copy CREATE (:Record:Probe {id: 'goal_same', copy: copy})")
    with pytest.raises(MigrationFailed, match="schema stopped after 0 of 1 steps"):
        await migrate(database)
    clear = Migration(
        FIRST, "one of each", Way.data, ("MATCH (p:Probe {copy: 2}) DETACH DELETE p",), before_schema=True
    )
    applied = await migrate(
        database,
        migrations=(
            *MIGRATIONS,
            clear,
        ),
    )
    assert [one.name for one in applied] == ["one of each", "schema"]


async def test_ddl_and_batches_run_outside_of_a_transaction(schema_put_back: Database) -> None:
    database = schema_put_back
    await database.run_alone("UNWIND range(1, 50) AS step CREATE (:Probe {step: step})")
    ddl = Migration(FIRST, "index", Way.ddl, ("CREATE INDEX probe_step IF NOT EXISTS FOR (n:Probe) ON (n.step)",))
    batched = Migration(
        FIRST + 1, "batches", Way.batched, ("MATCH (p:Probe) CALL (p) { SET p.step = 0 } IN TRANSACTIONS OF 10 ROWS",)
    )
    applied = await migrate(database, migrations=(*MIGRATIONS, batched, ddl))
    assert [one.number for one in applied] == [FIRST, FIRST + 1]
    assert set(await _probes(database)) == {0}
    assert "probe_step" in await shown_indexes(database)


async def test_a_migration_that_this_version_does_not_know_is_refused(schema_put_back: Database) -> None:
    await migrate(
        schema_put_back,
        migrations=(
            *MIGRATIONS,
            PROBE,
        ),
    )
    with pytest.raises(DatabaseNewer, match=f"migration {FIRST}"):
        await migrate(schema_put_back)
    with pytest.raises(DatabaseNewer):
        await pending(schema_put_back)


async def test_a_migration_with_other_content_is_refused(schema_put_back: Database) -> None:
    await migrate(
        schema_put_back,
        migrations=(
            *MIGRATIONS,
            PROBE,
        ),
    )
    with pytest.raises(MigrationChanged, match=f"{FIRST} "):
        await migrate(
            schema_put_back,
            migrations=(
                *MIGRATIONS,
                STUCK,
            ),
        )


async def test_a_registry_that_grew_is_reconciled_and_the_older_one_refused(schema_put_back: Database) -> None:
    assert await pending(schema_put_back, GROWN) == ["schema"]
    [applied] = await migrate(schema_put_back, GROWN)
    assert applied.name == "schema"
    assert missing(schema_ddl(GROWN), await shown_indexes(schema_put_back)) == []
    with pytest.raises(DatabaseNewer, match="Later"):
        await migrate(schema_put_back)


async def test_a_removal_that_a_migration_names_is_no_newer_graph(schema_put_back: Database) -> None:
    await migrate(schema_put_back, GROWN)
    ours = {fact for one in schema_ddl(REGISTRY) for fact in one.facts}
    gone = tuple(fact for one in schema_ddl(GROWN) for fact in one.facts if fact not in ours)
    removal = Migration(FIRST, "no later", Way.ddl, ("DROP INDEX later_matter_of_taste IF EXISTS",), removes=gone)
    applied = await migrate(
        schema_put_back,
        migrations=(
            *MIGRATIONS,
            removal,
        ),
    )
    assert [one.name for one in applied] == ["schema", "no later"]


async def test_an_index_that_somebody_dropped_is_built_again(schema_put_back: Database) -> None:
    await schema_put_back.run_alone("DROP INDEX run_task_key")
    assert await pending(schema_put_back) == ["schema"]
    await migrate(schema_put_back)
    assert "run_task_key" in await shown_indexes(schema_put_back)


def test_what_is_retired_is_not_asked_for() -> None:
    assert not {one.name for one in RETIRED} & {one.name for one in schema_ddl(REGISTRY)}


async def test_what_a_former_version_indexed_and_this_one_does_not_is_dropped(schema_put_back: Database) -> None:
    former = RETIRED[:25]
    for one in former:
        await schema_put_back.run_alone(one.statement)
    await schema_put_back.run_alone("CREATE INDEX somebodys FOR (n:Goal) ON (n.goal_statement)")
    facts = [fact for one in (*schema_ddl(REGISTRY), *former) for fact in one.facts]
    await schema_put_back.run_alone(
        "MATCH (m:Migration {number: 0}) SET m.facts = $facts, m.checksum = ''", facts=facts
    )
    assert await pending(schema_put_back) == ["schema"]
    [applied] = await migrate(schema_put_back)
    assert applied.steps == len(former)
    shown = await shown_indexes(schema_put_back)
    assert not {one.name for one in former} & shown.keys()
    assert "somebodys" in shown
    assert await pending(schema_put_back) == []


async def test_the_vector_index_follows_the_model(schema_put_back: Database) -> None:
    await migrate(schema_put_back, embedder_key="probe_q1", dimensions=8)
    assert missing(vector_ddl(REGISTRY, "probe_q1", 8), await shown_indexes(schema_put_back)) == []
    assert await pending(schema_put_back, embedder_key="probe_q1", dimensions=16) == ["schema"]
    await migrate(schema_put_back, embedder_key="probe_q1", dimensions=16)
    assert missing(vector_ddl(REGISTRY, "probe_q1", 16), await shown_indexes(schema_put_back)) == []


async def test_the_lock_is_held_by_one_at_a_time(database: Database, second: Database) -> None:
    order: list[str] = []
    entered, asked = asyncio.Event(), asyncio.Event()

    async def hold() -> None:
        async with leased(database, "probe", silent):
            entered.set()
            await asked.wait()
            order.append("first")

    async def follow() -> None:
        await entered.wait()
        async with leased(second, "probe", lambda _waiting: asked.set()):
            order.append("second")

    async with asyncio.timeout(20):
        await asyncio.gather(hold(), follow())
    assert order == ["first", "second"]


async def test_the_lock_of_a_killed_process_is_taken_over(database: Database, second: Database) -> None:
    killed = Lease(database, "probe", seconds=0.3)
    assert await killed.take()
    async with asyncio.timeout(20), leased(second, "probe", silent) as lease:
        await killed.renew()
        with pytest.raises(LeaseLost):
            killed.check()
        lease.check()
        with pytest.raises(LeaseLost):
            await database.write(killed.fence)


@pytest.mark.slow
async def test_the_lock_is_renewed_while_its_holder_works(database: Database) -> None:
    other = Lease(database, "probe", seconds=0.3)
    async with leased(database, "probe", silent, seconds=0.6) as lease:
        for _ in range(8):
            await asyncio.sleep(0.15)
            assert not await other.take()
        lease.check()
