"""Shapers: functions that read one object out of a row of columns.

They are built while the statement is written, and sealed when the number of columns is known.
"""

from collections.abc import Callable
from operator import itemgetter
from typing import Any

from service.graph.reads.plan import Bound, Shaper
from service.graph.reads.shaped import Shaped

Seal = Callable[[int], Shaper]
"""Makes the shaper, given the width of the rows."""

Row = list[Any]


class ObjectShape:
    """An object of the answer: its keys in the order asked for, and where each value comes from."""

    def __init__(self) -> None:
        self._template: dict[str, Any] = {}
        self._columns: list[tuple[str, int]] = []
        self._nested: list[tuple[str, Seal]] = []
        self._constant = False

    def constant(self, key: str, value: Any) -> None:
        self._template[key] = value
        self._constant = True

    def column(self, key: str, index: int) -> None:
        self._template[key] = None
        self._columns.append((key, index))

    def nested(self, key: str, seal: Seal) -> None:
        self._template[key] = None
        self._nested.append((key, seal))

    def seal(self, width: int) -> Shaper:
        keys = tuple(key for key, _ in self._columns)
        take = _taking(tuple(index for _, index in self._columns), width)
        if not self._nested and not self._constant:
            return lambda row, _bound: dict(zip(keys, take(row), strict=True))
        template = self._template
        nested = [(key, seal(width)) for key, seal in self._nested]

        def shape(row: Row, bound: Bound) -> dict[str, Any]:
            answer = template.copy()
            answer.update(zip(keys, take(row), strict=True))
            for key, inner in nested:
                answer[key] = inner(row, bound)
            return answer

        return shape


def _taking(indexes: tuple[int, ...], width: int) -> Callable[[Row], Any]:
    if indexes == tuple(range(width)):
        return _whole
    if not indexes:
        return lambda _row: ()
    if len(indexes) == 1:
        (index,) = indexes
        return lambda row: (row[index],)
    return itemgetter(*indexes)


def _whole(row: Row) -> Row:
    return row


def wrapped(seal: Seal) -> Seal:
    """The same value, marked as complete."""

    def sealing(width: int) -> Shaper:
        inner = seal(width)
        return lambda row, bound: Shaped(inner(row, bound))

    return sealing
