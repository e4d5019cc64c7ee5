"""Compiled reads beside fields with rules of their own: same document, same answer."""

from collections.abc import AsyncGenerator
from typing import Any, LiteralString

import pytest
import strawberry

from resolvers.capability import Fields
from resolvers.engine.context import Context
from resolvers.engine.execution import ReadSchema
from resolvers.engine.loading import RecordInfo, load_record, load_records
from resolvers.generated.construction import optional
from resolvers.generated.types import record_type
from resolvers.schema import build_schema
from service.errors import TaskloreError
from service.graph.database import Database, Row
from service.graph.reads import Source
from tests.resolvers.conftest import Ask
from tests.resolvers.world import SEEN, World, reader


class Refused(TaskloreError):
    code = "refused_for_a_test"

    def __init__(self) -> None:
        super().__init__("No.", field="why", remedy="Ask nicely.", facts={"tries": 3})


@strawberry.type
class Hit:
    record_id: strawberry.Private[str]
    score: float

    @strawberry.field(graphql_type=optional(record_type()))
    async def record(self, info: RecordInfo) -> Any:
        return await load_record(info, self.record_id)


@strawberry.type
class Written:
    @strawberry.field
    def hits(self, ids: list[strawberry.ID]) -> list[Hit]:
        return [Hit(record_id=one, score=0.5) for one in ids]

    @strawberry.field(graphql_type=list[optional(record_type("Goal"))])
    async def goals_by_id(self, info: RecordInfo, ids: list[strawberry.ID]) -> Any:
        return await load_records(info, ids)

    @strawberry.field
    def refused(self) -> str | None:
        raise Refused

    @strawberry.field
    def broken(self) -> str | None:
        raise RuntimeError("the password is hunter2")


@strawberry.type
class OnRecords:
    @strawberry.field
    async def shout(self) -> str:
        source: Any = self
        assert isinstance(source, Source)
        return f"{source.label} {source.id}!"


@strawberry.type
class Streams:
    @strawberry.subscription
    async def ticks(self, upto: int) -> AsyncGenerator[Hit]:
        for number in range(upto):
            yield Hit(record_id=f"goal_{number}", score=number)


class CountingDatabase(Database):
    """Counts the statements that are run."""

    statements = 0

    async def _fetch(self, query: LiteralString, parameters: Row, most: int, seconds: float | None) -> Any:
        self.statements += 1
        return await super()._fetch(query, parameters, most, seconds)


@pytest.fixture
def counting(database: Database) -> CountingDatabase:
    return CountingDatabase(database.driver, database.name)


@pytest.fixture(scope="module")
def mixed() -> ReadSchema:
    return build_schema(
        fields=[Fields(queries=(Written,), subscriptions=(Streams,), record_fields={"Record": (OnRecords,)})]
    )


async def _run(schema: ReadSchema, database: Database, document: str, **variables: Any) -> Any:
    result = await schema.execute(document, variables, Context(reader(), database, "req-7"))
    assert result.errors is None, result.errors
    return result.data


@pytest.mark.slow
async def test_one_statement_for_all_compiled_roots(
    mixed: ReadSchema, counting: CountingDatabase, world: World
) -> None:
    document = """{
        goals(first: 2) { nodes { id } }
        hits(ids: []) { score }
        entities(first: 2) { totalCount }
        node(id: "goal_1") { __typename id }
    }"""
    data = await _run(mixed, counting, document)
    assert list(data) == ["goals", "hits", "entities", "node"]
    assert counting.statements == 1


async def test_a_plain_read_equals_the_same_read_in_a_mixed_document(
    mixed: ReadSchema, database: Database, world: World
) -> None:
    read = "goals { totalCount edges { cursor node { id concerns { nodes { name kind } } } } pageInfo { endCursor } }"
    alone = await _run(mixed, database, f"{{ {read} }}")
    beside = await _run(mixed, database, f"{{ {read} hits(ids: []) {{ score }} }}")
    assert beside["goals"] == alone["goals"]


async def test_written_fields_on_records(mixed: ReadSchema, counting: CountingDatabase, world: World) -> None:
    document = """{
        goals(first: 3) {
            edges {
                cursor
                node {
                    big: shout
                    id
                    links: concerns(first: 2) { totalCount nodes { name } }
                    supports { nodes { shout } }
                }
            }
            pageInfo { hasNextPage }
        }
        nodes(ids: ["ent_0", "nothing", "cap_1"]) {
            __typename
            ... on Entity { shout kind }
            ... on Capability { part: name }
        }
    }"""
    data = await _run(mixed, counting, document)
    plain = await _run(mixed, counting, document.replace("big: shout", "").replace("shout", "id"))
    for edge, same in zip(data["goals"]["edges"], plain["goals"]["edges"], strict=True):
        node = edge["node"]
        assert node.pop("big") == f"Goal {node['id']}!"
        loud = node.pop("supports")
        assert [one["shout"] for one in loud["nodes"]] == [
            f"Goal {one['id']}!" for one in same["node"].pop("supports")["nodes"]
        ]
        assert edge == same
    assert data["nodes"][0] == {"__typename": "Entity", "shout": "Entity ent_0!", "kind": "matter"}
    assert data["nodes"][1] is None
    assert data["nodes"][2]["__typename"] == "Capability"
    assert counting.statements == 2


