"""A subscriber over WebSocket, by the protocol graphql-transport-ws."""

import json
from collections.abc import AsyncGenerator
from typing import Any

from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

PROTOCOL = Subprotocol("graphql-transport-ws")


async def subscribed(url: str, key: str, query: str, **variables: Any) -> AsyncGenerator[dict[str, Any]]:
    """The `next` payloads of a subscription, until the server ends it."""
    address = url.replace("http", "ws", 1) + "/graphql"
    async with connect(address, subprotocols=[PROTOCOL], max_size=None) as socket:
        await socket.send(json.dumps({"type": "connection_init", "payload": {"Authorization": f"Bearer {key}"}}))
        assert json.loads(await socket.recv())["type"] == "connection_ack"
        payload = {"query": query, "variables": variables}
        await socket.send(json.dumps({"id": "1", "type": "subscribe", "payload": payload}))
        async for message in socket:
            received = json.loads(message)
            if received["type"] == "next":
                yield received["payload"]
            elif received["type"] == "ping":
                await socket.send(json.dumps({"type": "pong"}))
            elif received["type"] == "error":
                raise AssertionError(received["payload"])
            else:
                return


async def asked_once(url: str, key: str, query: str, bookmark: str, **variables: Any) -> dict[str, Any]:
    """The answer to a query that is asked by a socket which was opened with a bookmark."""
    address = url.replace("http", "ws", 1) + "/graphql"
    async with connect(address, subprotocols=[PROTOCOL], max_size=None) as socket:
        greeting = {"Authorization": f"Bearer {key}", "bookmark": bookmark}
        await socket.send(json.dumps({"type": "connection_init", "payload": greeting}))
        assert json.loads(await socket.recv())["type"] == "connection_ack"
        await socket.send(
            json.dumps({"id": "1", "type": "subscribe", "payload": {"query": query, "variables": variables}})
        )
        received = json.loads(await socket.recv())
        assert received["type"] == "next", received
        return received["payload"]
