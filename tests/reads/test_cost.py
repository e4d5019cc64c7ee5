"""A page costs what it holds, however long its list is."""

from typing import Any, LiteralString, cast

import neo4j
import pytest

from resolvers.context import Context
from resolvers.execution import ReadSchema
from service.access.viewer import Viewer
from service.graph.database import Database
from service.graph.reads.breadth import PROBE
from tests.conftest import Server
from tests.reads.world import HIDDEN, SEEN, make_world, reader

PAGE = "{ goals(first: 10) { nodes { id name } } }"
COST = 2 * PROBE + 12 * 10
"""Accesses to the database: two for each record of the probe, a dozen for each of the page."""

GROW: LiteralString = """
UNWIND range($former + 1, $goals) AS number
CREATE (goal:Goal:Record {
  id: 'goal_more' + number, name: 'More', audience: $audiences[number % size($audiences)], version: 1,
  created_at: '2026-02-01T00:00:00.' + right('00' + (number % 1000), 3) + 'Z', lifecycle_state: 'active'
})
"""


class Catching:
    """A database that remembers the compiled statement."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.caught: tuple[str, dict[str, Any]] = ("", {})

    async def read_value(self, text: LiteralString, parameters: dict[str, Any]) -> Any:
        self.caught = text, parameters
        return await self._database.read_value(text, parameters)


@pytest.mark.parametrize("shares", [1, len(SEEN)], ids=["one audience", "several audiences"])
async def test_a_page_costs_what_it_holds(
    database: Database, schema: ReadSchema, neo4j_server: Server, shares: int
) -> None:
    await make_world(database)
    viewer = reader(SEEN[:shares])
    await _grow(database, 0, 200)
    assert await _hits(database, schema, neo4j_server, viewer) <= COST
    await _grow(database, 200, 2_000)
    assert await _hits(database, schema, neo4j_server, viewer) <= COST


async def _grow(database: Database, former: int, goals: int) -> None:
    await database.run_alone(GROW, former=former, goals=goals, audiences=[*SEEN, *HIDDEN])
    await database.run_alone("CALL db.awaitIndexes(60)")
    await database.run_alone("CALL db.prepareForReplanning(60)")


async def _hits(database: Database, schema: ReadSchema, server: Server, viewer: Viewer) -> int:
    catching: Any = Catching(database)
    result = await schema.execute(PAGE, None, Context(viewer, catching, "request"))
    assert result.errors is None
    assert len((result.data or {})["goals"]["nodes"]) == 10
    text, parameters = catching.caught
    async with neo4j.AsyncGraphDatabase.driver(server.uri, auth=(server.user, server.password)) as driver:  # pyright: ignore[reportUnknownMemberType]
        profiled = await driver.execute_query(cast("LiteralString", f"PROFILE {text}"), parameters)
    profile: Any = cast("Any", profiled.summary).profile
    return _sum(profile)


def _sum(operator: dict[str, Any]) -> int:
    return operator.get("dbHits", 0) + sum(_sum(one) for one in operator.get("children", ()))
