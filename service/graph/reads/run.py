"""Running a compiled read: one auto-commit statement, one row."""

from typing import Any

import neo4j
from neo4j import exceptions as driver_errors

from service.graph.database import Database
from service.graph.errors import translate
from service.graph.reads.plan import Bound, Plan


async def run_plan(database: Database, plan: Plan, bound: Bound) -> Any:
    """The answer, in the shape that was asked for."""
    try:
        row = await _row(database, plan, bound)
    except (driver_errors.Neo4jError, driver_errors.DriverError) as error:
        raise translate(error) from error
    return plan.shape(row, bound)


async def _row(database: Database, plan: Plan, bound: Bound) -> list[Any]:
    # `Database.read` copies every value that a row contains, which doubles the time of a large answer.
    query = neo4j.Query(plan.text, timeout=database._read_timeout)  # pyright: ignore[reportPrivateUsage]
    async with database._session(neo4j.READ_ACCESS, "read") as session:  # pyright: ignore[reportPrivateUsage]
        result = await session.run(query, bound)
        return (await result.fetch(1))[0].value()
