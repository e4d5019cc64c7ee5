"""How Neo4j would carry out a statement."""

from collections.abc import Iterator
from typing import Any, LiteralString, cast

from service.graph.database import Database


async def operators(database: Database, statement: LiteralString, **parameters: Any) -> list[str]:
    """Planned for the graph as it is now, not as it was when the statement was planned last."""
    async with cast("Any", database.driver).session() as session:
        await (await session.run("CALL db.clearQueryCaches()")).consume()
        summary: Any = await (await session.run("EXPLAIN " + statement, parameters)).consume()
    return [*_of(summary.plan)]


def _of(plan: Any) -> Iterator[str]:
    yield plan["operatorType"].removesuffix("@neo4j")
    for one in plan.get("children", ()):
        yield from _of(one)
