"""Tests that were given several times, with other values each: one test, and a row of values for each time."""

from collections.abc import Callable, Sequence
from typing import Any

from service.graph.reads.tree import AllOf, AnyOf, Compare, Filter, Missing, Not, Operand, Place, Several, Slot, Through

RowsOf = Callable[[Sequence[Sequence[Slot]]], Slot]
"""From the values that each of the tests compares with to all rows."""


def several(tests: Sequence[Filter], rows_of: RowsOf, *, every: bool) -> Filter:
    """`tests` are of one shape. `every`: all must hold; else one of them."""
    found = [_Placed(one) for one in tests]
    if not found[0].operands:
        return tests[0]
    return _simplest(found[0].part, rows_of([one.operands for one in found]), every=every)


def _simplest(part: Filter, rows: Slot, *, every: bool) -> Filter:
    """To equal one of several values is a test of its own, which an index serves; and so it is behind a relation."""
    match part:
        case Compare(operator="eq") if not every:
            return Compare(part.name, "in", lambda values: [row[0] for row in rows(values)])
        case Compare(operator="in") if not every:
            return Compare(part.name, "in", lambda values: [one for row in rows(values) for one in row[0]])
        case Through() if not every:
            return Through(part.relation, _simplest(part.part, rows, every=False))
        case _:
            return Several(part, rows, every)


class _Placed:
    """A filter with places where it had values, and the values."""

    def __init__(self, part: Filter) -> None:
        self.operands: list[Any] = []
        self.part = self._placed(part)

    def _placed(self, part: Filter) -> Filter:
        match part:
            case AllOf() | AnyOf():
                return type(part)(tuple(self._placed(one) for one in part.parts))
            case Not():
                return Not(self._placed(part.part))
            case Through():
                return Through(part.relation, self._placed(part.part))
            case Compare():
                return Compare(part.name, part.operator, self._place(part.operand))
            case Several():
                return Several(part.part, self._place(part.rows), part.every)
            case Missing():
                return part

    def _place(self, operand: Operand) -> Place:
        self.operands.append(operand)
        return Place(len(self.operands) - 1)
