"""Records that some must not see: of every type one for all, one above clearance and one of another matter, linked."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from graph_schema.model.fields import Field, Kind
from graph_schema.model.record import RecordType
from graph_schema.model.relation import Relation
from graph_schema.registry import REGISTRY
from service.access.audience import audience_of
from service.graph.database import Database

MARK = "Xyzzyx"
AT = "2026-01-01T00:00:00.000Z"
TIMES = (AT, "2026-01-02T00:00:00.000Z", "2026-01-03T00:00:00.000Z")
"""When each of the three records of a type was made: the one field that all types can be filtered by."""

MATCHES = {f"match{kind}s" for kind in ("Template", "Preset", "Pattern", "Case", "Blueprint", "Segment")}

BESIDES = 0
CLASSED, OF_MATTER = 1, 2

RECORDS = """
UNWIND $records AS one
CREATE (n:$(one.labels)) SET n = one.values
MERGE (a:Audience {audience: n.audience})
ON CREATE SET a.data_class = n.data_class, a.rank = one.rank, a.matter_ids = n.matter_ids
"""
LINKS = """
UNWIND $links AS one
MATCH (t:Record {id: one.tail}) MATCH (h:Record {id: one.head})
CREATE (t)-[r:$(one.type)]->(h) SET r = one.properties
"""


@asynccontextmanager
async def marks(database: Database, matter: str) -> AsyncGenerator[None]:
    """With these records in the graph. Those of another matter are of this one."""
    await database.run_alone(RECORDS, records=_records(matter))
    await database.run_alone(LINKS, links=_links())
    yield
    await database.run_alone("MATCH (n:Record) WHERE n.name STARTS WITH $mark DETACH DELETE n", mark=MARK)


def marked_id(kind: RecordType, number: int) -> str:
    return f"{kind.prefix}_marked{number}"


def ref(record_id: str) -> dict[str, str]:
    return {"id": record_id}


def _records(matter: str) -> list[dict[str, Any]]:
    access: list[tuple[str, int, list[str]]] = [("internal", 1, []), ("local_only", 3, []), ("internal", 1, [matter])]
    return [
        {"labels": [kind.label, "Record"], "values": _values(kind, number, data_class, matters), "rank": rank}
        for kind in REGISTRY.types.values()
        for number, (data_class, rank, matters) in enumerate(access)
    ]


def _links() -> list[dict[str, Any]]:
    return [
        {
            "tail": marked_id(REGISTRY.types[tail], one),
            "head": marked_id(REGISTRY.types[head], other),
            "type": relation.type,
            "properties": _of_link(relation),
        }
        for relation in REGISTRY.relations
        for tail in REGISTRY.members(relation.tails)
        for head in REGISTRY.members(relation.heads)
        for one, other in ((0, 0), (0, 1), (0, 2), (1, 0), (2, 0))
    ]


def _of_link(relation: Relation) -> dict[str, Any]:
    needed = {name: fitting(one, 0) for name, one in relation.fields.items() if one.required}
    return relation.link.model_validate(needed).properties()


def _values(kind: RecordType, number: int, data_class: str, matters: list[str]) -> dict[str, Any]:
    given = {
        "id": marked_id(kind, number),
        "name": f"{MARK} {kind.label} {number}",
        "created_at": TIMES[number],
        "data_class": data_class,
        "matter_ids": matters,
        "own_data_class": data_class,
        "own_matter_ids": matters,
        "audience": audience_of(data_class, matters),
    }
    needed = {name: fitting(one, number) for name, one in kind.fields.items() if one.required and name not in given}
    return kind.model.model_validate({**needed, **given}).properties()


def fitting(field: Field, number: int) -> Any:
    """A value that fits, another one for each record: some fields are unique."""
    if field.enum is not None:
        return next(one.value for one in field.enum if one.value != "matter")
    made = {Kind.timestamp: AT, Kind.integer: 1, Kind.long: 1, Kind.number: 1.0, Kind.boolean: False}
    one = made.get(field.kind, f"{MARK}{number}")
    return [one] if field.many else one


HIDDEN = [marked_id(kind, number) for kind in REGISTRY.types.values() for number in (CLASSED, OF_MATTER)]
RUNS = [marked_id(REGISTRY.types["Run"], number) for number in (CLASSED, OF_MATTER)]
