"""What a member says on one connection: its own part of Bolt, and what it hands to whatever is behind it."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from tests.bolt.cluster import NOT_A_LEADER, Asked, Member
from tests.bolt.messages import FAILURE, IGNORED, SUCCESS, greeted, packed, received, unpacked

_KEPT = ("RUN", "BEGIN", "COMMIT", "ROUTE")


class BoltTalk(ABC):
    def __init__(self, member: Member, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.member = member
        self.writer = writer
        self._reader = reader
        self._failed = False
        self.mode = "w"
        self.bookmarks: frozenset[str] = frozenset()
        self.begun = False

    @abstractmethod
    async def take(self, name: str, fields: list[Any], message: bytes, *, lost: bool) -> None:
        """Do what is asked, and answer, unless the connection is lost before the answer."""

    async def run(self) -> None:
        await greeted(self._reader, self.writer)
        while True:
            message = await received(self._reader)
            name, fields = unpacked(message)
            if name == "GOODBYE":
                return
            if name == "RESET":
                self._failed = self.begun = False
            if self._failed:
                self.say(IGNORED)
            elif not await self._taken(name, fields, message):
                self.writer.transport.abort()
                return
            await self.writer.drain()

    def say(self, tag: bytes, *fields: Any) -> None:
        self.writer.write(packed(tag, *fields))

    def fail(self, code: str) -> None:
        self._failed = True
        self.say(FAILURE, {"code": code, "message": "on cue"})

    async def _taken(self, name: str, fields: list[Any], message: bytes) -> bool:
        """Whether the connection lives on."""
        self._note(name, fields)
        cue = self.member.cluster.met(self._asked(name, fields)) if name in _KEPT else None
        if cue and cue.lost == "before":
            return False
        if cue and cue.code:
            self.fail(cue.code)
        elif name == "ROUTE":
            self.say(SUCCESS, {"rt": self.member.cluster.table()})
        elif name in ("RUN", "COMMIT") and self.mode == "w" and not self.member.leads:
            self.fail(NOT_A_LEADER)
        else:
            await self.take(name, fields, message, lost=cue is not None)
        return cue is None or cue.lost is None

    def _note(self, name: str, fields: list[Any]) -> None:
        if name == "BEGIN" or (name == "RUN" and not self.begun):
            extra: Mapping[str, Any] = fields[-1]
            self.mode, self.bookmarks = extra.get("mode", "w"), frozenset(extra.get("bookmarks", ()))
        if name == "BEGIN":
            self.begun = True
        if name in ("COMMIT", "ROLLBACK"):
            self.begun = False

    def _asked(self, name: str, fields: list[Any]) -> Asked:
        if name == "ROUTE":
            return Asked(self.member.name, name, "r", frozenset(fields[1]))
        statement: str = fields[0] if name == "RUN" else ""
        return Asked(self.member.name, name, self.mode, self.bookmarks, statement)
