"""Access flows from a record to what was made from it: the strictest class, the union of the matters."""

from typing import Any, LiteralString

from graph_schema.fields import DataClass
from graph_schema.registry import Registry
from service.access.audience import audience_of, rank_of, strictest
from service.graph.database import Transaction

DERIVED: LiteralString = """
UNWIND $ids AS id
MATCH (source:Record {id: id})
CALL (source) {
  MATCH (source)<-[:$any($by_tail)]-(derived:Record) RETURN derived
  UNION
  MATCH (source)-[:$any($by_head)]->(derived:Record) RETURN derived
}
RETURN DISTINCT derived.id AS id
"""

SOURCES: LiteralString = """
UNWIND $ids AS id
MATCH (n:Record {id: id})
RETURN n.id AS id, n.own_data_class AS own_class, n.own_matter_ids AS own_matters, n.audience AS audience,
  COLLECT { MATCH (n)-[:$any($by_tail)]->(s:Record) RETURN s {.id, .data_class, .matter_ids} }
  + COLLECT { MATCH (n)<-[:$any($by_head)]-(s:Record) RETURN s {.id, .data_class, .matter_ids} } AS sources
"""

SET_ACCESS: LiteralString = """
UNWIND $changes AS one
MERGE (a:Audience {audience: one.audience})
ON CREATE SET a.data_class = one.data_class, a.rank = one.rank, a.matter_ids = one.matter_ids
WITH one
MATCH (n:Record {id: one.id})
SET n.data_class = one.data_class, n.matter_ids = one.matter_ids, n.audience = one.audience
WITH n, one
MATCH (e:Event {about: n.id}) WHERE NOT e.kind STARTS WITH 'access.'
SET e.audience = one.audience
"""


async def inherit(transaction: Transaction, registry: Registry, start: set[str]) -> None:
    """Recompute the access of these records and of all that was derived from them, directly or not."""
    types = {
        "by_tail": [one.type for one in registry.relations if one.inherits == "tail"],
        "by_head": [one.type for one in registry.relations if one.inherits == "head"],
    }
    reached, border = set(start), set(start)
    while border:
        rows = await transaction.run(DERIVED, ids=sorted(border), **types)
        border = {row["id"] for row in rows} - reached
        reached |= border
    rows = await transaction.run(SOURCES, ids=sorted(reached), **types)
    await transaction.run(SET_ACCESS, changes=_settled(rows, start))


def _settled(rows: list[dict[str, Any]], start: set[str]) -> list[dict[str, Any]]:
    """Let class and matters flow until nothing changes; loops are harmless because both only grow.

    The records it starts from are always written: they have changed already, their events have not.
    """
    access = {row["id"]: (DataClass(row["own_class"]), frozenset[str](row["own_matters"])) for row in rows}
    moving = True
    while moving:
        moving = False
        for row in rows:
            flow = [access[row["id"]], *(_access_of(source, access) for source in row["sources"])]
            settled = strictest(one for one, _ in flow), frozenset[str]().union(*(matters for _, matters in flow))
            moving |= settled != access[row["id"]]
            access[row["id"]] = settled
    before = {row["id"]: row["audience"] for row in rows if row["id"] not in start}
    changes = [_change(one, data_class, matters) for one, (data_class, matters) in access.items()]
    return [change for change in changes if change["audience"] != before.get(change["id"])]


def _access_of(
    source: dict[str, Any], access: dict[str, tuple[DataClass, frozenset[str]]]
) -> tuple[DataClass, frozenset[str]]:
    return access.get(source["id"]) or (DataClass(source["data_class"]), frozenset(source["matter_ids"]))


def _change(record_id: str, data_class: DataClass, matters: frozenset[str]) -> dict[str, Any]:
    return {
        "id": record_id,
        "data_class": data_class.value,
        "rank": rank_of(data_class),
        "matter_ids": sorted(matters),
        "audience": audience_of(data_class, matters),
    }
