"""GraphQL over HTTP, SSE and WebSocket."""

import asyncio
import gzip
import json
from collections.abc import AsyncGenerator
from dataclasses import replace
from typing import Any

import httpx
import pytest
from httpx_ws import aconnect_ws
from httpx_ws.transport import ASGIWebSocketTransport
from starlette.requests import HTTPConnection

from resolvers.capability import Fields
from resolvers.engine.context import Context
from resolvers.engine.execution import ReadSchema
from resolvers.engine.http import GRAPHQL_JSON, JSON, GraphQLApp
from resolvers.schema import build_schema
from service.access.turns import Open, Turns
from service.graph.database import Database
from service.graph.errors import DatabaseBusy
from tests.resolvers.test_execution import Streams, Written
from tests.resolvers.world import World, reader

QUERY = "query($n: Int) { goals(first: $n) { totalCount nodes { id name } } }"


@pytest.fixture(scope="module")
def served() -> ReadSchema:
    return build_schema(fields=[Fields(queries=(Written,), mutations=(Written,), subscriptions=(Streams,))])


@pytest.fixture
def app(database: Database, world: World, served: ReadSchema) -> GraphQLApp:
    async def context_for(_connection: HTTPConnection) -> Context:
        return Context(reader(), database, "req-9")

    return GraphQLApp(served, context_for, allowed_origins=["https://friend.example"])


@pytest.fixture
async def client(app: GraphQLApp) -> AsyncGenerator[httpx.AsyncClient]:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test") as client:
        yield client


@pytest.mark.slow
@pytest.mark.parametrize("accept", ["*/*", JSON, GRAPHQL_JSON])
async def test_post_and_get_agree(client: httpx.AsyncClient, accept: str) -> None:
    headers = {"accept": accept}
    posted = await client.post("/", json={"query": QUERY, "variables": {"n": 2}}, headers=headers)
    got = await client.get("/", params={"query": QUERY, "variables": '{"n": 2}'}, headers=headers)
    assert posted.status_code == got.status_code == 200
    assert posted.content == got.content
    assert posted.headers["content-type"].startswith(accept if accept != "*/*" else JSON)
    assert posted.json()["extensions"] == {"cost": 2}
    assert len(posted.json()["data"]["goals"]["nodes"]) == 2


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"nonsense", 400),
        (b"[]", 400),
        (b'{"query": 3}', 400),
        (b'{"query": "{ goals { totalCount } }", "variables": []}', 200),
        (b'{"query": "{ goals { totalCount } }", "variables": [1]}', 400),
        (b'{"query": "{ goals { totalCount } }", "operationName": {}}', 400),
        (b'{"query": "\xff\xfe"}', 400),
        (b'{"query": "{ node(id: \\"\\ud800\\") { id } }"}', 400),
        (b'{"query": "' + b"[" * 2000 + b'"}', 200),
        (b'{"variables":' + b"[" * 2000, 400),
    ],
)
async def test_bad_requests(client: httpx.AsyncClient, body: bytes, status: int) -> None:
    answer = await client.post("/", content=body, headers={"content-type": JSON})
    assert answer.status_code == status
    if status == 400:
        assert answer.json()["errors"][0]["extensions"]["code"] == "invalid_request"


async def test_status_depends_on_the_media_type(client: httpx.AsyncClient) -> None:
    for accept, status in ((JSON, 200), (GRAPHQL_JSON, 400)):
        answer = await client.post("/", json={"query": "{ nothing }"}, headers={"accept": accept})
        assert answer.status_code == status
        assert "data" not in answer.json()
        assert answer.json()["errors"][0]["extensions"] == {"code": "invalid_document", "requestId": "req-9"}


async def test_only_queries_by_get(client: httpx.AsyncClient) -> None:
    answer = await client.get("/", params={"query": "mutation { refused }"})
    assert answer.status_code == 405
    assert answer.json()["errors"][0]["extensions"]["code"] == "operation_not_allowed"
    assert (await client.put("/", json={"query": QUERY})).status_code == 405


