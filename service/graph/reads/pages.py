"""Pages: how the rows that a connection read become its edges, its nodes and the facts about the page."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from service.graph.reads import cursors
from service.graph.reads.order import Keyset
from service.graph.reads.plan import Bound, Shaper
from service.graph.reads.shaped import Shaped
from service.graph.reads.shaping import ObjectShape, Row, Seal
from service.graph.reads.statement import Columns
from service.graph.reads.tree import PageFact, PageInfo, PagePart


@dataclass(frozen=True, slots=True)
class Cut:
    """How a page is cut out of its range. `extra`: one row more is read, to know whether there is another page."""

    limit: str
    extra: int
    backward: bool
    after: bool
    before: bool

    def size(self, bound: Bound) -> int:
        return bound[self.limit] - self.extra


@dataclass(frozen=True, slots=True)
class Cutting:
    """One page, in the order asked for, and whether the range goes on beyond it."""

    rows: list[Row]
    more: bool


Part = Callable[[Cutting, Bound], Any]
PartSeal = Callable[[int], Part]
"""Makes a value of the connection out of its page, given the width of the rows."""


class ConnectionShape:
    """The object of a connection: its keys in the order asked for."""

    def __init__(self) -> None:
        self._template: dict[str, Any] = {}
        self._counts: list[tuple[str, int]] = []
        self._parts: list[tuple[str, PartSeal]] = []

    def constant(self, key: str, value: Any) -> None:
        self._template[key] = value

    def count(self, key: str, column: int) -> None:
        self._template[key] = None
        self._counts.append((key, column))

    def part(self, key: str, seal: PartSeal) -> None:
        self._template[key] = None
        self._parts.append((key, seal))

    def without_rows(self) -> Seal:
        return lambda _width: self._counted

    def with_rows(self, cut: Cut, column: int, width: int) -> Seal:
        """`column`: where the row that the connection hangs on holds the rows; `width`: how wide those are."""
        parts = [(key, seal(width)) for key, seal in self._parts]

        def shape(row: Row, bound: Bound) -> dict[str, Any]:
            answer = self._counted(row, bound)
            cutting = _cutting(row[column], cut, bound)
            for key, part in parts:
                answer[key] = part(cutting, bound)
            return answer

        return lambda _width: shape

    def _counted(self, row: Row, _bound: Bound) -> dict[str, Any]:
        answer = self._template.copy()
        for key, column in self._counts:
            answer[key] = row[column]
        return answer


def _cutting(rows: list[Row], cut: Cut, bound: Bound) -> Cutting:
    size = cut.size(bound)
    more = len(rows) > size
    page = rows[:size] if more else rows
    return Cutting(page[::-1] if cut.backward else page, more)


def listing(seal: Seal) -> PartSeal:
    """A list with one object for each row."""

    def sealing(width: int) -> Part:
        one = seal(width)
        return lambda cutting, bound: [one(row, bound) for row in cutting.rows]

    return sealing


def closed(seal: PartSeal) -> PartSeal:
    """The same value, marked as complete."""

    def sealing(width: int) -> Part:
        inner = seal(width)
        return lambda cutting, bound: Shaped(inner(cutting, bound))

    return sealing


def cursor(keyset: Keyset, columns: Columns) -> Seal:
    value, record_id = columns.add(keyset.value), columns.add(keyset.id)
    link = columns.add(keyset.link_id) if keyset.link_id else None
    tag = keyset.order.tag

    def shape(row: Row, _bound: Bound) -> str:
        return cursors.encode(tag, row[value], row[record_id], None if link is None else row[link])

    return lambda _width: shape


def page_info(info: PageInfo, keyset: Keyset, cut: Cut, columns: Columns) -> PartSeal:
    facts: dict[str, Callable[[Cutting], Any]] = {}
    shape = ObjectShape()
    for pick in info.picks:
        if isinstance(pick, PageFact):
            shape.constant(pick.key, None)
            facts[pick.key] = _fact(pick.part, keyset, cut, columns)
        else:
            shape.constant(pick.key, pick.constant)

    def sealing(width: int) -> Part:
        template: Shaper = shape.seal(width)
        return lambda cutting, bound: template([], bound) | {key: fact(cutting) for key, fact in facts.items()}

    return sealing


def _fact(part: PagePart, keyset: Keyset, cut: Cut, columns: Columns) -> Callable[[Cutting], Any]:
    # Against the direction of paging, the cursor that was given is itself the proof that there is more.
    if part == "hasNextPage":
        return (lambda _cutting: cut.before) if cut.backward else (lambda cutting: cutting.more)
    if part == "hasPreviousPage":
        return (lambda cutting: cutting.more) if cut.backward else (lambda _cutting: cut.after)
    encode = cursor(keyset, columns)(0)
    place = 0 if part == "startCursor" else -1
    return lambda cutting: encode(cutting.rows[place], {}) if cutting.rows else None
