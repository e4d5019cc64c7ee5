"""Constraints, indexes and migrations: are they there, and do they answer?"""

from collections.abc import Sequence

from graph_schema.model.registry import Registry
from graph_schema.output.ddl import Index, IndexKind, vector_index_prefix, vector_labels
from service.doctor import cypher
from service.doctor.finding import Tally
from service.graph.database import Database, Row
from service.graph.migrations.migrate import Found, Plan
from service.graph.migrations.schema import Shown

_STATES = {"FAILED": "index_failed", "POPULATING": "index_populating"}


async def check_schema(database: Database, registry: Registry, plan: Plan, found: Found, tally: Tally) -> None:
    for one in plan.todo(found):
        tally.add("migration_pending", one.title, f"{one.number}")
    if 0 not in found.recorded:
        tally.add("migration_pending", "schema", "0")
    for one in plan.indexes:
        _check_index(one, found.shown.get(one.name), tally)
    if plan.vectors:
        _check_other_models(registry, plan.vectors, found.shown, tally)
    for one in plan.wanted:
        if one.kind is IndexKind.unique and one.name not in found.shown:
            await _find_duplicates(database, one, tally)


def _check_index(wanted: Index, shown: Row | None, tally: Tally) -> None:
    subject = f"{wanted.kind.value} {wanted.name}"
    if shown is None:
        tally.add("index_missing", subject, wanted.name)
    elif not wanted.is_shown_as(shown):
        tally.add("index_different", subject, wanted.name)
    elif shown["state"] in _STATES:
        tally.add(_STATES[shown["state"]], subject, wanted.name)


def _check_other_models(registry: Registry, vectors: Sequence[Index], shown: Shown, tally: Tally) -> None:
    ours = {one.name for one in vectors}
    prefixes = tuple(vector_index_prefix(label) for label in vector_labels(registry))
    for name, row in shown.items():
        if row["type"] == "VECTOR" and name.startswith(prefixes) and name not in ours:
            tally.add("index_of_other_model", name, name)


async def _find_duplicates(database: Database, unique: Index, tally: Tally) -> None:
    """Only where the constraint is missing: where it is there, Neo4j itself sees to it."""
    [row] = await database.examine(cypher.DUPLICATES, label=unique.labels[0], properties=list(unique.properties))
    tally.add_many("duplicate_key", unique.facts[0], row["count"], row["samples"])
