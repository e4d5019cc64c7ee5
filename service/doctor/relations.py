"""Relationships: do they join what the registry lets them join, and say what they may say?"""

from collections.abc import Iterator, Mapping
from typing import Any

from graph_schema.model.fields import DataClass, Field, Kind
from graph_schema.model.registry import Registry
from graph_schema.model.relation import Relation
from service.doctor import cypher
from service.doctor.finding import Tally
from service.doctor.records import remains
from service.graph.database import Database, Row
from service.graph.flows import flows_of

MOST_SAMPLED = 20

_TYPES: dict[Kind, tuple[str, ...]] = {
    Kind.string: ("STRING",),
    Kind.enum: ("STRING",),
    Kind.timestamp: ("STRING",),
    Kind.integer: ("INTEGER",),
    Kind.long: ("INTEGER",),
    Kind.number: ("FLOAT", "INTEGER"),
    Kind.boolean: ("BOOLEAN",),
}


async def check_relations(database: Database, registry: Registry, tally: Tally) -> None:
    sampled = 0
    for shape in await database.examine(cypher.RELATION_SHAPES):
        for check, subject in _problems(registry, shape):
            samples = await _samples(database, shape) if sampled < MOST_SAMPLED else []
            tally.add_many(check, subject, shape["count"], samples)
            sampled += 1
    await _check_inheritance(database, registry, tally)


def _problems(registry: Registry, shape: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    tail, head = (_primary(registry, shape[end]) for end in ("tails", "heads"))
    sentence = f"({tail})-[:{shape['type']}]->({head})"
    typed = [one for one in registry.relations if one.type == shape["type"]]
    if not typed:
        yield "relation_unknown", sentence
        return
    fitting = [one for one in typed if _may_be(registry, tail, one.tails) and _may_be(registry, head, one.heads)]
    if not fitting:
        yield "relation_misplaced", sentence
        return
    for name in _wrong_properties(fitting[0], dict(shape["properties"])):
        yield "relation_property", f"{shape['type']}.{name}"


def _may_be(registry: Registry, label: str, end: tuple[str, ...]) -> bool:
    """What is left of an erased record keeps the links that tell what happened, whatever they joined."""
    return label in registry.members(end) or label in remains(registry)


def _wrong_properties(relation: Relation, found: Mapping[str, str]) -> Iterator[str]:
    fields = relation.fields
    yield from (name for name, one in fields.items() if one.required and name not in found)
    yield from (name for name, type_ in found.items() if name not in fields or not _fits(fields[name], type_))


def _fits(one: Field, value_type: str) -> bool:
    """`STRING NOT NULL`, `LIST<STRING NOT NULL> NOT NULL`: as Neo4j's valueType() writes them."""
    scalars = [f"{scalar} NOT NULL" for scalar in _TYPES[one.kind]]
    if one.many:
        return value_type in {"LIST<NOTHING> NOT NULL", *(f"LIST<{scalar}> NOT NULL" for scalar in scalars)}
    return value_type in scalars


async def _samples(database: Database, shape: Row) -> list[str]:
    rows = await database.examine(
        cypher.RELATION_SAMPLES,
        type=shape["type"],
        tails=shape["tails"],
        heads=shape["heads"],
        properties=shape["properties"],
    )
    return [row["sample"] for row in rows if row["sample"]]


async def _check_inheritance(database: Database, registry: Registry, tally: Tally) -> None:
    rows = await database.examine(
        cypher.LESS_PROTECTED,
        **flows_of(registry),
        ranks={one.value: rank for rank, one in enumerate(DataClass)},
    )
    for row in rows:
        tally.add_many("access_not_inherited", f"by {row['type']}", row["count"], row["samples"])


def _primary(registry: Registry, labels: list[str]) -> str:
    return next((label for label in labels if label in registry.types), "?")