async def test_subscription_over_sse(client: httpx.AsyncClient) -> None:
    document = "subscription { ticks(upto: 2) { score record { id } } }"
    async with client.stream("POST", "/", json={"query": document}, headers={"accept": "text/event-stream"}) as answer:
        text = "".join([part async for part in answer.aiter_text()])
    found = [
        json.loads(line.removeprefix("data:"))
        for line in text.splitlines()
        if line.startswith("data:") and "ticks" in line
    ]
    assert [one["data"]["ticks"]["score"] for one in found] == [0, 1]


async def test_queries_and_subscriptions_over_websocket(app: GraphQLApp) -> None:
    async with (
        httpx.AsyncClient(transport=ASGIWebSocketTransport(app)) as client,
        aconnect_ws("http://test/", client, subprotocols=["graphql-transport-ws"]) as socket,
    ):
        await socket.send_json({"type": "connection_init", "payload": {}})
        assert (await socket.receive_json())["type"] == "connection_ack"
        await socket.send_json({"id": "1", "type": "subscribe", "payload": {"query": QUERY, "variables": {"n": 1}}})
        answer: Any = await socket.receive_json()
        assert len(answer["payload"]["data"]["goals"]["nodes"]) == 1
        assert (await socket.receive_json())["type"] == "complete"
        ticks = {"query": "subscription { ticks(upto: 2) { score } }"}
        await socket.send_json({"id": "2", "type": "subscribe", "payload": ticks})
        scores = [(await socket.receive_json())["payload"]["data"]["ticks"]["score"] for _ in range(2)]
        assert scores == [0, 1]


class Busy:
    """A database without a free connection."""

    async def read_value(self, *_asked: object) -> object:
        raise DatabaseBusy


async def test_no_free_connection_is_a_503_with_a_code(served: ReadSchema) -> None:
    async def context_for(_connection: HTTPConnection) -> Context:
        database: Any = Busy()
        return Context(reader(), database, "req-9")

    app = GraphQLApp(served, context_for)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test") as client:
        for accept in (JSON, GRAPHQL_JSON):
            answer = await client.post("/", json={"query": QUERY}, headers={"accept": accept})
            assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
            assert answer.json()["errors"][0]["extensions"]["code"] == "database_busy"


async def test_a_compressed_body_is_refused(client: httpx.AsyncClient) -> None:
    answer = await client.post("/", content=gzip.compress(b"{}"), headers={"content-encoding": "gzip"})
    assert answer.status_code == 415


async def test_work_waits_for_its_turn_by_its_cost(database: Database, world: World, served: ReadSchema) -> None:
    turns = Turns(cost_at_once=10, most_waiting=1)
    contexts = [Context(replace(reader(), principal_id=one), database, "req", turns=turns) for one in ("a", "a", "b")]
    async with turns.one("a", 10):
        waiting = asyncio.create_task(served.execute(QUERY, {"n": 2}, contexts[0]))
        other = await served.execute(QUERY, {"n": 2}, contexts[2])
        assert not other.errors
        assert not waiting.done()
        refused = await served.execute(QUERY, {"n": 2}, contexts[1])
        assert [(one.extensions or {})["code"] for one in refused.errors or ()] == ["too_much_at_once"]
    assert not (await waiting).errors


async def test_a_principal_has_so_many_subscriptions_at_once(
    database: Database, world: World, served: ReadSchema
) -> None:
    context = Context(reader(), database, "req", streams=Open("streams", 1))
    document = "subscription { ticks(upto: 3) { score } }"
    first = await served.stream(document, {}, context)
    assert not (await anext(first)).errors
    second = [one async for one in await served.stream(document, {}, context)]
    assert [(one.extensions or {})["code"] for one in second[0].errors or ()] == ["too_many_open"]
    assert len([one async for one in first]) == 2
    assert len([one async for one in await served.stream(document, {}, context)]) == 3