async def test_records_below_written_fields_come_together(
    mixed: ReadSchema, counting: CountingDatabase, world: World
) -> None:
    visible = [one["id"] for one in world.records.values() if one["audience"] in SEEN]
    hidden = next(one["id"] for one in world.records.values() if one["audience"] not in SEEN)
    document = """query($ids: [ID!]!, $deep: Boolean!) {
        hits(ids: $ids) { score record { id shout ... on Goal @include(if: $deep) { concerns { nodes { id } } } } }
    }"""
    data = await _run(mixed, counting, document, ids=[*visible, hidden], deep=True)
    assert [one["record"]["id"] for one in data["hits"][:-1]] == visible
    assert data["hits"][-1] == {"score": 0.5, "record": None}
    assert any("concerns" in one["record"] for one in data["hits"][:-1])
    assert counting.statements == 1
    shallow = await _run(mixed, counting, document, ids=visible, deep=False)
    assert not any("concerns" in one["record"] for one in shallow["hits"])


async def test_lists_of_records_from_written_fields(mixed: ReadSchema, database: Database, world: World) -> None:
    goals = [one["id"] for one in world.records.values() if one["__typename"] == "Goal" and one["audience"] in SEEN]
    data = await _run(mixed, database, "query($ids: [ID!]!) { goalsById(ids: $ids) { id name } }", ids=[*goals, "x"])
    assert [one and one["id"] for one in data["goalsById"]] == [*goals, None]


async def test_errors_carry_code_field_remedy_and_request(mixed: ReadSchema, database: Database, world: World) -> None:
    result = await mixed.execute("{ refused broken goals { totalCount } }", None, Context(reader(), database, "req-7"))
    assert result.data
    assert result.data["goals"]["totalCount"] > 0
    shown: list[Any] = [error.formatted for error in result.errors or []]
    first, second = shown
    assert first["path"] == ["refused"]
    assert first["extensions"] == {
        "code": "refused_for_a_test",
        "field": "why",
        "remedy": "Ask nicely.",
        "tries": 3,
        "requestId": "req-7",
    }
    assert second["extensions"] == {"code": "internal", "requestId": "req-7"}
    assert "hunter2" not in second["message"]


async def test_subscriptions_read_records_too(mixed: ReadSchema, database: Database, world: World) -> None:
    document = "subscription { ticks(upto: 3) { score record { id } } }"
    stream = await mixed.stream(document, {}, Context(reader(), database, "request"))
    found = [(one.data or {})["ticks"] async for one in stream]
    assert [one["score"] for one in found] == [0, 1, 2]
    visible = {one["id"] for one in world.records.values() if one["audience"] in SEEN}
    assert [one["record"] and one["record"]["id"] for one in found] == [
        one if one in visible else None for one in ("goal_0", "goal_1", "goal_2")
    ]


async def test_the_plan_of_a_shape_is_made_once(schema: ReadSchema, world: World, ask: Ask) -> None:
    document = "query Cached($n: Int, $f: GoalFilter) { goals(first: $n, filter: $f) { nodes { id name } } }"
    before = len(schema.readings)
    for size, name in ((1, "Ada"), (2, "ada"), (3, "Zoe")):
        assert (await ask(document, {"n": size, "f": {"name": {"eq": name}}})).errors is None
    kept = len(schema.readings)
    assert kept == before + 1
    await ask(document, {"n": 1, "f": {"name": {"in": ["Ada"]}}})
    await ask(document, {"n": 1, "f": {"name": {"in": ["Ada", "ada"]}}})
    assert len(schema.readings) == kept + 1
    await ask(document, {"n": 1})
    assert len(schema.readings) == kept + 2


async def test_an_operation_is_chosen_by_name(world: World, ask: Ask, schema: ReadSchema, database: Database) -> None:
    document = "query A { goals { totalCount } } query B { entities { totalCount } }"
    context = Context(reader(), database, "request")
    result = await schema.execute(document, None, context, operation_name="B")
    assert result.data
    assert list(result.data) == ["entities"]
    assert (await ask(document)).errors
    assert (await schema.execute(document, None, context, operation_name="C")).errors


async def test_introspection_beside_reads(world: World, ask: Ask) -> None:
    result = await ask('{ goals { totalCount } __type(name: "Goal") { name } __typename }')
    assert result.errors is None
    assert result.data
    assert result.data["__type"] == {"name": "Goal"}
    assert result.data["__typename"] == "Query"
