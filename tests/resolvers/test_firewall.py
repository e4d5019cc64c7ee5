"""Not seen means not there: in lists, counts, cursors, relations and filters."""

from typing import Any

import pytest

from graph_schema.model.names import api_name
from graph_schema.registry import REGISTRY
from resolvers.engine.context import Context
from resolvers.engine.execution import ReadSchema
from service.graph.database import Database
from service.graph.reads import cursors
from tests.resolvers.conftest import Ask
from tests.resolvers.world import HIDDEN, SEEN, World, reader


@pytest.mark.parametrize("label", ["Entity", "Goal", "Preference", "Procedure", "Capability", "Card"])
async def test_lists_and_counts_hold_only_what_is_visible(world: World, ask: Ask, label: str) -> None:
    plural = REGISTRY.types[label].plural
    document = f"{{ {plural} {{ totalCount nodes {{ id }} edges {{ cursor }} }} }}"
    for audiences in (SEEN, HIDDEN, ()):
        result = await ask(document, viewer=reader(audiences))
        found: Any = (result.data or {})[plural]
        wanted = {
            one["id"] for one in world.records.values() if one["__typename"] == label and one["audience"] in audiences
        }
        assert {one["id"] for one in found["nodes"]} == wanted
        assert found["totalCount"] == len(wanted)
        for edge in found["edges"]:
            place = cursors.decode(edge["cursor"], "created_at", field="after", linked=False, nullable=False)
            assert place.id in wanted


async def test_a_hidden_record_is_the_same_null_as_a_missing_one(world: World, ask: Ask) -> None:
    hidden = [one["id"] for one in world.records.values() if one["audience"] in HIDDEN]
    document = "query($ids: [ID!]!, $id: ID!) { nodes(ids: $ids) { id } node(id: $id) { id } }"
    result = await ask(document, {"ids": [*hidden, "goal_none"], "id": hidden[0]})
    assert result.data == {"nodes": [None] * (len(hidden) + 1), "node": None}


@pytest.mark.slow
async def test_no_relation_leads_to_a_hidden_record(world: World, ask: Ask) -> None:
    """Every relation, from every visible record of the world."""
    hidden = {one["id"] for one in world.records.values() if one["audience"] in HIDDEN}
    reached = 0
    for label in sorted({one["__typename"] for one in world.records.values()}):
        kind = REGISTRY.types[label]
        for name in map(api_name, REGISTRY.relation_fields(label)):
            found = f"{name}(first: 99) {{ totalCount nodes {{ ... on Node {{ id }} }} }}"
            document = f"{{ {kind.plural} {{ nodes {{ {found} }} }} }}"
            result = await ask(document)
            assert result.errors is None
            for record in (result.data or {})[kind.plural]["nodes"]:
                ids = [one["id"] for one in record[name]["nodes"]]
                assert not hidden & set(ids)
                assert record[name]["totalCount"] == len(ids)
                reached += len(ids)
    assert reached > 50


async def test_filters_do_not_look_at_hidden_records(world: World, ask: Ask) -> None:
    records = world.records
    hidden = next(
        link
        for link in world.links
        if link.type == "CONCERNS"
        and records[link.tail]["audience"] in SEEN
        and records[link.head]["audience"] in HIDDEN
    )
    document = "query($f: GoalFilter) { goals(filter: $f) { totalCount nodes { id } } }"
    result = await ask(document, {"f": {"id": {"eq": hidden.tail}, "concerns": {"id": {"eq": hidden.head}}}})
    assert result.data == {"goals": {"totalCount": 0, "nodes": []}}
    negated = await ask(document, {"f": {"id": {"eq": hidden.tail}, "not": {"concerns": {"id": {"eq": hidden.head}}}}})
    assert negated.data == {"goals": {"totalCount": 1, "nodes": [{"id": hidden.tail}]}}


@pytest.mark.parametrize("document", ['{ node(id: "goal_0") { id } }', "{ goals { totalCount } viewer { name } }"])
async def test_without_a_viewer_reads_are_refused(
    database: Database, schema: ReadSchema, world: World, document: str
) -> None:
    result = await schema.execute(document, None, Context(None, database, "request"))
    assert result.data is None
    assert result.errors
    assert (result.errors[0].extensions or {})["code"] == "unauthenticated"


HOSTILE = [
    "' OR 1=1 //",
    '"}) DETACH DELETE n //',
    "`) MATCH (x) DETACH DELETE x //",
    "$audiences",
    "\\u0027",
    "a\tb",
    "\u202e\ufeff🦓",
    "x" * 100_000,
]


@pytest.mark.slow
@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
async def test_hostile_strings_are_only_strings(database: Database, world: World, ask: Ask, text: str) -> None:
    document = """query($text: String!, $id: ID!, $ids: [ID!]!) {
        node(id: $id) { id }
        nodes(ids: $ids) { id }
        eq: goals(filter: {name: {eq: $text}}) { nodes { id } }
        in: goals(filter: {name: {in: [$text]}}) { nodes { id } }
        contains: goals(filter: {name: {contains: $text}}) { nodes { id } }
        starts: goals(filter: {name: {startsWith: $text}, concerns: {name: {gt: $text}}}) { nodes { id } }
        not: goals(filter: {not: {source: {lte: $text}}}) { totalCount }
    }"""
    before = await database.read_one("RETURN COUNT { MATCH (n:Record) } AS records")
    result = await ask(document, {"text": text, "id": text, "ids": [text]})
    assert result.errors is None
    assert result.data
    assert result.data["node"] is None
    assert result.data["eq"]["nodes"] == result.data["in"]["nodes"] == []
    assert (await ask("query($c: String) { goals(after: $c) { nodes { id } } }", {"c": text})).errors
    assert await database.read_one("RETURN COUNT { MATCH (n:Record) } AS records") == before


async def test_an_odd_name_is_found_by_itself(world: World, ask: Ask) -> None:
    for record in (one for one in world.records.values() if one["__typename"] == "Goal" and one["audience"] in SEEN):
        result = await ask(
            "query($n: String) { goals(filter: {name: {eq: $n}}) { nodes { id } } }", {"n": record["name"]}
        )
        assert {"id": record["id"]} in (result.data or {})["goals"]["nodes"]
