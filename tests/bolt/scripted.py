"""A cluster that knows nothing but the statements that were committed in it."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

from tests.bolt.cluster import BOOKMARK_TIMEOUT, Member
from tests.bolt.messages import RECORD, SUCCESS
from tests.bolt.talk import BoltTalk

ONE = "RETURN 1 AS one"
_PREFIX = "FB:scripted:"


@dataclass
class Scripted:
    agent: str = "Neo4j/5.26.29"
    lacks: str | None = None
    """A part of the statement that the servers refuse."""
    committed: list[str] = field(default_factory=list[str])
    applied: dict[str, int] = field(default_factory=dict[str, int])
    """How many of these a member has, which is behind. The others have all."""
    patient: bool = False
    """Whether a member that is behind waits until it has what a bookmark stands for, or gives up at once."""
    waiting: asyncio.Event = field(default_factory=asyncio.Event)
    _moved: asyncio.Condition = field(default_factory=asyncio.Condition)

    def talk(self, member: Member, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> BoltTalk:
        return _ScriptedTalk(self, member, reader, writer)

    def has(self, member: Member) -> list[str]:
        return self.committed[: self.applied.get(member.name, len(self.committed))]

    async def catch_up(self) -> None:
        async with self._moved:
            self.applied.clear()
            self._moved.notify_all()

    async def reached(self, member: Member, bookmarks: frozenset[str]) -> bool:
        upto = max((int(one.removeprefix(_PREFIX)) for one in bookmarks), default=0)
        if len(self.has(member)) >= upto:
            return True
        if not self.patient:
            return False
        self.waiting.set()
        async with self._moved:
            await self._moved.wait_for(lambda: len(self.has(member)) >= upto)
        return True

    def bookmark(self, member: Member) -> str:
        return f"{_PREFIX}{len(self.has(member))}"


class _ScriptedTalk(BoltTalk):
    def __init__(
        self, script: Scripted, member: Member, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        super().__init__(member, reader, writer)
        self._script = script
        self._pending: list[str] = []
        self._rows: list[list[Any]] = []

    async def take(self, name: str, fields: list[Any], message: bytes, *, lost: bool) -> None:
        del message
        match name:
            case "HELLO":
                self.say(SUCCESS, {"server": self._script.agent, "connection_id": "bolt-1"})
            case "BEGIN" | "RUN":
                await self._started(name, fields, lost=lost)
            case "PULL" | "DISCARD":
                self._pulled(name)
            case "COMMIT":
                self._commit()
                self._answer({"bookmark": self._script.bookmark(self.member)}, lost=lost)
            case _:
                self._pending = []
                self.say(SUCCESS, {})

    async def _started(self, name: str, fields: list[Any], *, lost: bool) -> None:
        if not await self._script.reached(self.member, self.bookmarks):
            self.fail(BOOKMARK_TIMEOUT)
            return
        statement: str = fields[0] if name == "RUN" else ""
        if self._script.lacks and self._script.lacks in statement:
            self.fail("Neo.ClientError.Procedure.ProcedureNotFound")
            return
        if name == "BEGIN":
            self._answer({}, lost=lost)
            return
        self._rows = self._rows_of(statement)
        if statement.startswith("CREATE"):
            self._pending.append(statement)
            if not self.begun:
                self._commit()
        self._answer({"fields": ["value"], "qid": 0}, lost=lost)

    def _rows_of(self, statement: str) -> list[list[Any]]:
        """The checks at connecting, and whatever else: what this member knows of."""
        if statement == ONE:
            return [[1]]
        return [] if statement.startswith(("EXPLAIN", "CREATE")) else [[self._script.has(self.member)]]

    def _pulled(self, name: str) -> None:
        for row in self._rows if name == "PULL" else ():
            self.say(RECORD, row)
        ended = {} if self.begun else {"bookmark": self._script.bookmark(self.member)}
        self.say(SUCCESS, {"type": "r", "db": "neo4j", **ended})

    def _commit(self) -> None:
        self._script.committed += self._pending
        self._pending = []

    def _answer(self, metadata: dict[str, Any], *, lost: bool) -> None:
        if not lost:
            self.say(SUCCESS, metadata)
