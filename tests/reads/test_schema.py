"""The schema follows the registry, and every part of it is described."""

from typing import Any

import pytest

from graph_schema import RECORDS, REGISTRY
from graph_schema.fields import Kind, Layer, Text, field
from graph_schema.record import Record
from graph_schema.registry import Registry
from graph_schema.relation import ANY, Relation
from graph_schema.relations import RELATIONS
from graph_schema.system import SYSTEM
from resolvers.context import Context
from resolvers.execution import ReadSchema
from resolvers.schema import build_schema
from service.graph.database import Database
from tests.reads.world import SEEN, reader


class Finding(Record):
    """Something that was noticed."""

    label = "Finding"
    plural = "findings"
    prefix = "find"
    layer = Layer.learning
    colour = "#123456"

    weight: int = field("How much it matters.", default=1, ordered=True)
    remark: Text | None = field("What was noticed.", default=None)


def test_everything_is_described() -> None:
    schema: Any = build_schema()
    bare: list[str] = []
    for name, type_ in schema._schema.type_map.items():
        if name.startswith("__"):
            continue
        if not type_.description:
            bare.append(name)
        for field_name, one in getattr(type_, "fields", {}).items():
            if not one.description:
                bare.append(f"{name}.{field_name}")
            bare += [
                f"{name}.{field_name}({arg})" for arg, it in getattr(one, "args", {}).items() if not it.description
            ]
    assert not bare


@pytest.mark.parametrize("label", list(REGISTRY.types))
def test_types_have_the_fields_of_the_registry_and_no_hidden_ones(schema: ReadSchema, label: str) -> None:
    core: Any = schema._schema  # pyright: ignore[reportPrivateUsage]
    found = core.type_map[label]
    kind = REGISTRY.types[label]
    shown = {one.name for one in kind.fields.values() if not one.hidden}
    assert set(found.fields) == shown | set(REGISTRY.relation_fields(label))
    assert [one.name for one in found.interfaces] == [ANY]
    required = {name for name, one in found.fields.items() if str(one.type).endswith("!")}
    assert required == {"id", *REGISTRY.relation_fields(label)}
    for one in kind.fields.values():
        if one.kind is Kind.enum and one.enum is not None and not one.hidden:
            assert list(core.type_map[one.enum.__name__].values) == [value.value for value in one.enum]


async def test_a_new_record_type_needs_no_change_elsewhere(database: Database) -> None:
    relation = Relation(
        "NOTICED_IN", ("Finding",), (ANY,), "noticed", "A finding, and where it was made.", Layer.learning
    )
    schema = build_schema(Registry((*RECORDS, Finding), (*RELATIONS, relation), SYSTEM))
    await database.run_alone(
        "CREATE (f:Finding:Record {id: 'find_1', name: 'A', created_at: '2026-01-01T00:00:00.000Z', weight: 3, "
        "audience: $audience})-[:NOTICED_IN]->(:Goal:Record {id: 'goal_1', name: 'B', "
        "created_at: '2026-01-01T00:00:00.000Z', audience: $audience})",
        audience=SEEN[0],
    )
    document = """{
        findings(filter: {weight: {gt: 2}, noticed_in: {name: {eq: "B"}}}, orderBy: {field: weight}) {
            nodes { weight noticed_in { nodes { __typename id ... on Goal { noticed { nodes { id } } } } } }
        }
    }"""
    result = await schema.execute(document, None, Context(reader(), database, "request"))
    assert result.errors is None
    goal = {"__typename": "Goal", "id": "goal_1", "noticed": {"nodes": [{"id": "find_1"}]}}
    assert result.data == {"findings": {"nodes": [{"weight": 3, "noticed_in": {"nodes": [goal]}}]}}
