"""Orders and places in them: ORDER BY, and the predicate that continues from a cursor."""

import math
from dataclasses import dataclass
from typing import Any

from graph_schema.model.fields import Kind
from service.graph.reads import cursors
from service.graph.reads.cursors import Place
from service.graph.reads.plan import Bound
from service.graph.reads.statement import Statement, quoted
from service.graph.reads.tree import Order, Slot, Values

NATURAL_ORDER = "created_at"
"""The order that every list has and that every record has a value in."""

FIRST_TEXT, LAST_TEXT = "", chr(0x10FFFF)
_TEXT = (FIRST_TEXT, LAST_TEXT)
_NUMBER = (-math.inf, math.inf)
_NUMBERS = (Kind.integer, Kind.long, Kind.number)


def ends_of(kind: Kind) -> tuple[Any, Any]:
    """What comes before every value of this kind, and what comes after."""
    return _NUMBER if kind in _NUMBERS else _TEXT


@dataclass(frozen=True, slots=True)
class Keyset:
    """What rows are ordered by: a property, then what breaks ties, then (for links) the link's id.

    `nullable`: some records may lack the property. They come last, in whichever direction. Their place is that of their
    creation, because an index holds no record that lacks its property. `ends`: what no value is beyond.
    """

    order: Order
    node: str
    link: str | None
    nullable: bool
    ends: tuple[Any, Any] = _TEXT

    @property
    def value(self) -> str:
        return f"{self.node}.{quoted(self.order.name)}"

    @property
    def id(self) -> str:
        return f"{self.node}.`id`"

    @property
    def created(self) -> str:
        return f"{self.node}.{quoted(NATURAL_ORDER)}"

    @property
    def tie(self) -> str:
        """What tells records of one value apart, as one text. All times of creation have the same length."""
        return f"{self.created} + {self.id}" if self.nullable else self.id

    @property
    def tie_terms(self) -> list[str]:
        return [self.created, self.id] if self.nullable else [self.id]

    @property
    def link_id(self) -> str | None:
        return f"elementId({self.link})" if self.link else None

    def falls(self, *, backward: bool) -> bool:
        """Whether rows that are read in this direction have ever smaller values."""
        return self.order.descending != backward

    def order_by(self, *, backward: bool, first: str = "") -> str:
        """The ORDER BY clause; `first` is an expression that is put before the others."""
        terms = [first, self.value, *self.tie_terms, self.link_id]
        return ordered_by(terms, falling=self.falls(backward=backward), head=self._absent_last(backward=backward))

    def _absent_last(self, *, backward: bool) -> str:
        """Cypher has the absent values last when it ascends, and first when it descends."""
        if not (self.nullable and self.order.descending):
            return ""
        return f"{self.value} IS NULL{' DESC' if backward else ''}, "

    def present(self) -> list[str]:
        """True of every record; said so that indexes can be used, for the order and for the audience."""
        stated = [] if self.nullable else [f"{self.value} IS NOT NULL"]
        natural = f"{self.created} IS NOT NULL"
        return stated if natural in stated else [*stated, natural]

    def beyond(self, statement: Statement, cursor: Slot, *, before: bool) -> str:
        """The predicate for what comes after a cursor in this order, or before it."""
        value, tie_value, link = self._place(statement, cursor, before=before)
        more = "<" if self.falls(backward=before) else ">"
        tie = f"{self.tie} {more} ${tie_value}"
        if self.link_id:
            tie = f"({tie} OR ({self.tie} = ${tie_value} AND {self.link_id} {more} ${link}))"
        if not self.nullable:
            return f"{self.value} {more}= ${value} AND ({self.value} {more} ${value} OR {tie})"
        at_value = f"{self.value} {more} ${value} OR ({self.value} = ${value} AND {tie})"
        if before:
            at_null = f"{self.value} IS NOT NULL OR {tie}"
        else:
            at_null, at_value = f"{self.value} IS NULL AND {tie}", f"{self.value} IS NULL OR {at_value}"
        return f"CASE WHEN ${value} IS NULL THEN {at_null} ELSE {at_value} END"

    def _place(self, statement: Statement, cursor: Slot, *, before: bool) -> tuple[str, str, str]:
        names = statement.name("p"), statement.name("p"), statement.name("p")

        def bind(values: Values, bound: Bound) -> None:
            bound.update(zip(names, self.place(cursor, values, before=before), strict=True))

        statement.binds.append(bind)
        return names

    def place(self, cursor: Slot, values: Values, *, before: bool) -> Place:
        """Where a cursor points to in this order."""
        field, linked = "before" if before else "after", self.link is not None
        return cursors.decode(cursor(values), self.order.tag, field=field, linked=linked, nullable=self.nullable)


def ordered_by(terms: list[str] | list[str | None], *, falling: bool, head: str = "") -> str:
    word = " DESC" if falling else ""
    return f"ORDER BY {head}" + ", ".join(f"{term}{word}" for term in terms if term)
