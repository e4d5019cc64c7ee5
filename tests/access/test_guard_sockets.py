"""The guard over WebSocket and on a real server: the key in `connection_init`, origins, and a key that dies."""

import asyncio
import json
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from service.access.access import Access
from service.access.buckets import Buckets
from service.access.perimeter import KEYLESS_BODY_BYTES, Patience, perimeter
from service.access.turns import Open
from service.access.viewer import OPERATOR
from service.cli import answering
from service.settings import load_settings
from service.web.guard import Guard
from service.web.protocol import PunctualProtocol
from tests.access.conftest import World

DEADLINE = 5.0


async def echo(connection: WebSocket) -> None:
    await connection.accept()
    try:
        while True:
            text = await connection.receive_text()
            viewer = connection.state.viewer
            await connection.send_json({"name": viewer.name, "clearance": viewer.clearance, "text": text})
    except WebSocketDisconnect:
        return


class Hasty(PunctualProtocol):
    header_seconds = 0.3


@dataclass
class Served:
    """The guard on a real server. `access` may be replaced while it runs."""

    access: Access
    port: int

    def connect(self, **headers: str) -> connect:
        extra = {name.replace("_", "-"): value for name, value in headers.items()}
        return connect(f"ws://127.0.0.1:{self.port}/graphql", additional_headers=extra, open_timeout=DEADLINE)


@pytest.fixture
async def served(world: World) -> AsyncGenerator[Served]:
    listener = socket.create_server(("127.0.0.1", 0))
    found = Served(world.access, listener.getsockname()[1])
    app = Guard(Starlette(routes=[WebSocketRoute("/graphql", echo)]), lambda: found.access)
    config = uvicorn.Config(
        app, http=Hasty, lifespan="off", log_config=None, ws="websockets-sansio", timeout_graceful_shutdown=1
    )
    async with _serving(config, listener):
        yield found


@asynccontextmanager
async def _serving(config: uvicorn.Config, listener: socket.socket) -> AsyncGenerator[None]:
    server = uvicorn.Server(config)
    server.capture_signals = _no_signals  # pyright: ignore[reportAttributeAccessIssue]
    task = asyncio.create_task(server.serve([listener]))
    try:
        yield
    finally:
        server.should_exit = True
        await asyncio.wait_for(task, DEADLINE)
        listener.close()


class _no_signals:  # noqa: N801 - stands in for uvicorn's context manager
    def __enter__(self) -> None:
        return None

    def __exit__(self, *_error: object) -> None:
        return None


def greeting(key: str | None) -> str:
    payload = {"Authorization": f"Bearer {key}"} if key else {}
    return json.dumps({"type": "connection_init", "payload": payload})


async def answer(connection: ClientConnection, text: str) -> dict[str, Any]:
    await connection.send(text)
    return json.loads(await asyncio.wait_for(connection.recv(), DEADLINE))


async def closing_code(connection: ClientConnection) -> int | None:
    with pytest.raises(ConnectionClosed) as caught:
        await asyncio.wait_for(connection.recv(), DEADLINE)
    return caught.value.rcvd.code if caught.value.rcvd else None


@pytest.fixture
async def key(world: World) -> str:
    await world.principal()
    return (await world.key())[0]


@pytest.mark.slow
async def test_a_key_in_connection_init_lets_in(served: Served, key: str) -> None:
    async with served.connect() as connection:
        assert (await answer(connection, greeting(key)))["name"] == "ada"
        assert (await answer(connection, "more"))["text"] == "more"


@pytest.mark.parametrize(
    "first",
    [
        greeting(None),
        greeting("tl_" + "a" * 43),
        "hello",
        "[]",
        '{"type": "connection_init", "payload": []}',
        '{"type": "connection_init", "payload": {"Authorization": 7}}',
        '{"type": "subscribe", "payload": {"Authorization": "Bearer x"}}',
        "\0",
    ],
)
async def test_without_one_nothing_passes(served: Served, key: str, first: str) -> None:
    async with served.connect() as connection:
        await connection.send(first)
        assert await closing_code(connection) == 4401


async def test_a_key_in_the_handshake_lets_in_and_a_wrong_one_does_not(served: Served, key: str) -> None:
    async with served.connect(authorization=f"Bearer {key}") as connection:
        assert (await answer(connection, greeting(None)))["name"] == "ada"
    with pytest.raises(InvalidStatus) as caught:
        async with served.connect(authorization="Bearer x"):
            pass
    assert caught.value.response.status_code == 401


async def test_a_cookie_needs_an_allowed_origin(served: Served, key: str) -> None:
    cookie = f"tasklore_session={key}"
    for origin in (f"http://127.0.0.1:{served.port}", "https://app.example.org"):
        async with served.connect(cookie=cookie, origin=origin) as connection:
            assert (await answer(connection, greeting(None)))["name"] == "ada"
    async with served.connect(cookie=cookie) as connection:
        await connection.send(greeting(None))
        assert await closing_code(connection) == 4401
    for origin in ("http://evil.example", "http://127.0.0.1:1", "null"):
        with pytest.raises(InvalidStatus) as caught:
            async with served.connect(cookie=cookie, origin=origin):
                pass
        assert caught.value.response.status_code == 403


async def test_another_origin_is_refused_also_with_a_key_and_a_dead_cookie_is_no_hindrance(
    served: Served, key: str
) -> None:
    with pytest.raises(InvalidStatus):
        async with served.connect(authorization=f"Bearer {key}", origin="http://evil.example"):
            pass
    origin = f"http://127.0.0.1:{served.port}"
    async with served.connect(cookie="tasklore_session=tl_" + "a" * 43, origin=origin) as connection:
        assert (await answer(connection, greeting(key)))["name"] == "ada"


