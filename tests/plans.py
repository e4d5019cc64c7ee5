"""How Neo4j would carry out a statement."""

from collections.abc import Iterator
from typing import Any, LiteralString, cast

from service.graph.database import Database


async def plan_anew(database: Database) -> None:
    """From here on plans are made for the graph as it is now, not as it was when a statement was planned last."""
    await database.run_alone("CALL db.prepareForReplanning()")


async def operators(database: Database, statement: LiteralString, **parameters: Any) -> list[str]:
    async with cast("Any", database.driver).session() as session:
        summary: Any = await (await session.run("EXPLAIN " + statement, parameters)).consume()
    return [*_of(summary.plan)]


def _of(plan: Any) -> Iterator[str]:
    yield plan["operatorType"].removesuffix("@neo4j")
    for one in plan.get("children", ()):
        yield from _of(one)
