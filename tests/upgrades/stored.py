"""A graph in one file: JSON lines of its constraints and indexes, its nodes and its relationships, compressed.

Vectors are left out: they are most of a graph's size, and are made again from the texts.
"""

import lzma
from collections.abc import AsyncGenerator, Iterable, Iterator
from pathlib import Path
from typing import Any, LiteralString

import orjson

from graph_schema.output.ddl import VECTOR_PREFIX, drop_statement
from service.graph.database import Database
from service.graph.migrations.schema import shown_indexes

GRAPHS = Path(__file__).parent / "graphs"
SUFFIX = ".jsonl.xz"
BATCH = 2_000
Line = dict[str, Any]
_OF_VECTORS = ("embedding_model", "embedded_hash", "embedded_at", "second_model", "second_hash", "prototype_hash")

CONSTRAINTS: LiteralString = "SHOW CONSTRAINTS YIELD name, createStatement RETURN name, createStatement AS statement"
INDEXES: LiteralString = """
SHOW INDEXES YIELD name, type, owningConstraint, createStatement WHERE type <> 'LOOKUP' AND type <> 'VECTOR'
  AND owningConstraint IS NULL
RETURN name, createStatement AS statement
"""
NODES: LiteralString = """
MATCH (n) WHERE NOT n:Lock AND NOT n:TaskloreTestGraph
WITH n ORDER BY labels(n), coalesce(n.id, n.event_id, n.command_id, toString(n.number), ''), elementId(n)
RETURN elementId(n) AS place, labels(n) AS labels, properties(n) AS properties
"""
RELATIONSHIPS: LiteralString = """
MATCH (tail)-[r]->(head)
RETURN elementId(tail) AS tail, type(r) AS type, elementId(head) AS head, properties(r) AS properties
"""
CREATE_NODES: LiteralString = """
UNWIND $rows AS row
CREATE (n:$(row.labels)) SET n = row.properties
RETURN collect(elementId(n)) AS places
"""
CREATE_RELATIONSHIPS: LiteralString = """
UNWIND $rows AS row
MATCH (tail) WHERE elementId(tail) = row.tail
MATCH (head) WHERE elementId(head) = row.head
CREATE (tail)-[r:$(row.type)]->(head) SET r = row.properties
"""


def written(lines: list[Line]) -> bytes:
    return lzma.compress(b"\n".join(map(orjson.dumps, lines)), preset=9 | lzma.PRESET_EXTREME)


def read(file: Path) -> list[Line]:
    return [orjson.loads(line) for line in lzma.decompress(file.read_bytes()).split(b"\n")]


async def taken(database: Database) -> list[Line]:
    """The graph, line by line."""
    return [line async for line in _lines(database)]


async def _lines(database: Database) -> AsyncGenerator[Line]:
    for query in (CONSTRAINTS, INDEXES):
        for row in await database.examine(query):
            yield {"schema": row["name"], "statement": row["statement"]}
    places: dict[str, int] = {}
    for row in await database.examine(NODES):
        places[row["place"]] = len(places)
        yield {"labels": row["labels"], "properties": _plain(row["properties"])}
    found = await database.examine(RELATIONSHIPS)
    ties = sorted((places[one["tail"]], one["type"], places[one["head"]], one["properties"]) for one in found)
    for tail, kind, head, properties in ties:
        yield {"tail": tail, "type": kind, "head": head, "properties": properties}


def _plain(properties: dict[str, Any]) -> dict[str, Any]:
    """Without vectors, and as what has none yet."""
    kept = {name: one for name, one in properties.items() if name not in _OF_VECTORS and not _is_vector(name, one)}
    return kept | ({"vector_due": True} if "text_hash" in kept else {})


def _is_vector(name: str, value: Any) -> bool:
    return name.startswith(VECTOR_PREFIX) and isinstance(value, list)


async def put(database: Database, lines: list[Line]) -> None:
    """Make the graph of these lines, in one that is empty, with the constraints and indexes that it had."""
    await _put_schema(database, {one["schema"]: one["statement"] for one in lines if "schema" in one})
    places: list[str] = []
    for rows in _batches(one for one in lines if "labels" in one):
        [made] = await database.run_alone(CREATE_NODES, rows=rows)
        places += made["places"]
    for rows in _batches(one for one in lines if "tail" in one):
        named: list[Line] = [{**one, "tail": places[one["tail"]], "head": places[one["head"]]} for one in rows]
        await database.run_alone(CREATE_RELATIONSHIPS, rows=named)


async def _put_schema(database: Database, wanted: dict[str, LiteralString]) -> None:
    """What is there already as it should be is left: to make all of it takes longer than the rest."""
    shown = await shown_indexes(database)
    there = {one["name"]: one["statement"] for query in (CONSTRAINTS, INDEXES) for one in await database.read(query)}
    for name, statement in there.items():
        if wanted.get(name) != statement:
            owned = shown[name]["owningConstraint"] is not None
            await database.run_alone(drop_statement(name, owned_by_constraint=owned))
    for name, statement in wanted.items():
        if there.get(name) != statement:
            await database.run_alone(statement)


def _batches(rows: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    batch: list[dict[str, Any]] = []
    for row in rows:
        batch.append(row)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch
