"""A thin HTTP client: the client's own cost should not hide the service's."""

import asyncio
from typing import Any

import orjson


class Client:
    """One kept connection to the service, made anew when the service closed it for being idle."""

    def __init__(self, port: int, key: str) -> None:
        self._port = port
        self.authorized = f"authorization: Bearer {key}\r\n".encode()
        """The key as a header, for what is not asked over GraphQL."""
        self._head = self._post_head("/graphql", "application/json")
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    @classmethod
    async def connect(cls, port: int, key: str) -> "Client":
        client = cls(port, key)
        await client._connected()
        return client

    @property
    def local_port(self) -> int:
        """Of the connection: by it the process that answers can be found."""
        return self._streams[1].get_extra_info("sockname")[1] if self._streams else 0

    async def ask(self, body: bytes, headers: bytes = b"") -> bytes:
        """`headers`: more of them, each with its end of line."""
        return await self._answer(self._head + str(len(body)).encode() + b"\r\n" + headers + b"\r\n" + body)

    async def post(self, path: str, body: bytes, content_type: str, headers: bytes = b"") -> bytes:
        head = self._post_head(path, content_type) + str(len(body)).encode() + b"\r\n"
        return await self._answer(head + headers + b"\r\n" + body)

    async def get(self, path: str, headers: bytes = b"") -> bytes:
        return await self._answer(f"GET {path} HTTP/1.1\r\nhost: 127.0.0.1\r\n".encode() + headers + b"\r\n")

    def _post_head(self, path: str, content_type: str) -> bytes:
        """Up to the length of the body."""
        head = f"POST {path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: {content_type}\r\n"
        return head.encode() + self.authorized + b"content-length: "

    async def _answer(self, request: bytes) -> bytes:
        reader, writer = await self._connected()
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        at = head.lower().index(b"content-length:") + len(b"content-length:")
        return await reader.readexactly(int(head[at : head.index(b"\r\n", at)]))

    async def close(self) -> None:
        if self._streams:
            self._streams[1].close()
            await self._streams[1].wait_closed()

    async def _connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._streams is None or self._streams[0].at_eof():
            await self.close()
            self._streams = await asyncio.open_connection("127.0.0.1", self._port, limit=2**24)
        return self._streams


def body_of(query: str, variables: dict[str, Any] | None = None) -> bytes:
    return orjson.dumps({"query": query, "variables": variables or {}})
