"""Pairs of records of which one is closed: for every relation that hands down access, and for every part of a run.

They are drawn from the registry, so that a new record or relation is among them by itself. All pairs are told at once:
what comes first in the order of each pair, then what comes second, and so on.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import permutations, product
from typing import Any, Literal

from graph_schema.model.relation import Relation
from graph_schema.registry import REGISTRY
from service.access.viewer import Viewer
from service.commands import RecordRef, Work
from service.commands.inheritance import inherit
from service.commands.work import State, card_id
from service.graph.database import Database, Transaction
from tests.api.marked import LINKS, fitting

End = Literal["tail", "head"]
Step = Literal["tail", "head", "link", "close"]
Order = tuple[Step, ...]
Place = tuple[int, End]
"""The number of a pair, and one of its ends."""
Values = dict[str, Any]

ENDS: tuple[End, End] = ("tail", "head")
OPEN, CLOSED = "public", "privileged"
NAME = "So it is"
"""Common words alone: whoever searches for them finds what is called exactly so, and no model is needed."""

FOUND = """
UNWIND $ids AS id
MATCH (n:Record {id: id})
RETURN id AS handle, labels(n) AS labels, properties(n) AS properties
"""
AUDIENCES = "UNWIND $rows AS one MERGE (a:Audience {audience: one.audience}) SET a += one"
CREATES = "UNWIND $rows AS one CREATE (n:$(one.labels)) SET n = one.properties"
UPDATES = """
UNWIND $rows AS one
MATCH (n:Record {id: one.id})
FOREACH (_ IN CASE WHEN one.keep THEN [1] ELSE [] END |
  CREATE (n)-[:PREVIOUS]->(v:Version) SET v = properties(n), v.record_id = n.id, v.replaced_at = $at REMOVE v.id)
