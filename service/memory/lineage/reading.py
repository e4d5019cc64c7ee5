"""Reading lineage from the graph, a level at a time, as one viewer sees it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, LiteralString, NamedTuple

from graph_schema.memory.lineage import BY_TYPE
from graph_schema.model.registry import Registry
from service.access.viewer import Viewer
from service.commands import RecordRef
from service.commands.errors import RecordMissing
from service.graph.database import Database
from service.memory.lineage import cypher
from service.memory.lineage.answer import LineageEdge, LineageItem
from service.memory.lineage.request import LineageDirection

MOST_NEIGHBOURS = 10_000
"""So many neighbours of one record are looked at in each way. Beyond it a count is the least that there are."""

SAMPLES = 3
MOST_SOURCES = 200
"""So many of what something came from by one relation are looked at for the one that is told: the latest."""
_RANKS = {kind: place for place, kind in enumerate(BY_TYPE)}
_WORDS = {"Activation": "step", "WorkProduct": "work product"}
_STATEMENTS: dict[LineageDirection, LiteralString] = {
    LineageDirection.upstream: cypher.UPSTREAM,
    LineageDirection.downstream: cypher.DOWNSTREAM,
}


@dataclass(slots=True)
class Neighbours:
    """What one record is linked to by one relation, of one kind: all of it, or a few of too many."""

    of: LineageItem
    type: str
    kind: str
    count: int
    items: list[LineageItem]
    links: list[LineageEdge]

    @property
    def is_group(self) -> bool:
        return self.count > len(self.items)

    @property
    def at_least(self) -> bool:
        return self.count >= MOST_NEIGHBOURS


class ToldBy(NamedTuple):
    """Where and when something was made, and what the outside calls it. Nothing that depends on when it arrived."""

    run_id: str | None = None
    module_key: str | None = None
    activation_seq: int | None = None
    at: str | None = None
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that something else came from, and when it was first named as that."""

    link: LineageEdge
    named: str | None

    @property
    def up(self) -> LineageItem:
        return self.link.up


@dataclass(frozen=True, slots=True)
class Sources:
    """What some records came from; and how much there is by each relation."""

    found: list[Candidate]
    counts: dict[str, int]

    def of(self, *types: str) -> list[Candidate]:
        return [one for one in self.found if one.link.type in types]


class Reading:
    """The lineage that one viewer sees."""

    def __init__(self, database: Database, registry: Registry, viewer: Viewer) -> None:
        self._database = database
        self._registry = registry
        self._viewer = viewer
        self._items: dict[str, LineageItem] = {}
        self.told_by: dict[str, ToldBy] = {}
        """What tells which of several records a person would name."""
        self._layers = {one.type: one.layer for one in reversed(registry.relations)}

    async def start(self, ref: RecordRef) -> LineageItem:
        """The record that is asked about. One that the viewer may not see is not there."""
        row = await self._database.read_one(
            cypher.START, id=ref.id, source=ref.source, key=ref.key, audiences=self._viewer.audiences
        )
        item = self._item(row["labels"], row["facts"]) if row else None
        if item and row:
            self.told_by[item.id] = ToldBy(*row["told_by"])
        if item is None or (ref.kind is not None and ref.kind not in item.labels):
            raise RecordMissing(ref, "of")
        return item

    async def level(
        self, items: Sequence[LineageItem], direction: LineageDirection, *, types: Sequence[str], group_over: int
    ) -> list[Neighbours]:
        """What these records are linked to, in the order of the records, then of the table of lineage, then of ids."""
        [row] = await self._database.read(
            _STATEMENTS[direction],
            ids=[one.id for one in items],
            types=types,
            audiences=self._viewer.audiences,
            group_over=group_over,
            samples=min(SAMPLES, group_over),
            most=MOST_NEIGHBOURS,
        )
        places = {one.id: place for place, one in enumerate(items)}
        groups = sorted(row["groups"], key=lambda one: (places[one[0]], _RANKS[one[1]], one[2]))
        return [self._neighbours(items[places[one[0]]], direction, one) for one in groups]

    async def sources(self, items: Sequence[LineageItem], types: Sequence[str]) -> "Sources":
        """What these records came from by such relations."""
        [row] = await self._database.read(
            cypher.SOURCES,
            ids=[one.id for one in items],
            types=types,
            audiences=self._viewer.audiences,
            most=MOST_NEIGHBOURS,
            few=MOST_SOURCES,
        )
        known = {one.id: one for one in items}
        found: list[Candidate] = []
        counts: dict[str, int] = {}
        for of, kind, count, some in row["sources"]:
            counts[kind] = counts.get(kind, 0) + count
            for labels, facts, told_by, named in some:
                item = self._item(labels, facts)
                self.told_by[item.id] = ToldBy(*told_by)
                found.append(Candidate(LineageEdge(item, kind, known[of], self._layers[kind]), named))
        return Sources(found, counts)

    async def versions(self, of: LineageItem, ids: Sequence[str]) -> tuple[set[str], set[str]]:
        """Of these: those that others of them came from, and those that are an earlier version of this record."""
        row = await self._database.read_one(cypher.VERSIONS, ids=ids, of=of.id, audiences=self._viewer.audiences)
        found: list[tuple[str, bool, bool]] = row["versions"] if row else []
        return {one for one, passed, _ in found if passed}, {one for one, _, former in found if former}

    def _neighbours(self, of: LineageItem, direction: LineageDirection, group: list[Any]) -> Neighbours:
        _, kind, labels, count, found, ports = group
        items = [self._item(labels, facts) for facts in found]
        layer = self._layers[kind]
        if direction is LineageDirection.upstream:
            links = [LineageEdge(item, kind, of, layer, port) for item, port in zip(items, ports, strict=True)]
        else:
            links = [LineageEdge(of, kind, item, layer, port) for item, port in zip(items, ports, strict=True)]
        return Neighbours(of, kind, items[0].kind, count, items, links)

    def _item(self, labels: list[str], facts: list[Any]) -> LineageItem:
        """The record, once for all links that lead to it."""
        record_id, name, entity_kind, erased, status, conflicting = facts
        known = self._items.get(record_id)
        if known is None:
            kind = next(one for one in labels if one in self._registry.types)
            what = _what(kind, entity_kind, erased)
            known = LineageItem(record_id, kind, what, name, frozenset(labels), *_fate(kind, status, conflicting))
            self._items[record_id] = known
        return known


def all_types(without: Sequence[str] = ()) -> list[str]:
    return [one for one in BY_TYPE if one not in without]


def _fate(kind: str, status: str | None, conflicting: bool | None) -> tuple[bool, str]:
    """Whether a delivery did not arrive, and what is told of that."""
    if kind != "Delivery":
        return False, ""
    unsent = status != "delivered"
    told = [(status or "pending").replace("_", " ")] if unsent else []
    also = ["reported as delivered, too" if unsent else "reported otherwise, too"] if conflicting else []
    return unsent, ", ".join([*told, *also])


def _what(kind: str, entity_kind: str | None, erased: str | None) -> str:
    if erased is not None:
        return f"erased {_word(erased)}"
    if kind == "Entity" and entity_kind is not None:
        return entity_kind.replace("_", " ") if entity_kind != "other" else "entity"
    return _word(kind)


def _word(kind: str) -> str:
    return _WORDS.get(kind, kind.lower())
