"""A generated world of three levels: projects, ten goals for each, two preferences for each goal."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any, LiteralString, TypeVar

from graph_schema.registry import REGISTRY
from service import clock
from service.access.audience import audience_of
from service.graph.database import Database

PROJECTS = 4_000
GOALS_EACH = 10
PREFERENCES_EACH = 2
ONE_IN = 100
"""One goal in so many is of the narrow audience. There are as many restrictions, and all of them are."""

ALL, FEW = "ent_bmost", "ent_bfew"
"""The matters of most records, and of one goal in a hundred."""

BATCH = 5_000
START = datetime(2026, 1, 1, tzinfo=UTC)

AUDIENCES: LiteralString = """
UNWIND $matters AS matter
MERGE (a:Audience {audience: 'internal|' + matter})
SET a.data_class = 'internal', a.rank = 1, a.matter_ids = [matter]
"""

# Written as a bare driver would: the measurements are about reading it.
CREATE: LiteralString = """
UNWIND $rows AS row
CREATE (n:$($labels)) SET n = row.values
WITH n, row WHERE row.head IS NOT NULL
MATCH (head:Record {id: row.head})
CREATE (n)-[:$($type)]->(head)
"""

Row = dict[str, Any]
T = TypeVar("T")


async def open_matters(database: Database) -> None:
    """Make the two matters, so that people can be members of them."""
    await database.run_alone(AUDIENCES, matters=[ALL, FEW])
    rows = [{**row("Entity", one, one, kind="matter"), "head": None} for one in (ALL, FEW)]
    await database.run_alone(CREATE, rows=rows, labels=["Entity", "Matter", "Record"], type="PART_OF")


async def grow(database: Database, former: int, projects: int) -> None:
    """Let the world grow from so many projects to so many."""
    goals, preferences = GOALS_EACH, GOALS_EACH * PREFERENCES_EACH
    await _create(database, "Entity", "PART_OF", (_project(n) for n in range(former, projects)))
    await _create(database, "Goal", "CONCERNS", (_goal(n) for n in range(former * goals, projects * goals)))
    await _create(
        database,
        "Preference",
        "CONSTRAINS_GOAL",
        (_preference(n) for n in range(former * preferences, projects * preferences)),
    )
    few = range(former * goals // ONE_IN, projects * goals // ONE_IN)
    await _create(database, "Restriction", "APPLIES_TO", (_restriction(n) for n in few))
    await database.run_alone("CALL db.awaitIndexes(600)")
    await database.run_alone("CALL db.prepareForReplanning()")


async def _create(database: Database, label: str, kind: str, rows: Iterable[Row]) -> None:
    for batch in batches(rows):
        await database.run_alone(CREATE, rows=batch, labels=[label, "Record"], type=kind)


def batches(rows: Iterable[T]) -> Iterator[list[T]]:
    remaining = iter(rows)
    while batch := list(islice(remaining, BATCH)):
        yield batch


def _project(n: int) -> Row:
    return row("Entity", n, ALL, kind="project", summary=f"Project number {n} of the bench.")


def _goal(n: int) -> Row:
    matter = FEW if n % ONE_IN == 0 else ALL
    more = {"goal_type": "task_outcome_goal", "goal_statement": f"Reach aim number {n}."}
    return row("Goal", n, matter, head=f"ent_b{n // GOALS_EACH}", **more)


def _preference(n: int) -> Row:
    return row("Preference", n, ALL, head=f"goal_b{n // PREFERENCES_EACH}", statement=f"Prefer way number {n}.")


def _restriction(n: int) -> Row:
    return row("Restriction", n, FEW, statement=f"Never go way number {n}.")


def row(label: str, n: int | str, matter: str, head: str | None = None, **values: Any) -> Row:
    """A record by number, or with an id of its own."""
    kind = REGISTRY.types[label]
    at = clock.stamp(START + timedelta(milliseconds=n if isinstance(n, int) else 0))
    access = {
        "own_data_class": "internal",
        "matter_ids": [matter],
        "own_matter_ids": [matter],
        "audience": audience_of("internal", [matter]),
    }
    record_id = f"{kind.prefix}_b{n}" if isinstance(n, int) else n
    shared = {"id": record_id, "name": f"{label} {n}", "created_at": at, "updated_at": at}
    return {"head": head, "values": kind.model.model_validate({**shared, **access, **values}).properties()}
