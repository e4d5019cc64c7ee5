"""Members in front of one real database: they route, refuse and lose connections; it does the rest."""

import asyncio
from typing import Any
from urllib.parse import urlsplit

from tests.bolt.cluster import Member
from tests.bolt.messages import RECORD, chunked, greet, received
from tests.bolt.talk import BoltTalk


class Fronting:
    def __init__(self, uri: str) -> None:
        parts = urlsplit(uri)
        self.target = (parts.hostname or "127.0.0.1", parts.port or 7687)

    def talk(self, member: Member, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> BoltTalk:
        return _FrontingTalk(self.target, member, reader, writer)


class _FrontingTalk(BoltTalk):
    def __init__(
        self,
        target: tuple[str, int],
        member: Member,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        super().__init__(member, reader, writer)
        self._target = target
        self._due = 0
        """Answers that have not come yet."""
        self._settled = asyncio.Event()
        self._lost = False

    async def run(self) -> None:
        reader, self._far = await asyncio.open_connection(*self._target)
        await greet(reader, self._far)
        passing = asyncio.create_task(self._pass_on(reader))
        try:
            await super().run()
        finally:
            passing.cancel()
            await asyncio.gather(passing, return_exceptions=True)
            self._far.close()

    async def take(self, name: str, fields: list[Any], message: bytes, *, lost: bool) -> None:
        del name, fields
        self._lost = lost
        self._due += 1
        self._settled.clear()
        self._far.write(chunked(message))
        await self._far.drain()
        if lost:
            await self._settled.wait()

    async def _pass_on(self, reader: asyncio.StreamReader) -> None:
        """Every answer, but for one that is to be lost."""
        try:
            while True:
                answer = await received(reader)
                if answer[1:2] != RECORD:
                    self._due -= 1
                if not self._lost:
                    self.writer.write(chunked(answer))
                if self._due == 0:
                    self._settled.set()
        except (OSError, EOFError):
            self._settled.set()
            self.writer.transport.abort()
