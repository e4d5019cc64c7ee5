"""The schema follows the registry, and every part of it is described."""

import re
from typing import Any

import pytest
from graphql import GraphQLEnumType

from graph_schema.model.fields import EvidenceLayer, Kind, Text, field
from graph_schema.model.names import api_name, stored_name
from graph_schema.model.record import Record
from graph_schema.model.registry import Registry
from graph_schema.model.relation import ANY, Relation
from graph_schema.model.system import SYSTEM
from graph_schema.registry import RECORDS, REGISTRY, RELATIONS
from resolvers.engine.context import Context
from resolvers.engine.execution import ReadSchema
from resolvers.schema import build_schema, printed
from service.graph.database import Database
from tests.resolvers.world import SEEN, reader

TYPESCRIPT = (
    "Array", "Awaited", "Capitalize", "Date", "Error", "Event", "Exclude", "Extract", "Function", "History", "Map",
    "NonNullable", "Object", "Omit", "Parameters", "Partial", "Pick", "Promise", "Proxy", "Readonly", "Record",
    "Required", "ReturnType", "Set", "Symbol", "Uncapitalize", "Uppercase",
)  # fmt: skip
"""Names that a client's generated types would hide. `Node` is Relay's word, and expected."""


class Finding(Record):
    """Something that was noticed."""

    label = "Finding"
    plural = "findings"
    prefix = "find"
    layer = EvidenceLayer.learning
    colour = "#123456"

    weight: int = field("How much it matters.", default=1, ordered=True)
    remark: Text | None = field("What was noticed.", default=None)


@pytest.mark.slow
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
            bare += [f"{name}.{field_name}({arg})" for arg, it in _told_apart(one).items() if not it.description]
    assert not bare


LIST_ARGUMENTS = {"first", "after", "last", "before", "filter", "orderBy"}


def _told_apart(field: Any) -> dict[str, Any]:
    """The arguments of a field. Those that all lists of records share are described once, by the schema itself."""
    arguments: dict[str, Any] = getattr(field, "args", {})
    return {} if set(arguments) == LIST_ARGUMENTS else arguments


def test_the_schema_says_where_to_begin_and_what_all_lists_take() -> None:
    schema: Any = build_schema()
    said = schema._schema.description
    assert all(f"`{one}`" in said for one in LIST_ARGUMENTS)
    named = re.findall(r"`(\w+)`", said)
    query = set(schema._schema.query_type.fields)
    assert {"matchTemplates", "previewContextPacket", "whyExcluded", "run", "provenance", "search"} <= query & set(
        named
    )
    assert printed(schema).startswith('"""\nTasklore')


@pytest.mark.slow
def test_names_of_the_api_are_in_one_style() -> None:
    """camelCase for what is asked for and given, and no number of a document that only its authors know."""
    schema: Any = build_schema()
    odd: list[str] = []
    for name, type_ in schema._schema.type_map.items():
        if name.startswith("__"):
            continue
        for field_name, one in getattr(type_, "fields", {}).items():
            names = [field_name, *getattr(one, "args", {})]
            odd += [
                f"{name}.{it}"
                for it in names
                if not re.fullmatch(r"[a-z][a-zA-Z0-9]*", it) or ("doc" in it.lower() and re.search(r"\d", it))
            ]
        if name.endswith("OrderField"):
            odd += [f"{name}.{it}" for it in type_.values if "_" in it]
    assert not odd


def test_no_type_takes_a_name_that_typescript_has() -> None:
    schema: Any = build_schema()
    taken = set(TYPESCRIPT) & set(schema._schema.type_map)
    assert not taken


@pytest.mark.slow
def test_the_schema_is_lean() -> None:
    """A record with its relations adds a dozen types at most, without words of its own and their filters."""
    schema: Any = build_schema()
    names = [name for name in schema._schema.type_map if not name.startswith("__")]
    types = schema._schema.type_map
    words = {name for name in names if isinstance(types[name], GraphQLEnumType)}
    words |= {name for name in names if name.removesuffix("Filter") in words}
    further = len(REGISTRY.types) - 70
    assert len(names) - len(words) <= 851 + 12 * further
    assert printed(schema).count("\n") <= 36_000 + 500 * further
    relation = Relation(
        "NOTICED_IN",
        ("Finding",),
        ("Goal", "Run", "Artifact", "Entity"),
        "noticed",
        "Where it was made.",
        EvidenceLayer.learning,
    )
    larger: Any = build_schema(Registry((*RECORDS, Finding), (*RELATIONS, relation), SYSTEM))
    assert len(larger._schema.type_map) - len(schema._schema.type_map) <= 12


@pytest.mark.parametrize("stored", sorted({name for one in REGISTRY.types.values() for name in one.fields}))
def test_a_name_leads_to_the_api_and_back(stored: str) -> None:
    assert stored_name(api_name(stored)) == stored


@pytest.mark.parametrize("label", list(REGISTRY.types))
def test_types_have_the_fields_of_the_registry_and_no_hidden_ones(schema: ReadSchema, label: str) -> None:
    core: Any = schema._schema  # pyright: ignore[reportPrivateUsage]
    found = core.type_map[label]
    kind = REGISTRY.types[label]
    shown = {api_name(one.name) for one in kind.fields.values() if not one.hidden}
    relations = {api_name(name) for name in REGISTRY.relation_fields(label)}
    assert set(found.fields) == shown | relations
    assert [one.name for one in found.interfaces] == ["Node"]
    required = {name for name, one in found.fields.items() if str(one.type).endswith("!")}
    assert required == {"id", *relations}
    for one in kind.fields.values():
        if one.kind is Kind.enum and one.enum is not None and not one.hidden:
            assert list(core.type_map[one.enum.__name__].values) == [value.value for value in one.enum]


@pytest.mark.slow
async def test_a_new_record_type_needs_no_change_elsewhere(database: Database) -> None:
    relation = Relation(
        "NOTICED_IN", ("Finding",), (ANY,), "noticed", "A finding, and where it was made.", EvidenceLayer.learning
    )
    schema = build_schema(Registry((*RECORDS, Finding), (*RELATIONS, relation), SYSTEM))
    await database.run_alone(
        "CREATE (f:Finding:Record {id: 'find_1', name: 'A', created_at: '2026-01-01T00:00:00.000Z', weight: 3, "
        "audience: $audience})-[:NOTICED_IN]->(:Goal:Record {id: 'goal_1', name: 'B', "
        "created_at: '2026-01-01T00:00:00.000Z', audience: $audience})",
        audience=SEEN[0],
    )
    document = """{
        findings(filter: {weight: {gt: 2}, noticedIn: {name: {eq: "B"}}}, orderBy: {field: weight}) {
            nodes { weight noticedIn { nodes { __typename id ... on Goal { noticed { nodes { id } } } } } }
        }
    }"""
    result = await schema.execute(document, None, Context(reader(), database, "request"))
    assert result.errors is None
    goal = {"__typename": "Goal", "id": "goal_1", "noticed": {"nodes": [{"id": "find_1"}]}}
    assert result.data == {"findings": {"nodes": [{"weight": 3, "noticedIn": {"nodes": [goal]}}]}}
