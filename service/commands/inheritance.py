"""Access flows from a record to what is part of it or made from it: the strictest class, the union of the matters.

Which relation hands it down, and in which direction, the registry says. What belongs to a run takes over the run's.
What is only named so far hands nothing on; it is as closed as all that names it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, LiteralString

from graph_schema.model.registry import Registry
from service.access.audience import Access, audience_row, is_stub_audience, of_stub, stub_audience
from service.graph.database import Transaction
from service.graph.flows import PARTS_OF_RUNS, flows_of, hands_down, names, unplaced

Values = dict[str, Any]

DERIVED: LiteralString = (
    """
UNWIND $ids AS id
MATCH (source:Record {id: id})
WHERE NOT ("""
    + unplaced("source")
    + """)
CALL (source) {
  MATCH (source)<-[r:$any($types.tail)]-(derived:Record) WHERE """
    + hands_down("tail", "derived")
    + """ RETURN derived
  UNION
  MATCH (source)-[r:$any($types.head)]->(derived:Record) WHERE """
    + hands_down("head", "source")
    + """ RETURN derived
  UNION
  WITH source WHERE source:Run
  MATCH (derived:"""
    + PARTS_OF_RUNS
    + """ {run_id: source.id}) RETURN derived
  UNION
  MATCH (source)-[r]-(derived:Record) WHERE """
    + names("derived")
    + """ RETURN derived
}
RETURN DISTINCT derived.id AS id
"""
)

_SOURCE: LiteralString = "s {.id, .data_class, .matter_ids}"

# What is only named so far keeps what it was closed by; who names it besides is among the records that are settled.
SOURCES: LiteralString = (
    """
UNWIND $ids AS id
MATCH (n:Record {id: id})
RETURN n {.id, .own_data_class, .own_matter_ids, .data_class, .matter_ids, .audience, .reporters,
  unplaced: """
    + unplaced("n")
    + """} AS record,
  CASE WHEN """
    + unplaced("n")
    + """ THEN COLLECT { MATCH (n)-[r]-(s:Record) WHERE s.id IN $ids AND NOT type(r) IN $receipts AND NOT ("""
    + unplaced("s")
    + """) RETURN """
    + _SOURCE
    + """ }
  ELSE COLLECT { MATCH (n)-[r:$any($types.tail)]->(s:Record) WHERE """
    + hands_down("tail", "n")
    + " AND NOT ("
    + unplaced("s")
    + """) RETURN """
    + _SOURCE
    + """ }
  + COLLECT { MATCH (n)<-[r:$any($types.head)]-(s:Record) WHERE """
    + hands_down("head", "s")
    + " AND NOT ("
    + unplaced("s")
    + """) RETURN """
    + _SOURCE
    + """ }
  + COLLECT { MATCH (s:Record {id: n.run_id}) WHERE s:Run RETURN """
    + _SOURCE
    + """ } END AS sources
"""
)

SET_ACCESS: LiteralString = """
UNWIND $changes AS one
MERGE (a:Audience {audience: one.audience})
ON CREATE SET a.data_class = one.data_class, a.rank = one.rank, a.matter_ids = one.matter_ids,
  a.principal_ids = one.principal_ids
WITH one
MATCH (n:Record {id: one.id})
SET n.data_class = one.data_class, n.matter_ids = one.matter_ids, n.audience = one.audience
WITH n, one
MATCH (e:Event {about: n.id}) WHERE NOT e.kind STARTS WITH 'access.'
SET e.audience = one.audience
"""


async def inherit(transaction: Transaction, registry: Registry, start: set[str]) -> None:
    """Recompute the access of these records and of all that takes it over from them, directly or not."""
    ids = sorted(await reached(transaction, registry, start))
    rows = await transaction.run(SOURCES, ids=ids, **flows_of(registry))
    await transaction.run(SET_ACCESS, changes=_settled(rows, start))


async def reached(transaction: Transaction, registry: Registry, start: set[str]) -> set[str]:
    """These records and all that takes access over from them, directly or not."""
    found, border = set(start), set(start)
    while border:
        rows = await transaction.run(DERIVED, ids=sorted(border), **flows_of(registry))
        border = {row["id"] for row in rows} - found
        found |= border
    return found


@dataclass(slots=True)
class _Settling:
    values: Values
    sources: list[Values]
    access: Access

    @property
    def is_unplaced(self) -> bool:
        return bool(self.values["unplaced"])

    def placed(self) -> Values:
        """Its properties. Of what was named from too many matters already, nothing narrower is known."""
        if not self.is_unplaced:
            return self.access.values()
        if is_stub_audience(self.values["audience"]):
            return {name: self.values[name] for name in ("data_class", "matter_ids", "audience")}
        return of_stub(self.access, self.values["reporters"] or ())


def _settled(rows: list[Values], start: set[str]) -> list[Values]:
    """Let class and matters flow until nothing changes; loops are harmless because both only grow.

    The records it starts from are always written: they have changed already, their events have not.
    """
    ones = {row["record"]["id"]: _settling(row) for row in rows}
    moving = True
    while moving:
        moving = False
        for one in ones.values():
            flow = one.access.joined(*(_access_of(source, ones) for source in one.sources))
            moving |= flow != one.access
            one.access = flow
    changes = [{"id": record_id, **audience_row(one.placed())} for record_id, one in ones.items()]
    return [one for one in changes if one["id"] in start or one["audience"] != ones[one["id"]].values["audience"]]


def _settling(row: Values) -> _Settling:
    record: Values = row["record"]
    return _Settling(record, row["sources"], Access.of(record) if record["unplaced"] else Access.own(record))


def _access_of(source: Values, ones: Mapping[str, _Settling]) -> Access:
    settling = ones.get(source["id"])
    return settling.access if settling else Access.of(source)


def flows(registry: Registry, tail: str, kind: str, facts: Mapping[str, Any]) -> tuple[bool, bool]:
    """Whether a link hands down access: to its tail, to its head."""
    relation = registry.relation(kind, tail)
    return relation.hands_down(facts) if relation else (False, False)


def is_unplaced(label: str, values: Mapping[str, Any]) -> bool:
    """Whether a record is only named so far: whose it is, is not known."""
    return bool(values.get("stub")) and "run_id" not in values and label != "Run"


def named_by(values: Mapping[str, Any], reporter: str, namers: Iterable[Access]) -> Values:
    """The properties of what is only named so far, once somebody names it in these too."""
    reporters = sorted({*(values.get("reporters") or ()), reporter})
    if is_stub_audience(values["audience"]):
        return {"audience": stub_audience(reporters), "reporters": reporters}
    return {**of_stub(Access.of(values).joined(*namers), reporters), "reporters": reporters}