@pytest.mark.slow
async def test_a_socket_dies_with_its_key_also_when_nothing_moves(served: Served, world: World, key: str) -> None:
    async with served.connect() as connection:
        await answer(connection, greeting(key))
        await world.principals.disable_principal(OPERATOR, "ada")
        assert await closing_code(connection) == 4401


async def test_the_viewer_of_a_socket_follows_changes(served: Served, world: World, key: str) -> None:
    async with served.connect() as connection:
        assert (await answer(connection, greeting(key)))["clearance"] == "internal"
        await world.principals.change_principal(OPERATOR, "ada", {"clearance": "public"})
        assert (await answer(connection, "more"))["clearance"] == "public"


async def test_messages_have_a_size_and_a_rate(served: Served, world: World, key: str) -> None:
    served.access = replace(world.access, perimeter=perimeter(host="127.0.0.1", body_bytes=1000))
    async with served.connect() as connection:
        await answer(connection, greeting(key))
        await connection.send("x" * 1001)
        assert await closing_code(connection) == 1009
    served.access = replace(world.access, buckets=Buckets(0.01, 2))
    async with served.connect() as connection:
        await answer(connection, greeting(key))
        await answer(connection, "more")
        await connection.send("more")
        assert await closing_code(connection) == 1013


async def test_a_principal_has_so_many_sockets_at_once(served: Served, world: World, key: str) -> None:
    served.access = replace(world.access, sockets=Open("sockets", 2))
    await world.principal("bob")
    other, _ = await world.key("bob")
    async with served.connect() as first, served.connect(authorization=f"Bearer {key}") as second:
        assert (await answer(first, greeting(key)))["name"] == "ada"
        assert (await answer(second, greeting(None)))["name"] == "ada"
        async with served.connect() as third:
            await third.send(greeting(key))
            assert await closing_code(third) == 1013
        async with served.connect() as another:
            assert (await answer(another, greeting(other)))["name"] == "bob"
    async with served.connect() as again:
        assert (await answer(again, greeting(key)))["name"] == "ada"


async def test_a_socket_that_brings_no_key_is_closed(served: Served, world: World, key: str) -> None:
    served.access = replace(world.access, patience=Patience(greeting=0.1))
    async with served.connect() as silent:
        assert await closing_code(silent) == 4408
    async with served.connect() as greeted:
        await answer(greeted, greeting(key))
        await silent.wait_closed()
        assert (await answer(greeted, "more"))["text"] == "more"


async def test_before_its_key_a_socket_takes_little(served: Served, key: str) -> None:
    async with served.connect() as connection:
        await connection.send("x" * (KEYLESS_BODY_BYTES + 1))
        assert await closing_code(connection) == 1009


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: ", b"POST /graphql HTTP/1.1\r\nhost: 127.0.0.1\r\n"])
async def test_a_connection_without_a_request_is_closed(served: Served, sent: bytes) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
    writer.write(sent)
    assert await asyncio.wait_for(reader.read(), DEADLINE) == b""
    writer.close()


async def test_so_is_one_that_stops_after_its_first_request(served: Served) -> None:
    whole = f"GET /nothing HTTP/1.1\r\nhost: 127.0.0.1:{served.port}\r\n\r\n".encode()
    reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
    writer.write(whole)
    head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), DEADLINE)
    assert head.startswith(b"HTTP/1.1 401")
    writer.write(whole[:-4])
    rest = await asyncio.wait_for(reader.read(), DEADLINE)
    assert b"HTTP/1.1" not in rest
    writer.close()


HANDSHAKE = (
    b"GET /graphql HTTP/1.1\r\nhost: 127.0.0.1:%d\r\nauthorization: Bearer %s\r\nupgrade: websocket\r\n"
    b"connection: Upgrade\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-version: 13\r\n\r\n"
)


@pytest.mark.slow
async def test_as_it_is_served_a_socket_whose_other_end_is_gone_is_closed(
    world: World, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answering, "PING_EVERY_S", 0.3)
    app = Guard(Starlette(routes=[WebSocketRoute("/graphql", echo)]), lambda: world.access)
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    config = answering.configuration(app, load_settings(shutdown_grace_s=1))
    connecting = Served(world.access, port).connect(authorization=f"Bearer {key}")
    async with _serving(config, listener), connecting as alive:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(HANDSHAKE % (port, key.encode()))
        assert b"101" in await asyncio.wait_for(reader.readline(), DEADLINE)
        await asyncio.wait_for(reader.read(), DEADLINE)
        writer.close()
        assert (await answer(alive, "still here"))["text"] == "still here"


@pytest.mark.slow
async def test_as_it_is_served_a_connection_that_rests_is_closed(
    world: World, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answering, "KEEP_ALIVE_S", 0.3)
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    app = Guard(Starlette(), lambda: world.access)
    async with _serving(answering.configuration(app, load_settings(shutdown_grace_s=1)), listener):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(
            b"GET /nothing HTTP/1.1\r\nhost: 127.0.0.1:%d\r\nauthorization: Bearer %s\r\n\r\n" % (port, key.encode())
        )
        answered = await asyncio.wait_for(reader.read(), DEADLINE)
        assert answered.startswith(b"HTTP/1.1 404")
        writer.close()
