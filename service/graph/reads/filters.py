"""Filters as predicates. A comparison with a missing value is false, also inside `not`."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple, cast

from graph_schema.model.record import RecordType
from graph_schema.model.relation import ANY, RelationField
from service.graph.reads.errors import LimitExceeded
from service.graph.reads.plan import Bound, Cost
from service.graph.reads.statement import Statement, quoted
from service.graph.reads.tree import (
    AllOf,
    AnyOf,
    Compare,
    Filter,
    Missing,
    Not,
    Operand,
    Operator,
    Place,
    Several,
    Slot,
    Through,
    Values,
)
from service.graph.visibility import VISIBLE

_OPERATORS: dict[Operator, str] = {
    "eq": "=",
    "in": "IN",
    "contains": "CONTAINS",
    "startsWith": "STARTS WITH",
    "gt": ">",
    "gte": ">=",
    "lt": "<",
    "lte": "<=",
}


_OF_A_RANGE: tuple[Operator, ...] = ("eq", "gt", "gte", "lt", "lte")
_SOUGHT: tuple[Operator, ...] = (*_OF_A_RANGE, "in", "startsWith")

MOST_VALUES = 5_000
"""Values of a list that a filter compares with, and of all rows of a test that is given several times."""

TESTS_A_RECORD = 50
"""So many tests of rows take as long as reading a record."""


def looked_up(record_type: RecordType) -> tuple[str, ...]:
    """The fields by which an index finds records of this type."""
    shown = (one for one in record_type.fields.values() if not one.hidden and not one.many)
    return ("id", *(one.name for one in shown if one.indexed or one.ordered))


def is_sought(part: Filter, names: Collection[str]) -> bool:
    """Whether an index over one of these fields finds what passes the filter."""
    match part:
        case AllOf():
            return any(is_sought(one, names) for one in part.parts)
        case AnyOf():
            return all(is_sought(one, names) for one in part.parts)
        case Compare():
            return part.name in names and part.operator in _SOUGHT
        case Several():
            return any(one.name in names for one in _equalities(part))
        case Not() | Missing() | Through():
            return False


def _equalities(part: Several) -> list[Compare]:
    """Tests of a row that must all hold for equality: an index finds what equals the value of some row."""
    if part.every:
        return []
    return [one for one in _flat(part.part) if isinstance(one, Compare) and one.operator == "eq"]


def apart(part: Filter | None, name: str) -> tuple[Sequence[Filter], Sequence[Filter]]:
    """The tests that bound a list which is ordered by this field, and the others. All must hold."""
    parts = [*_flat(part)] if part else []
    bounds = [one for one in parts if isinstance(one, Compare) and one.name == name and one.operator in _OF_A_RANGE]
    return bounds, [one for one in parts if one not in bounds]


def _flat(part: Filter) -> Iterator[Filter]:
    if isinstance(part, AllOf):
        for one in part.parts:
            yield from _flat(one)
    else:
        yield part


def tested(part: Filter) -> Iterator[str]:
    """The names of the fields and relations that the filter tests."""
    match part:
        case AllOf() | AnyOf():
            for one in part.parts:
                yield from tested(one)
        case Not():
            yield from tested(part.part)
        case Several():
            yield from tested(part.part)
        case Through():
            yield part.relation.name
        case Compare() | Missing():
            yield part.name


def pattern(source: str, relation: RelationField, link: str, target: str) -> str:
    """`(source)-[link:TYPE]->(target:Label|Other)`, in the direction in which the relation is read."""
    arrow = f"-[{link}:{quoted(relation.relation.type)}]-"
    path = f"{arrow}>" if relation.outgoing else f"<{arrow}"
    return f"({source}){path}({target}:{label_expression(relation.targets)})"


def label_expression(targets: tuple[str, ...]) -> str:
    return quoted(ANY) if targets == (ANY,) else "|".join(quoted(label) for label in targets)


def size_of(part: Filter) -> int:
    """How many tests the filter becomes in a statement."""
    match part:
        case AllOf() | AnyOf():
            return sum(size_of(one) for one in part.parts)
        case Not() | Several():
            return size_of(part.part)
        case Through():
            return 1 + size_of(part.part)
        case Compare() | Missing():
            return 1


class FilterWriter:
    """Writes one filter, and counts what testing it costs. `walk`: how many records may be tested for a page."""

    def __init__(self, statement: Statement, walk: int) -> None:
        self._statement = statement
        self._walk = walk
        self.costs: list[Cost] = []

    def predicate(self, part: Filter, node: str) -> str:
        return self._written(part, _At(node))

    def _written(self, part: Filter, at: "_At") -> str:
        match part:
            case AllOf() | AnyOf():
                return self._joined(part, at)
            case Not():
                return f"NOT {self._written(part.part, at._replace(negated=True))}"
            case Missing():
                return f"{at.node}.{quoted(part.name)} IS {'' if part.missing else 'NOT '}NULL"
            case Compare():
                return self._comparison(part, at)
            case Several():
                return self._several(part, at)
            case Through():
                return self._through(part, at)

    def _joined(self, part: AllOf | AnyOf, at: "_At") -> str:
        word, empty = (" AND ", "true") if isinstance(part, AllOf) else (" OR ", "false")
        written = [self._written(one, at) for one in part.parts]
        return f"({word.join(written)})" if written else empty

    def _comparison(self, part: Compare, at: "_At") -> str:
        operand = self._operand(part.operand, at, listed=part.operator == "in")
        test = f"{at.node}.{quoted(part.name)} {_OPERATORS[part.operator]} {operand}"
        # Without a value the test is unknown, and so would be its negation.
        return f"coalesce({test}, false)" if at.negated else test

    def _operand(self, operand: Operand, at: "_At", *, listed: bool) -> str:
        if isinstance(operand, Place):
            return f"{at.row}[{operand.index}]"
        name = self._statement.parameter(_bounded(operand) if listed else operand)
        self.costs.append(_listed(name) if listed else _one)
        return f"${name}"

    def _several(self, part: Several, at: "_At") -> str:
        """An index seeks values, not rows of them: where it can, it is told of the values that a row must equal."""
        word, row = "all" if part.every else "any", self._statement.name("v")
        inner = self._written(part.part, at._replace(row=row))
        if isinstance(part.rows, Place):
            return f"{word}({row} IN {at.row}[{part.rows.index}] WHERE {inner})"
        rows = self._statement.parameter(_bounded(part.rows))
        sought = [] if at.negated else _equalities(part)
        self.costs.append(_listed(rows) if sought else _tested(rows, self._walk))
        tests = [self._among(one, part.rows, at.node) for one in sought]
        return f"({' AND '.join([*tests, f'{word}({row} IN ${rows} WHERE {inner})'])})"

    def _among(self, part: Compare, rows: Slot, node: str) -> str:
        place = part.operand.index if isinstance(part.operand, Place) else 0
        name = self._statement.parameter(lambda values: [one[place] for one in rows(values)])
        return f"{node}.{quoted(part.name)} IN ${name}"

    def _through(self, part: Through, at: "_At") -> str:
        target, link = self._statement.name("n"), self._statement.name("r")
        inner = self._written(part.part, _At(target, row=at.row))
        path = pattern(at.node, part.relation, link, target)
        return f"EXISTS {{ MATCH {path} WHERE {VISIBLE.format(node=target)} AND {inner} }}"


class _At(NamedTuple):
    """Where a test stands: the node that it is about, and the row of values that its places belong to."""

    node: str
    negated: bool = False
    row: str = ""


def _bounded(slot: Slot) -> Slot:
    def bounded(values: Values) -> list[Any]:
        listed: list[Any] = slot(values)
        size = _values_in(listed)
        if size > MOST_VALUES:
            raise LimitExceeded("filter values", MOST_VALUES, size, "Ask in parts, with fewer values each.")
        return listed

    return bounded


def _values_in(listed: list[Any]) -> int:
    return sum(_values_in(cast("list[Any]", one)) if isinstance(one, list) else 1 for one in listed)


def _one(_bound: object) -> int:
    return 1


def _listed(name: str) -> Cost:
    return lambda bound: len(bound[name])


def _tested(rows: str, walk: int) -> Cost:
    """Each record on the way is tested with all rows."""

    def cost(bound: Bound) -> int:
        return 1 + _values_in(bound[rows]) * walk // TESTS_A_RECORD

    return cost
