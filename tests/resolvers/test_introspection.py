"""Documents that ask only for the schema: graphql-core's own answers, made once and beside the event loop."""

import asyncio
import gzip
import json
from dataclasses import replace
from typing import Any

import graphql
import httpx
import orjson
import pytest
from graphql import GraphQLSchema, get_introspection_query
from httpx_ws import aconnect_ws
from httpx_ws.transport import ASGIWebSocketTransport
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import HTTPConnection

from resolvers.engine import introspection
from resolvers.engine import schema_json as rendering
from resolvers.engine.context import Context
from resolvers.engine.documents import DocumentRefused, Documents
from resolvers.engine.execution import ReadSchema
from resolvers.engine.graphql_core import execute
from resolvers.engine.http import GraphQLApp
from resolvers.engine.introspection import Introspection, IntrospectionQueueFull, SchemaAnswer
from resolvers.engine.limits import Limits
from resolvers.schema import build_schema
from service.access.viewer import KeyScope, Viewer
from service.graph.reads.errors import LimitExceeded
from tests.laws import law
from tests.resolvers.meta import Drawer
from tests.resolvers.world import reader

NO_DATABASE: Any = None
"""The schema is told without one."""

SMALL = graphql.build_schema("""
"A world in small: “quoted”, ü, \\u2028."
schema { query: Query, mutation: Change }
directive @tagged(name: String = "x", old: Int @deprecated(reason: "Not used.")) repeatable on FIELD_DEFINITION | OBJECT
scalar Moment @specifiedBy(url: "https://example.org/moment")
interface Named { name: String! }
interface Aged implements Named { name: String!, age(unit: Unit = YEARS): Int }
"A person."
type Person implements Aged & Named {
  name: String!
  age(unit: Unit = YEARS, ago: [Int!]! = [1, 2]): Int
  nick: String @deprecated(reason: "People have names.")
  friends(where: Where = {name: "A", tags: ["x", null]}, first: Int @deprecated): [[Person!]]!
}
type Place implements Named { name: String!, born: Moment }
union Thing = Person | Place
"What time is told in."
enum Unit { YEARS, MOONS @deprecated(reason: "Too many."), "Long." AGES }
input Where { name: String, tags: [String] = [], old: Boolean @deprecated, of: One }
input One @oneOf { id: ID, name: String }
type Query { things(of: One): [Thing!]!, moment(at: Moment): Moment }
type Change { rename(where: Where!, name: String = "new \\"name\\""): Person }
""")
WHOLE = get_introspection_query(
    specified_by_url=True,
    directive_is_repeatable=True,
    schema_description=True,
    input_value_deprecation=True,
    one_of=True,
)
DOCUMENTS: list[tuple[str, dict[str, Any]]] = [
    (get_introspection_query(), {}),
    (get_introspection_query(descriptions=False), {}),
    (WHOLE, {}),
    ("{ __schema { __typename queryType { name } mutationType { name } subscriptionType { name } description } }", {}),
    ("{ __typename again: __typename __schema { types { name name kind } } }", {}),
    ("query ($name: String!) { __type(name: $name) { name fields { name } } }", {"name": "Person"}),
    ("query ($name: String!) { __type(name: $name) { name } }", {"name": "Nobody"}),
    ('query ($name: String! = "Unit") { __type(name: $name) { enumValues { name } } }', {}),
    (
        """query ($all: Boolean!) { __type(name: "Unit") { enumValues(includeDeprecated: $all) { name isDeprecated
        deprecationReason } some: enumValues { name } } }""",
        {"all": True},
    ),
    (
        """query ($yes: Boolean!, $no: Boolean!) { __schema @include(if: $yes) { types @skip(if: $no) { name
        kind @skip(if: $yes) ... @include(if: $no) { description } } } __typename @include(if: $no) }""",
        {"yes": True, "no": False},
    ),
    (
        """{ ...Root } fragment Root on Query { __schema { ...Types directives { name isRepeatable locations
        args(includeDeprecated: true) { name defaultValue isDeprecated } } } }
        fragment Types on __Schema { types { ...Kind } types { name } } fragment Kind on __Type { kind isOneOf }""",
        {},
    ),
    ("query Nothing { __schema @skip(if: true) { types { name } } }", {}),
    ('{ __type(name: "Where") { isOneOf inputFields { type { isOneOf ofType { isOneOf } } } } }', {}),
    ('{ __type(name: "Person") { possibleTypes { name } interfaces { name possibleTypes { name } } } }', {}),
]


