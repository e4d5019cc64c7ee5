"""A thin HTTP client: the client's own cost should not hide the service's."""

import asyncio
from typing import Any

import orjson


class Client:
    """One kept connection to the service."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, head: bytes) -> None:
        self._reader = reader
        self._writer = writer
        self._head = head

    @classmethod
    async def connect(cls, port: int, key: str) -> "Client":
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**24)
        head = (
            "POST /graphql HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n"
            f"authorization: Bearer {key}\r\ncontent-length: "
        )
        return cls(reader, writer, head.encode())

    async def ask(self, body: bytes) -> bytes:
        self._writer.write(self._head + str(len(body)).encode() + b"\r\n\r\n" + body)
        head = await self._reader.readuntil(b"\r\n\r\n")
        at = head.lower().index(b"content-length:") + len(b"content-length:")
        return await self._reader.readexactly(int(head[at : head.index(b"\r\n", at)]))

    async def close(self) -> None:
        self._writer.close()
        await self._writer.wait_closed()


def body_of(query: str, variables: dict[str, Any] | None = None) -> bytes:
    return orjson.dumps({"query": query, "variables": variables or {}})
