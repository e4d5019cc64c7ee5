"""A cluster on loopback: members that route, read and write, change their leader and lose connections on cue.

What they know is scripted (`Scripted`), or is that of the real database behind all of them (`Fronting`). Either way
each message that reaches a member is kept: which member, which statement, in which access mode, with which bookmarks.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

NOT_A_LEADER = "Neo.ClientError.Cluster.NotALeader"
BOOKMARK_TIMEOUT = "Neo.TransientError.Transaction.BookmarkTimeout"
UNAVAILABLE = "Neo.TransientError.General.DatabaseUnavailable"

_TABLE_SECONDS = 300


@dataclass(frozen=True)
class Asked:
    """A message that reached a member: RUN, BEGIN, COMMIT or ROUTE."""

    member: str
    message: str
    mode: str
    bookmarks: frozenset[str]
    statement: str = ""


@dataclass
class Cue:
    """What happens to the next messages of this name, so many times."""

    message: str
    about: str = ""
    """A part of the statement."""
    times: int = 1
    code: str | None = None
    """The member answers with this failure."""
    lost: str | None = None
    """The connection is lost `before` the message takes effect, or `after`, before the answer is sent."""
    then: Callable[[], None] = lambda: None
    """Happens first."""

    def fits(self, asked: Asked) -> bool:
        return self.times > 0 and self.message == asked.message and self.about in asked.statement


class Backend(Protocol):
    """What is behind the members."""

    def talk(self, member: "Member", reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> "Talk": ...


class Talk(Protocol):
    """A connection of a client, for as long as it lasts."""

    async def run(self) -> None: ...


@dataclass
class Cluster:
    backend: Backend
    members: dict[str, "Member"] = field(default_factory=dict[str, "Member"])
    leader: str | None = "one"
    asked: list[Asked] = field(default_factory=list[Asked])
    _cues: list[Cue] = field(default_factory=list[Cue])

    @property
    def uri(self) -> str:
        return f"neo4j://{self.members['three'].address}"

    def on(self, message: str, about: str = "", **what: Any) -> None:
        self._cues.append(Cue(message, about, **what))

    def lead(self, member: str | None) -> Callable[[], None]:
        """For a cue: who leads from then on."""

        def switch() -> None:
            self.leader = member

        return switch

    def met(self, asked: Asked) -> Cue | None:
        """Keeps what was asked; says what is to happen instead of an answer."""
        self.asked.append(asked)
        cue = next((one for one in self._cues if one.fits(asked)), None)
        if cue:
            cue.times -= 1
            cue.then()
        return cue if cue and (cue.code or cue.lost) else None

    def runs(self, about: str) -> list[Asked]:
        return [one for one in self.asked if one.message == "RUN" and about in one.statement]

    def table(self) -> dict[str, Any]:
        up = [one for one in self.members.values() if one.up]
        writers = [one.address for one in up if one.name == self.leader]
        readers = [one.address for one in up if one.name != self.leader] or writers
        return {
            "ttl": _TABLE_SECONDS,
            "db": "neo4j",
            "servers": [
                {"role": "ROUTE", "addresses": [one.address for one in up]},
                {"role": "READ", "addresses": readers},
                {"role": "WRITE", "addresses": writers},
            ],
        }


@dataclass
class Member:
    cluster: Cluster
    name: str
    address: str = ""
    up: bool = True
    _server: asyncio.Server | None = None
    _open: dict[asyncio.StreamWriter, asyncio.Task[None]] = field(
        default_factory=dict[asyncio.StreamWriter, "asyncio.Task[None]"]
    )

    @property
    def leads(self) -> bool:
        return self.cluster.leader == self.name

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.address = f"127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    def lose(self) -> None:
        """It is gone: connections end, nobody listens any more, and no table names it."""
        self.up = False
        if self._server:
            self._server.close()
        for writer in self._open:
            writer.transport.abort()

    async def stop(self) -> None:
        self.lose()
        for task in self._open.values():
            task.cancel()
        await asyncio.gather(*self._open.values(), return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        self._open[writer] = task
        try:
            await self.cluster.backend.talk(self, reader, writer).run()
        except (OSError, EOFError):
            return
        finally:
            del self._open[writer]
            writer.close()


@asynccontextmanager
async def started(backend: Backend) -> AsyncGenerator[Cluster]:
    cluster = Cluster(backend)
    for name in ("one", "two", "three"):
        cluster.members[name] = Member(cluster, name)
    for member in cluster.members.values():
        await member.start()
    try:
        yield cluster
    finally:
        for member in cluster.members.values():
            await member.stop()


def modes(asked: list[Asked]) -> Iterator[tuple[str, str]]:
    """Which members were asked, in which access mode."""
    return ((one.member, one.mode) for one in asked)