def told(schema: GraphQLSchema, text: str, variables: dict[str, Any]) -> bytes:
    """What graphql-core answers."""
    result = execute(schema, graphql.parse(text), variable_values=variables)
    assert result.errors is None
    return orjson.dumps(result.data)


class Asked:
    """A schema of graphql-core's, asked as the service asks its own."""

    def __init__(self, schema: GraphQLSchema, kept_bytes: int = 1_000_000) -> None:
        self._schema = schema
        self._documents = Documents(
            schema, Limits(aliases=10_000, fragments=10_000, tokens=100_000), introspection=True
        )
        self._introspection = Introspection(schema, kept_bytes)

    async def __call__(self, text: str, **variables: Any) -> SchemaAnswer:
        document = self._documents.get(text, None)
        assert document.introspects
        coerced = graphql.get_variable_values(
            self._schema, document.operation.variable_definitions or (), variables, max_errors=1
        )
        assert not isinstance(coerced, list), coerced
        return await self._introspection.answer(document, coerced)


@pytest.fixture
def asked() -> Asked:
    return Asked(SMALL)


@pytest.mark.parametrize(("text", "variables"), DOCUMENTS)
async def test_the_answer_is_graphql_cores_to_the_byte(asked: Asked, text: str, variables: dict[str, Any]) -> None:
    answer = await asked(text, **variables)
    assert answer.data == told(SMALL, text, variables)
    assert gzip.decompress(answer.packed) == answer.plain
    assert orjson.loads(answer.plain)["extensions"] == {"cost": 0}


_SHARED = Asked(SMALL)


@given(st.randoms(use_true_random=True))
@law(20)
def test_whatever_is_asked_the_answer_is_graphql_cores(random: Any) -> None:
    drawer = Drawer(random, SMALL)
    text = drawer.document()
    assert asyncio.run(_SHARED(text, **drawer.variables)).data == told(SMALL, text, drawer.variables)


@pytest.mark.parametrize(
    ("text", "alone"),
    [
        ("{ __schema { types { name } } }", True),
        ("{ ...A } fragment A on Query { ... { __typename } }", True),
        ("{ __typename things { __typename } }", False),
        ("{ __typename ...A } fragment A on Query { ... { things { __typename } } }", False),
        ("mutation { __typename }", False),
    ],
)
def test_it_is_told_from_other_documents(text: str, alone: bool) -> None:
    assert Documents(SMALL, Limits(), introspection=True).get(text, None).introspects is alone


def test_fragments_that_double_are_looked_at_once() -> None:
    doubling = " ".join(f"fragment F{n} on Query {{ ...F{n + 1} ...F{n + 1} }}" for n in range(90))
    text = f"{{ ...F0 }} {doubling} fragment F90 on Query {{ __typename }}"
    assert Documents(SMALL, Limits(), introspection=True).get(text, None).introspects


async def test_those_who_ask_at_once_get_the_one_answer_that_is_made(asked: Asked) -> None:
    first, *others = await asyncio.gather(*(asked(WHOLE) for _ in range(8)))
    assert all(one is first for one in others)
    assert await asked(WHOLE) is first


async def test_another_value_or_operation_is_another_answer(asked: Asked) -> None:
    text = "query ($name: String!) { __type(name: $name) { name } }"
    answers = [await asked(text, name=name) for name in ("Person", "Place", "Person")]
    assert [orjson.loads(one.data)["__type"]["name"] for one in answers] == ["Person", "Place", "Person"]
    assert answers[0] is answers[2]


async def test_a_caller_who_leaves_takes_no_answer_from_the_others(asked: Asked) -> None:
    leaving, staying = (asyncio.ensure_future(asked(WHOLE)) for _ in range(2))
    await asyncio.sleep(0)
    leaving.cancel()
    assert (await staying).data == told(SMALL, WHOLE, {})


async def test_no_more_is_kept_than_there_is_room_for() -> None:
    small = Asked(SMALL, kept_bytes=20_000)
    texts = [f"query Q{number} {{ __schema {{ types {{ name description }} }} }}" for number in range(40)]
    answers = [await small(text) for text in texts]
    assert await small(texts[-1]) is answers[-1]
    assert await small(texts[0]) is not answers[0]


