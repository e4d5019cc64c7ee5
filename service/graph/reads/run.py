"""Running a compiled read: one auto-commit statement, one row."""

from typing import Any

import neo4j

from service.graph.database import Database
from service.graph.reads.plan import Bound, Plan


async def run_plan(database: Database, plan: Plan, bound: Bound) -> Any:
    """The answer, in the shape that was asked for."""
    row = await _value(database, plan, bound)
    return plan.shape(row, bound)


async def _value(database: Database, plan: Plan, bound: Bound) -> list[Any]:
    # Record.data() copies every value it contains: 17 ms for 1,500 objects. The row is taken as it came.
    async with database._session(neo4j.READ_ACCESS, "read") as session:  # noqa: SLF001
        result = await session.run(plan.text, bound)
        return (await result.fetch(1))[0].value()
