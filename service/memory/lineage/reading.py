"""Reading lineage from the graph, a level at a time, as one viewer sees it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, LiteralString

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


class Reading:
    """The lineage that one viewer sees."""

    def __init__(self, database: Database, registry: Registry, viewer: Viewer) -> None:
        self._database = database
        self._registry = registry
        self._viewer = viewer
        self._items: dict[str, LineageItem] = {}
        self._layers = {one.type: one.layer for one in reversed(registry.relations)}

    async def start(self, ref: RecordRef) -> LineageItem:
        """The record that is asked about. One that the viewer may not see is not there."""
        row = await self._database.read_one(
            cypher.START, id=ref.id, source=ref.source, key=ref.key, audiences=self._viewer.audiences
        )
        item = self._item(row["labels"], row["facts"]) if row else None
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
        record_id, name, entity_kind, erased = facts
        known = self._items.get(record_id)
        if known is None:
            kind = next(one for one in labels if one in self._registry.types)
            known = LineageItem(record_id, kind, _what(kind, entity_kind, erased), name, frozenset(labels))
            self._items[record_id] = known
        return known


def all_types(without: Sequence[str] = ()) -> list[str]:
    return [one for one in BY_TYPE if one not in without]


def _what(kind: str, entity_kind: str | None, erased: str | None) -> str:
    if erased is not None:
        return f"erased {_word(erased)}"
    if kind == "Entity" and entity_kind is not None:
        return entity_kind.replace("_", " ") if entity_kind != "other" else "entity"
    return _word(kind)


def _word(kind: str) -> str:
    return _WORDS.get(kind, kind.lower())