SET n += one.properties
"""
EVENTS = "UNWIND $rows AS one CREATE (e:Event) SET e = one"


@dataclass(frozen=True)
class Pair:
    """Two records, how they are linked, which of them is closed, and in what order all that becomes known."""

    relation: Relation | None
    """None for a run, at the tail, and a part of it."""
    tail: str
    head: str
    facts: tuple[tuple[str, Any], ...]
    closed: End
    order: Order

    def label(self, end: End) -> str:
        return self.tail if end == "tail" else self.head

    def is_closed(self, end: End) -> bool:
        """Whether this end is closed at last: because it was closed itself, or because of the other."""
        return end == self.closed or self._takes_over(end)

    def _takes_over(self, end: End) -> bool:
        if self.relation is None:
            return end == "head"
        where = self.relation.inherits_where
        return self.relation.inherits in (end, "both") and (where is None or where in self.facts)

    def __str__(self) -> str:
        link = f"-[{self.relation.type} {dict(self.facts)}]->" if self.relation else "and its part"
        return f"{self.tail} {link} {self.head}, the {self.closed} closed, told as {', '.join(self.order)}"


def all_pairs() -> list[Pair]:
    inheriting = [one for one in REGISTRY.relations if one.inherits]
    return [*(pair for one in inheriting for pair in _linked(one)), *_parts()]


def _linked(relation: Relation) -> Iterator[Pair]:
    """Every pair of labels and every order where access is handed down, though not every pair in every order.

    Where it is not, because the other end is closed, some pairs are enough.
    """
    labels = [*product(REGISTRY.members(relation.tails), REGISTRY.members(relation.heads))]
    for closed, facts in product(ENDS, _facts(relation)):
        orders = _orders(closed, (*ENDS, "link", "close"))
        is_source = relation.inherits in ("both", "head" if closed == "tail" else "tail")
        for turn in range((max if is_source else min)(len(labels), len(orders))):
            tail, head = labels[turn % len(labels)]
            yield Pair(relation, tail, head, facts, closed, orders[turn % len(orders)])


def _parts() -> Iterator[Pair]:
    """A part names its run, so the run comes first."""
    for label, closed in product(REGISTRY.parts, ENDS):
        for order in _orders(closed, (*ENDS, "close")):
            if order.index("tail") < order.index("head"):
                yield Pair(None, "Run", label, (), closed, order)


def _orders(closed: End, steps: Order) -> list[Order]:
    """Those that can be: what is linked is there already, and so is what is closed."""
    needs: dict[Step, tuple[Step, ...]] = {"link": ENDS, "close": (closed,)}
    return [
        order
        for order in permutations(steps)
        if all(order.index(need) < place for place, step in enumerate(order) for need in needs.get(step, ()))
    ]


def _facts(relation: Relation) -> list[tuple[tuple[str, Any], ...]]:
    """What a link says: all that it must. Where it depends on a fact whether access flows, also with another."""
    needed = {name: fitting(one, 0) for name, one in relation.fields.items() if one.required}
    if relation.inherits_where is None:
        return [tuple(needed.items())]
    name, value = relation.inherits_where
    words = relation.fields[name].enum
    others = {one.value for one in words} if words else {value, f"not {value}"}
    return [tuple({**needed, name: one}.items()) for one in sorted(others)]


@dataclass
class Told:
    """The pairs as they are told, all at once, step by step. Whatever is closed is of this matter."""

    matter: str = "ent_matter"
    pairs: list[Pair] = field(default_factory=all_pairs)
    ids: dict[Place, str] = field(default_factory=dict[Place, str])
    places: dict[str, Place] = field(default_factory=dict[str, Place])
    """The other way round. A card stands where its record does."""
    links: list[Values] = field(default_factory=list[Values])

    def __post_init__(self) -> None:
        places: list[Place] = [(number, end) for number in range(len(self.pairs)) for end in ENDS]
        self.sample: list[Place] = sorted({self._sort(place): place for place in reversed(places)}.values())
        """Of every label one that was closed, one that followed and one that stayed open, as far as there are such."""
        self._sampled = frozenset(self.sample)

    def pair(self, place: Place) -> Pair:
        return self.pairs[place[0]]

    def is_closed(self, place: Place) -> bool:
        return self.pair(place).is_closed(place[1])

    def label(self, place: Place) -> str:
        return self.pair(place).label(place[1])

    def _sort(self, place: Place) -> tuple[str, bool, bool]:
        return self.label(place), place[1] == self.pair(place).closed, self.is_closed(place)

    async def tell(self, database: Database, executor: Viewer) -> None:
        for turn in range(max(len(one.order) for one in self.pairs)):
            await database.write(partial(self._turn, executor, turn))

    async def _turn(self, executor: Viewer, turn: int, transaction: Transaction) -> None:
        """As a command does it: what it does is planned, settled and written, and the graph walked from what moved."""
        found = await transaction.run(FOUND, ids=[*self.ids.values()])
        work = Work(REGISTRY, executor, transaction, f"cmd_{turn}", found)
        for number, pair in enumerate(self.pairs):
            if turn < len(pair.order):
                self._take(work, number, pair.order[turn])
        work.close()
        changes = work.changes
        await transaction.run(AUDIENCES, rows=[*changes.audiences.values()])
        await transaction.run(CREATES, rows=changes.creates)
        await transaction.run(UPDATES, rows=changes.updates, at=work.at)
        await transaction.run(LINKS, links=changes.links)
        await transaction.run(EVENTS, rows=changes.events)
        if changes.access_changed:
            await inherit(transaction, REGISTRY, changes.access_changed)
        self.links += changes.links

    def _take(self, work: Work, number: int, step: Step) -> None:
        pair = self.pairs[number]
        match step:
            case "tail" | "head":
                self._make(work, (number, step))
            case "link":
                assert pair.relation
                tail, head = (self._known(work, (number, end)) for end in ENDS)
                work.link(tail, pair.relation.type, head, dict(pair.facts))
            case "close":
                access = {"data_class": CLOSED, "matter_ids": [self.matter]}
                work.update(self._known(work, (number, pair.closed)), access)

    def _make(self, work: Work, place: Place) -> None:
        """An open record; those of the sample have a former state. A part is made from its run, as by every command."""
        number, end = place
        kind = REGISTRY.types[self.label(place)]
        unique = 2 * number + ENDS.index(end)
        values = {name: fitting(one, unique) for name, one in kind.fields.items() if one.required}
        values |= {"name": f"Record {unique}", "data_class": OPEN}
        is_part = self.pair(place).relation is None and end == "head"
        whole = [self._known(work, (number, "tail"))] if is_part else []
        made = work.create(kind, values | ({"run_id": whole[0].id} if whole else {}), whole)
        if place in self._sampled:
            work.update(made, {"name": NAME})
        self.ids[place] = made.id
        self.places |= {made.id: place, card_id(made.id): place}

    def _known(self, work: Work, place: Place) -> State:
        return work.need(RecordRef(id=self.ids[place]), place[1])
