"""A page costs what it holds, however long its list is; or what it looks at, where no index serves its filter."""

from dataclasses import replace
from typing import Any, LiteralString, cast

import neo4j
import pytest

from resolvers.engine.context import Context
from resolvers.engine.execution import ReadSchema
from resolvers.schema import build_schema
from service.access.viewer import Viewer
from service.graph.database import Database
from service.graph.reads.breadth import PROBE
from tests.conftest import Server
from tests.resolvers.conftest import WIDE
from tests.resolvers.world import AUDIENCES, HIDDEN, SEEN, make_world, reader

PAGE = "{ goals(first: 10) { nodes { id name } } }"
COST = 2 * PROBE + 12 * 10
"""Accesses to the database: two for each record of the probe, a dozen for each of the page."""

GROW: LiteralString = """
UNWIND range($former + 1, $records) AS number
CREATE (one:$($label):Record {
  id: $label + '_more' + number, name: 'More', audience: $audiences[number % size($audiences)], version: 1,
  created_at: '2026-02-01T00:00:00.' + right('00' + (number % 1000), 3) + 'Z', lifecycle_state: 'active',
  run_id: 'run_' + number, module_key: 'm', activation_seq: number,
  started_at: '2026-02-02T00:00:00.' + right('00' + (number % 1000), 3) + 'Z'
})
"""

WALK = 100
WALKED_COST = 8 * 2 * WALK + 40 * len(AUDIENCES)
"""Accesses for each record, to find and test it and to see how far that is, and for each audience."""

WALKS = {
    "Goal": "goals(first: 10, after: $cursor, filter: {goalType: {eq: cost_latency_goal}})",
    "Run": "runs(first: 10, after: $cursor, filter: {memoryMode: {eq: reference_only}}, "
    "orderBy: {field: startedAt, direction: desc})",
    "Activation": "activations(last: 10, before: $cursor, filter: {status: {eq: error}})",
    "Artifact": "artifacts(first: 10, after: $cursor, filter: {producedBy: {status: {eq: error}}})",
}


class Catching:
    """A database that remembers the compiled statement."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.caught: tuple[str, dict[str, Any]] = ("", {})

    async def read_value(self, text: LiteralString, parameters: dict[str, Any]) -> Any:
        self.caught = text, parameters
        return await self._database.read_value(text, parameters)


@pytest.mark.slow
@pytest.mark.parametrize("shares", [1, len(SEEN)], ids=["one audience", "several audiences"])
async def test_a_page_costs_what_it_holds(
    database: Database, schema: ReadSchema, neo4j_server: Server, shares: int
) -> None:
    await make_world(database)
    viewer = reader(SEEN[:shares])
    await _grow(database, "Goal", 0, 200)
    assert await _hits(database, schema, neo4j_server, viewer, PAGE) <= COST
    await _grow(database, "Goal", 200, 2_000)
    assert await _hits(database, schema, neo4j_server, viewer, PAGE) <= COST


@pytest.mark.slow
@pytest.mark.parametrize(
    ("label", "audiences"),
    [
        *(("Goal", audiences) for audiences in (SEEN[:1], SEEN, AUDIENCES)),
        *(("Run", audiences) for audiences in (SEEN, AUDIENCES)),
        ("Activation", SEEN[:1]),
        ("Artifact", SEEN),
    ],
)
async def test_a_filter_without_an_index_costs_no_more_than_its_walk(
    database: Database, neo4j_server: Server, label: str, audiences: tuple[str, ...]
) -> None:
    schema = build_schema(limits=replace(WIDE, walk=WALK))
    info = "pageInfo { startCursor endCursor truncated { walked } }"
    document = f"query($cursor: String) {{ list: {WALKS[label]} {{ nodes {{ id }} {info} }} }}"
    for former, records in ((0, 2_000), (2_000, 6_000)):
        await _grow(database, label, former, records)
        first = await schema.execute(document, None, Context(reader(audiences), database, "request"))
        page = (first.data or {})["list"]["pageInfo"]
        place = page["startCursor" if label == "Activation" else "endCursor"]
        for cursor in (None, place):
            assert await _hits(database, schema, neo4j_server, reader(audiences), document, cursor) <= WALKED_COST


@pytest.mark.slow
async def test_a_filter_that_most_records_pass_costs_its_page(
    database: Database, schema: ReadSchema, neo4j_server: Server
) -> None:
    await _grow(database, "Goal", 0, 2_000)
    document = (
        "{ goals(first: 10, filter: {lifecycleState: {eq: active}}) { nodes { id name } pageInfo { endCursor } } }"
    )
    assert await _hits(database, schema, neo4j_server, reader(), document) <= COST


async def _grow(database: Database, label: str, former: int, records: int) -> None:
    await database.run_alone(GROW, label=label, former=former, records=records, audiences=[*SEEN, *HIDDEN])
    await database.run_alone("CALL db.awaitIndexes(60)")
    await database.run_alone("CALL db.prepareForReplanning(60)")


async def _hits(  # noqa: PLR0917 - what is asked, of whom, by whom
    database: Database, schema: ReadSchema, server: Server, viewer: Viewer, document: str, cursor: str | None = None
) -> int:
    catching: Any = Catching(database)
    result = await schema.execute(document, {"cursor": cursor}, Context(viewer, catching, "request"))
    assert result.errors is None
    [(_, page)] = (result.data or {}).items()
    assert len(page["nodes"]) == 10 or page["pageInfo"]["truncated"]["walked"] > 0
    text, parameters = catching.caught
    async with neo4j.AsyncGraphDatabase.driver(server.uri, auth=(server.user, server.password)) as driver:  # pyright: ignore[reportUnknownMemberType]
        profiled = await driver.execute_query(cast("LiteralString", f"PROFILE {text}"), parameters)
    profile: Any = cast("Any", profiled.summary).profile
    return _sum(profile)


def _sum(operator: dict[str, Any]) -> int:
    return operator.get("dbHits", 0) + sum(_sum(one) for one in operator.get("children", ()))