async def test_an_answer_that_multiplies_is_refused_and_the_refusal_not_kept(
    asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rendering, "MOST_BYTES", 1_000)
    with pytest.raises(LimitExceeded):
        await asked(WHOLE)
    monkeypatch.undo()
    assert await asked(WHOLE)


async def test_a_null_where_none_is_allowed_is_the_callers_mistake(asked: Asked) -> None:
    text = 'query ($all: Boolean) { __type(name: "Person") { fields(includeDeprecated: $all) { name } } }'
    with pytest.raises(DocumentRefused) as refused:
        await asked(text, all=None)
    assert refused.value.code == "invalid_variables"


async def test_the_queue_has_an_end(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(introspection, "MOST_WAITING", 1)
    first = asyncio.ensure_future(asked(WHOLE))
    await asyncio.sleep(0)
    with pytest.raises(IntrospectionQueueFull):
        await asked("{ __schema { types { name } } }")
    assert await first
    assert await asked("{ __schema { types { name } } }")


@pytest.fixture(scope="module")
def whole() -> ReadSchema:
    return build_schema()


def core(schema: ReadSchema) -> GraphQLSchema:
    return schema._schema  # pyright: ignore[reportPrivateUsage]


def context_of(viewer: Viewer | None) -> Context:
    return Context(viewer, NO_DATABASE, "req-9")


@pytest.mark.slow
async def test_our_whole_schema_is_told_while_the_event_loop_goes_on(whole: ReadSchema) -> None:
    asking = asyncio.ensure_future(whole.answer(WHOLE, {}, context_of(reader()), None, None))
    turns = 0
    while not asking.done():
        turns += 1
        await asyncio.sleep(0)
    answer = asking.result()
    assert isinstance(answer, SchemaAnswer)
    assert answer.data == told(core(whole), WHOLE, {})
    assert turns > 100


async def test_only_inputs_say_whether_they_take_one_of_their_fields(whole: ReadSchema) -> None:
    text = """{ goal: __type(name: "Goal") { isOneOf fields { type { isOneOf } } }
      input: __type(name: "GoalFilter") { isOneOf } }"""
    result = await whole.execute(text, None, context_of(reader()))
    assert result.errors is None
    assert result.data
    assert result.data["input"] == {"isOneOf": False}
    assert result.data["goal"]["isOneOf"] is None
    assert {one["type"]["isOneOf"] for one in result.data["goal"]["fields"]} == {None}


async def test_it_is_for_readers_only(whole: ReadSchema) -> None:
    reporter = replace(reader(), scopes=frozenset({KeyScope.report}))
    result = await whole.execute("{ __schema { queryType { name } } }", None, context_of(reporter))
    assert result.errors
    assert (result.errors[0].extensions or {})["code"] == "not_allowed"


@pytest.fixture
def app(whole: ReadSchema) -> GraphQLApp:
    async def context_for(_connection: HTTPConnection) -> Context:
        return context_of(reader())

    return GraphQLApp(whole, context_for)


async def test_every_way_of_asking_gives_the_same(app: GraphQLApp, whole: ReadSchema) -> None:
    text = '{ __type(name: "Goal") { name fields { name description } } }'
    wanted = {"data": orjson.loads(told(core(whole), text, {})), "extensions": {"cost": 0}}
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test") as client:
        for encoding in ("gzip", "identity", "gzip;q=0"):
            headers = {"accept-encoding": encoding}
            posted = await client.post("/", json={"query": text}, headers=headers)
            got = await client.get("/", params={"query": text}, headers=headers)
            assert posted.json() == got.json() == wanted
            assert ("content-encoding" in posted.headers) is (encoding == "gzip")
        events = await client.post("/", json={"query": text}, headers={"accept": "text/event-stream"})
    line = next(line for line in events.text.splitlines() if line.startswith("data:") and "Goal" in line)
    assert json.loads(line.removeprefix("data:")) == wanted
    assert (await whole.execute(text, None, context_of(reader()))).data == wanted["data"]
    async with (
        httpx.AsyncClient(transport=ASGIWebSocketTransport(app)) as client,
        aconnect_ws("http://test/", client, subprotocols=["graphql-transport-ws"]) as socket,
    ):
        await socket.send_json({"type": "connection_init", "payload": {}})
        assert (await socket.receive_json())["type"] == "connection_ack"
        await socket.send_json({"id": "1", "type": "subscribe", "payload": {"query": text}})
        assert (await socket.receive_json())["payload"] == wanted
