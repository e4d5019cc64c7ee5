"""Running a compiled read: one auto-commit statement, one row."""

from typing import Any

from service.graph.database import Database
from service.graph.reads.plan import Bound, Plan


async def run_plan(database: Database, plan: Plan, bound: Bound) -> Any:
    """The answer, in the shape that was asked for."""
    return plan.shape(await database.read_value(plan.text, bound), bound)
