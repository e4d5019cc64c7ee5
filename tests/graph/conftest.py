"""Records made directly in the graph, well-formed or damaged on purpose, and schemas that are put back afterwards."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from pathlib import Path
from typing import Any, LiteralString

import pytest

from graph_schema.model.fields import EvidenceLayer, Key, Keys, field
from graph_schema.model.record import Record
from graph_schema.model.registry import Registry
from graph_schema.model.system import SYSTEM
from graph_schema.output.ddl import drop_statement, schema_ddl
from graph_schema.registry import RECORDS, REGISTRY, RELATIONS
from service.access.audience import audience_of
from service.commands.card_text import card_text, text_hash
from service.graph.database import Database
from service.graph.migrations import migrate
from service.graph.migrations.schema import shown_indexes
from tests.slow import mark_slow

MOMENT = "2026-01-31T09:30:00.000Z"

# The card comes with the record, as commands make it.
CREATE_RECORD: LiteralString = """
CREATE (n:$($labels)) SET n = $properties
MERGE (:Audience {audience: $properties.audience})
FOREACH (properties IN $cards | CREATE (card:Card:Record)-[:DESCRIBES]->(n) SET card = properties)
"""

Add = Callable[..., Awaitable[str]]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    mark_slow(items, Path(__file__).parent, "schema_put_back")


class Later(Record):
    """A record type of a later version."""

    label = "Later"
    plural = "laters"
    prefix = "later"
    layer = EvidenceLayer.memory
    colour = "#000000"

    matter_of_taste: Key = field("Something new.", indexed=True, fulltext=True)
    goal_ids: Keys = field("Goals, by their ids.", make=list)


GROWN = Registry((*RECORDS, Later), RELATIONS, SYSTEM)
"""What the registry may be in a later version."""


@pytest.fixture
def add(database: Database) -> Add:
    async def add_record(label: str, record_id: str, **values: Any) -> str:
        record_type = REGISTRY.types[label]
        given = {**_access(values), **values, "id": record_id}
        record = record_type.model.model_validate({"created_at": MOMENT, "updated_at": MOMENT, **given})
        properties = record.properties()
        labels = record_type.model.labels(properties)
        cards = [card_of(label, properties)] if record_type.carded else []
        await database.run_alone(CREATE_RECORD, labels=labels, properties=properties, cards=cards)
        return record_id

    return add_record


def card_of(label: str, properties: dict[str, Any]) -> dict[str, Any]:
    text = card_text(REGISTRY.types[label], properties)
    shared = ("name", "created_at", "updated_at", "data_class", "matter_ids", "audience")
    card = REGISTRY.types["Card"].model.model_validate(
        {
            **{name: properties[name] for name in shared},
            "id": f"card_{properties['id']}",
            "own_data_class": properties["data_class"],
            "own_matter_ids": properties["matter_ids"],
            "describes_kind": label,
            "text": text,
            "text_hash": text_hash(text),
            "vector_due": True,
        }
    )
    return card.properties()


def _access(values: dict[str, Any]) -> dict[str, Any]:
    data_class, matters = values.get("data_class", "internal"), values.get("matter_ids", [])
    return {
        "data_class": data_class,
        "matter_ids": matters,
        "own_data_class": data_class,
        "own_matter_ids": matters,
        "audience": audience_of(data_class, matters),
    }


async def drop_vectors(database: Database) -> None:
    """As if no model had been used with the graph yet."""
    for name, row in (await shown_indexes(database)).items():
        if row["type"] == "VECTOR":
            await database.run_alone(drop_statement(name, owned_by_constraint=False))


@pytest.fixture
async def schema_put_back(database: Database) -> AsyncGenerator[Database]:
    """A database whose schema and migrations a test may change as it likes; no model has been used with it yet."""
    await drop_vectors(database)
    yield database
    await database.run_alone("MATCH (n) WHERE n:Migration OR n:Lock OR n:Record OR n:Probe DETACH DELETE n")
    wanted = {one.name: one for one in schema_ddl(REGISTRY)}
    for name, row in (await shown_indexes(database)).items():
        if row["type"] != "LOOKUP" and (name not in wanted or not wanted[name].is_shown_as(row)):
            await database.run_alone(drop_statement(name, owned_by_constraint=row["owningConstraint"] is not None))
    await migrate(database, REGISTRY)
