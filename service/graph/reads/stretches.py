"""A list's order in stretches that an index holds: the records that have the order's value, then those that lack it.

An index holds no record that lacks its property, so the second stretch is read in the order of creation.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from graph_schema.model.times import TIMESTAMP_LENGTH
from service.graph.reads.cursors import Place
from service.graph.reads.order import FIRST_TEXT, LAST_TEXT, Keyset
from service.graph.reads.plan import Bound
from service.graph.reads.statement import Statement
from service.graph.reads.tree import Page, Slot, Values


@dataclass(frozen=True, slots=True)
class Stretch:
    """`terms` is its order, `present` and `bounds` what an index seeks, `tests` what is looked at in each record.

    `place` is where a record stands, and `upto` is true of what is no further than the place named `stop`.
    """

    terms: tuple[str, ...]
    present: str
    bounds: tuple[str, ...]
    tests: tuple[str, ...]
    place: str
    upto: str
    has_own_index: bool
    """Beside the one that begins with the audience."""


class Stretches:
    def __init__(self, keyset: Keyset, page: Page, statement: Statement, *, has_own_index: bool) -> None:
        self._keyset = keyset
        self._page = page
        self._statement = statement
        self._has_own_index = has_own_index

    def read(self, *, valued: bool) -> tuple[Stretch, ...]:
        """The stretches in the order in which the page reads them; `valued`: what lacks a value is not asked for."""
        if valued or not self._keyset.nullable:
            return (self._valued(),)
        found = (self._valued(), self._absent())
        return found[::-1] if self._page.backward else found

    def _valued(self) -> Stretch:
        keyset = self._keyset
        less, more = _signs(falling=keyset.falls(backward=self._page.backward))
        # Not as an `OR`: the planner would look at either part by itself, the ties of all audiences among them.
        tied = f"{keyset.value} = stop[0] AND {keyset.tie} {more} stop[1]"
        return Stretch(
            terms=(keyset.value, *keyset.tie_terms),
            present=f"{keyset.value} IS NOT NULL",
            bounds=self._bounds(self._value_bound),
            tests=(),
            place=f"[{keyset.value}, {keyset.tie}]",
            upto=f"{keyset.value} {less}= stop[0] AND NOT ({tied})",
            has_own_index=self._has_own_index,
        )

    def _absent(self) -> Stretch:
        keyset = self._keyset
        less, _ = _signs(falling=keyset.falls(backward=self._page.backward))
        until = f"{keyset.created} {less}= left(stop[1], {TIMESTAMP_LENGTH})"
        return Stretch(
            terms=(keyset.created, keyset.id),
            present=f"{keyset.created} IS NOT NULL",
            bounds=self._bounds(self._absent_bound),
            tests=(f"{keyset.value} IS NULL",),
            place=f"[null, {keyset.tie}]",
            upto=f"{until} AND {keyset.tie} {less}= stop[1]",
            has_own_index=True,
        )

    def _bounds(self, bound: Callable[[Slot, bool], str]) -> tuple[str, ...]:
        given = ((self._page.after, False), (self._page.before, True))
        return tuple(bound(cursor, before) for cursor, before in given if cursor is not None)

    def _value_bound(self, cursor: Slot, before: bool) -> str:
        """A cursor among the absent values is after all that are there."""
        keyset = self._keyset
        beyond_all = keyset.ends[0 if keyset.order.descending else 1] if before else None
        value, tie = self._parameters(
            cursor, before, lambda place: beyond_all if place.value is None else place.value, lambda place: place.id
        )
        less, more = _signs(falling=keyset.falls(backward=before))
        tied = f"{keyset.value} = ${value} AND {keyset.tie} {less}= ${tie}"
        return f"{keyset.value} {more}= ${value} AND NOT ({tied})"

    def _absent_bound(self, cursor: Slot, before: bool) -> str:
        """A cursor among the values is before all that lack one."""
        keyset = self._keyset
        falling = keyset.falls(backward=before)
        first = None if before else LAST_TEXT if falling else FIRST_TEXT
        [tie] = self._parameters(cursor, before, lambda place: place.id if place.value is None else first)
        _, more = _signs(falling=falling)
        return f"{keyset.created} {more}= left(${tie}, {TIMESTAMP_LENGTH}) AND {keyset.tie} {more} ${tie}"

    def _parameters(self, cursor: Slot, before: bool, *values_of: Callable[[Place], Any]) -> list[str]:
        names = [self._statement.name("p") for _ in values_of]

        def bind(values: Values, bound: Bound) -> None:
            place = self._keyset.place(cursor, values, before=before)
            bound.update({name: value_of(place) for name, value_of in zip(names, values_of, strict=True)})

        self._statement.binds.append(bind)
        return names


def _signs(*, falling: bool) -> tuple[str, str]:
    """The signs of what comes before in an order, and of what comes after."""
    return (">", "<") if falling else ("<", ">")
