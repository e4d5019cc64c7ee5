"""Orders and places in them: ORDER BY, and the predicate that continues from a cursor."""

from dataclasses import dataclass

from graph_schema.ddl import AUDIENCE_IN_ORDER
from service.graph.reads import cursors
from service.graph.reads.plan import Bound
from service.graph.reads.statement import Statement, quoted
from service.graph.reads.tree import Order, Slot, Values

NATURAL_ORDER = AUDIENCE_IN_ORDER[1]
"""The order that has an index for each audience, so that a narrow viewer pays for what they see alone."""


@dataclass(frozen=True, slots=True)
class Keyset:
    """What rows are ordered by: a property, then the record's id, then (for links) the link's id.

    `nullable`: some records may lack the property. They come last in ascending order, first in descending.
    """

    order: Order
    node: str
    link: str | None
    nullable: bool

    @property
    def value(self) -> str:
        return f"{self.node}.{quoted(self.order.name)}"

    @property
    def id(self) -> str:
        return f"{self.node}.`id`"

    @property
    def link_id(self) -> str | None:
        return f"elementId({self.link})" if self.link else None

    def order_by(self, *, backward: bool, first: str = "") -> str:
        """The ORDER BY clause; `first` is an expression that is put before the others."""
        word = " DESC" if self.order.descending != backward else ""
        terms = [first, self.value, "" if self.order.name == "id" else self.id, self.link_id]
        return "ORDER BY " + ", ".join(f"{term}{word}" for term in terms if term)

    def present(self) -> list[str]:
        """True of every record; said so that indexes can be used, for the order and for the audience."""
        stated = [] if self.nullable else [f"{self.value} IS NOT NULL"]
        natural = f"{self.node}.{quoted(NATURAL_ORDER)} IS NOT NULL"
        return stated if natural in stated else [*stated, natural]

    def beyond(self, statement: Statement, cursor: Slot, *, before: bool) -> str:
        """The predicate for what comes after a cursor in this order, or before it."""
        value, record_id, link = self._place(statement, cursor, "before" if before else "after")
        falling = self.order.descending != before
        more = "<" if falling else ">"
        tie = f"{self.id} {more} ${record_id}"
        if self.link_id:
            tie = f"({tie} OR ({self.id} = ${record_id} AND {self.link_id} {more} ${link}))"
        if not self.nullable:
            return f"{self.value} {more}= ${value} AND ({self.value} {more} ${value} OR {tie})"
        if falling:
            at_null, at_value = f"{self.value} IS NOT NULL OR {tie}", f"{self.value} < ${value}"
        else:
            at_null, at_value = f"{self.value} IS NULL AND {tie}", f"{self.value} IS NULL OR {self.value} > ${value}"
        at_value = f"{at_value} OR ({self.value} = ${value} AND {tie})"
        return f"CASE WHEN ${value} IS NULL THEN {at_null} ELSE {at_value} END"

    def _place(self, statement: Statement, cursor: Slot, field: str) -> tuple[str, str, str]:
        names = statement.name("p"), statement.name("p"), statement.name("p")
        tag, linked, nullable = self.order.tag, self.link is not None, self.nullable

        def bind(values: Values, bound: Bound) -> None:
            place = cursors.decode(cursor(values), tag, field=field, linked=linked, nullable=nullable)
            bound.update(zip(names, place, strict=True))

        statement.binds.append(bind)
        return names
