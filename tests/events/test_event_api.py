"""Events over GraphQL: the query, and the subscription over WebSocket and over SSE, on a real server."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import cache
from typing import Any

import httpx
import orjson
import pytest
import uvicorn
from starlette.requests import HTTPConnection
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from graph_schema.model.fields import DataClass
from resolvers.capability import Fields
from resolvers.engine.context import Context
from resolvers.engine.http import GraphQLApp
from resolvers.events import EventQuery, EventSubscription
from resolvers.schema import build_schema
from service.access.errors import Unauthenticated
from service.access.viewer import Viewer
from service.events import Events
from tests.events.world import World, numbering

PAGE = """query ($after: String, $kinds: [String!], $about: RecordRefInput, $first: Int! = 100) {
  events(after: $after, kinds: $kinds, about: $about, first: $first) {
    edges { cursor node { eventId } } nodes { cursor kind about aboutKind aboutVersion changed other at }
    pageInfo { hasNextPage endCursor } head
  }
}"""
STREAM = "subscription ($after: String) { events(after: $after) { cursor kind about } }"
SECONDS = 20


class Api:
    """The endpoint of one process. Whoever asks has the clearance that is set, until they are signed out."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.clearance = DataClass.internal
        self.signed_in = True
        self.app = GraphQLApp(_schema(), self._context)
        self.address = ""

    async def ask(self, **variables: Any) -> dict[str, Any]:
        async with httpx.AsyncClient() as client:
            body = {"query": PAGE, "variables": variables}
            answer = await client.post(f"http://{self.address}", json=body, timeout=SECONDS)
            return answer.json()

    async def _context(self, _connection: HTTPConnection) -> Context:
        services: dict[type, Any] = {Events: self.world.events}
        viewer = await self._viewer()
        return Context(viewer, self.world.database, "req_test", services, renew=self._viewer)

    async def _viewer(self, _brought: frozenset[str] = frozenset()) -> Viewer:
        if not self.signed_in:
            raise Unauthenticated("revoked")
        return await self.world.sees(self.clearance)()


@cache
def _schema() -> Any:
    return build_schema(fields=[Fields(queries=(EventQuery,), subscriptions=(EventSubscription,))])


@pytest.fixture
async def api(world: World) -> AsyncGenerator[Api]:
    made = Api(world)
    server = uvicorn.Server(uvicorn.Config(made.app, host="127.0.0.1", port=0, log_level="error", lifespan="off"))
    async with asyncio.timeout(SECONDS):
        await asyncio.get_running_loop().create_task(_started(server))
    task = asyncio.create_task(server.main_loop())
    made.address = "{}:{}".format(*server.servers[0].sockets[0].getsockname())
    async with numbering(world):
        yield made
    server.should_exit = True
    await task
    await server.shutdown()


async def _started(server: uvicorn.Server) -> None:
    server.config.load()
    server.lifespan = server.config.lifespan_class(server.config)
    await server.startup()


@pytest.mark.slow
async def test_a_page(api: Api) -> None:
    goals = await api.world.create(2)
    await api.world.update(goals[0], name="Changed")
    await api.world.create(data_class="privileged")
    await api.world.number_all()
    page = (await api.ask(first=2))["data"]["events"]
    assert page["pageInfo"] == {"hasNextPage": True, "endCursor": page["nodes"][1]["cursor"]}
    rest = (await api.ask(after=page["pageInfo"]["endCursor"]))["data"]["events"]
    assert [(one["kind"], one["about"], one["aboutVersion"]) for one in rest["nodes"]] == [
        ("goal.updated", goals[0], 2)
    ]
    assert rest["pageInfo"]["hasNextPage"] is False
    assert (await api.ask(after=rest["head"]))["data"]["events"]["nodes"] == []


async def test_a_bad_cursor_says_what_to_do(api: Api) -> None:
    (error,) = (await api.ask(after="garbled"))["errors"]
    assert error["extensions"]["code"] == "invalid_cursor"
    assert error["extensions"]["field"] == "after"
    assert error["extensions"]["remedy"]


@pytest.mark.slow
async def test_a_subscription_over_websocket_resumes(api: Api) -> None:
    start = (await api.ask())["data"]["events"]["head"]
    async with _websocket(api, start) as socket:
        (goal,) = await api.world.create()
        first = await _next(socket)
    assert (first["kind"], first["about"]) == ("goal.created", goal)
    await api.world.update(goal, name="While away")
    await api.world.create(data_class="privileged")
    async with _websocket(api, first["cursor"]) as socket:
        assert (await _next(socket))["kind"] == "goal.updated"
        (other,) = await api.world.create()
        assert (await _next(socket))["about"] == other


@pytest.mark.slow
async def test_a_subscription_over_websocket_ends_with_the_key(api: Api) -> None:
    start = (await api.ask())["data"]["events"]["head"]
    async with _websocket(api, start) as socket:
        await api.world.create()
        await _next(socket)
        api.signed_in = False
        message = await _message(socket)
        errors = message["payload"] if message["type"] == "error" else message["payload"]["errors"]
    assert errors[0]["extensions"]["code"] == "unauthenticated"


async def test_a_subscription_over_sse_resumes(api: Api) -> None:
    start = (await api.ask())["data"]["events"]["head"]
    async with _sse(api, start) as lines:
        (goal,) = await api.world.create()
        first = await _next_line(lines)
    assert (first["kind"], first["about"]) == ("goal.created", goal)
    await api.world.update(goal, name="While away")
    async with _sse(api, first["cursor"]) as lines:
        assert (await _next_line(lines))["kind"] == "goal.updated"


def test_everything_is_described() -> None:
    core = _schema()._schema
    for name in ("RecordEvent", "RecordEventEdge", "RecordEventConnection", "PageInfo"):
        type_ = core.type_map[name]
        assert type_.description
        assert all(field.description for field in type_.fields.values())
    for root in (core.query_type, core.subscription_type):
        field = root.fields["events"]
        assert field.description
        assert all(argument.description for argument in field.args.values())


@asynccontextmanager
async def _websocket(api: Api, after: str) -> AsyncGenerator[ClientConnection]:
    async with connect(f"ws://{api.address}", subprotocols=[Subprotocol("graphql-transport-ws")]) as socket:
        await socket.send('{"type": "connection_init"}')
        assert (await _message(socket))["type"] == "connection_ack"
        payload = {"query": STREAM, "variables": {"after": after}}
        await socket.send(orjson.dumps({"id": "1", "type": "subscribe", "payload": payload}).decode())
        yield socket


async def _message(socket: ClientConnection) -> dict[str, Any]:
    async with asyncio.timeout(SECONDS):
        return orjson.loads(await socket.recv())


async def _next(socket: ClientConnection) -> dict[str, Any]:
    message = await _message(socket)
    assert message["type"] == "next", message
    return message["payload"]["data"]["events"]


@asynccontextmanager
async def _sse(api: Api, after: str) -> AsyncGenerator[AsyncGenerator[str]]:
    body = {"query": STREAM, "variables": {"after": after}}
    headers = {"Accept": "text/event-stream"}
    async with (
        httpx.AsyncClient(timeout=SECONDS) as client,
        client.stream("POST", f"http://{api.address}", json=body, headers=headers) as answer,
    ):
        assert answer.headers["content-type"].startswith("text/event-stream")
        yield answer.aiter_lines()  # pyright: ignore[reportReturnType]


async def _next_line(lines: AsyncGenerator[str]) -> dict[str, Any]:
    async for line in lines:
        if line.startswith("data: {"):
            return orjson.loads(line.removeprefix("data: "))["data"]["events"]
    raise AssertionError("the stream ended")
