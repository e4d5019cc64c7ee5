"""Events of the log. What the viewer may not see is not there, in the query itself."""

import re
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Annotated

from graph_schema.model.fields import Timestamp
from graph_schema.model.names import api_name
from graph_schema.registry import REGISTRY
from service.access.audience import ADMINISTRATION
from service.access.viewer import Viewer
from service.events import cypher
from service.events.cursor import Cursors
from service.events.errors import CursorExpired, CursorInvalid, EventKindInvalid
from service.events.head import Head
from service.graph.database import Database, Row
from service.views import Id, PageFacts, page_facts

ViewerNow = Callable[[], Awaitable[Viewer]]
"""Who is asking, as of now: not older than the last call of the head's `new_audiences`. Raises when the key is dead."""

# How far a page looks in the order of the log before it looks up the viewer's audiences one by one. Whoever sees one
# event in ten fills a page of a hundred here, and whoever follows the log is never further from its head.
LOOK_AHEAD = 1000

_KIND = re.compile(r"[a-z0-9_]+(\.[a-z0-9_]+)*(\.\*)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordEvent:
    """Something that happened to a record."""

    cursor: Annotated[str, "Where it stands in the log: go on from here with `after`."]
    event_id: Annotated[Id, "Its own id: the same wherever it is read."]
    kind: Annotated[str, "What happened, such as goal.updated."]
    at: Annotated[Timestamp, "When it happened."]
    about: Annotated[Id, "Id of the record that it happened to."]
    about_kind: Annotated[str, "Type of that record."]
    about_version: Annotated[int, "Version of that record after it."]
    principal_id: Annotated[Id, "Id of the principal who did it."]
    command_id: Annotated[str, "The command that did it."]
    changed: Annotated[tuple[str, ...], "Fields that changed; of a run, kinds of event that were reported."]
    other: Annotated[
        Id | None,
        "Id of a second record that it concerns, such as the other end of a link; null when not visible.",
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordEventEdge:
    """An event in a list."""

    cursor: Annotated[str, "Where the event stands in the log."]
    node: Annotated[RecordEvent, "The event."]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordEventConnection:
    """A page of events, in the order of the log."""

    nodes: Annotated[tuple[RecordEvent, ...], "The events of the page."]
    head: Annotated[str, "Cursor of the end of the log: after it comes what happens from now on."]
    after: str | None
    has_next: bool

    @property
    def edges(self) -> Annotated[tuple[RecordEventEdge, ...], "The events of the page with their cursors."]:
        return tuple(RecordEventEdge(cursor=one.cursor, node=one) for one in self.nodes)

    @property
    def page_info(self) -> Annotated[PageFacts, "Where the page begins and ends."]:
        return page_facts([one.cursor for one in self.nodes], self.after, has_next=self.has_next)


@dataclass(frozen=True, slots=True)
class Choice:
    """Which events are wanted. No kinds means all."""

    kinds: tuple[str, ...] = ()
    about: str | None = None

    def check(self) -> None:
        for kind in self.kinds:
            if not _KIND.fullmatch(kind):
                raise EventKindInvalid(kind)

    def parameters(self) -> Row:
        return {
            "every_kind": not self.kinds,
            "kinds": [kind for kind in self.kinds if not kind.endswith("*")],
            "prefixes": [kind.removesuffix("*") for kind in self.kinds if kind.endswith("*")],
        }


async def start(database: Database, head: Head, after: str | None) -> tuple[Cursors, int]:
    """The log's cursors, and the number after which to read. A cursor beyond the head is asked about under the lock:
    another process may be ahead of this one."""
    if not head.known:
        await head.advance()
    state = await database.read_one(cypher.LOG_STATE)
    cursors = Cursors(state["secret"] if state else "")
    if after is None:
        return cursors, state["floor"] if state else 0
    seq = cursors.read(after)
    if seq > head.seq:
        await head.advance()
    if seq > head.seq:
        raise CursorInvalid
    return cursors, seq


@dataclass(frozen=True, slots=True)
class Range:
    """Numbers after `after` up to `upto`, and how many events at most. A reader that names no place to go on from
    loses nothing when retention moves the oldest event."""

    after: int
    upto: int
    first: int
    from_oldest: bool = False


async def read_range(
    database: Database, cursors: Cursors, viewer: Viewer, choice: Choice, wanted: Range
) -> list[tuple[int, RecordEvent]]:
    """The first events of a range that this viewer may see, each with its number."""
    parameters = {**choice.parameters(), "audiences": viewer.audiences, "administration": ADMINISTRATION}
    rows, floor = await _rows(database, choice, wanted, parameters)
    if wanted.after < floor and not wanted.from_oldest:
        raise CursorExpired(cursors.of_head(floor))
    return [(row["seq"], _event(row, cursors)) for row in rows]


async def _rows(database: Database, choice: Choice, wanted: Range, parameters: Row) -> tuple[list[Row], int]:
    bounds = {"after": wanted.after, "upto": wanted.upto, "first": wanted.first}
    if choice.about is not None:
        return _both(await database.read_one(cypher.EVENTS_ABOUT, **bounds, **parameters, about=choice.about))
    near = min(wanted.upto, wanted.after + max(LOOK_AHEAD, 2 * wanted.first))
    rows, floor = _both(await database.read_one(cypher.EVENTS_IN_ORDER, **{**bounds, "upto": near}, **parameters))
    if len(rows) == wanted.first or near == wanted.upto:
        return rows, floor
    rest = {"after": near, "upto": wanted.upto, "first": wanted.first - len(rows)}
    far, floor = _both(await database.read_one(cypher.EVENTS_BY_AUDIENCE, **rest, **parameters))
    return rows + far, floor


def _both(row: Row | None) -> tuple[list[Row], int]:
    return (row["events"], row["floor"]) if row else ([], 0)


def _event(row: Row, cursors: Cursors) -> RecordEvent:
    facts = {name: value for name, value in row.items() if name not in {"seq", "changed"}}
    return RecordEvent(cursor=cursors.of(row["seq"]), changed=tuple(_changed(row)), **facts)


def _changed(row: Row) -> Iterator[str]:
    """Fields by the names that the API has for them. Of what was reported it is kinds of events, which stay."""
    kind = REGISTRY.types.get(row["about_kind"])
    for one in row["changed"]:
        yield api_name(one) if kind and one in kind.fields else one
