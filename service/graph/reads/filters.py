"""Filters as predicates. A comparison with a missing value is false, also inside `not`."""

from collections.abc import Collection, Iterator, Sequence

from graph_schema.record import RecordType
from graph_schema.relation import ANY, RelationField
from service.graph.reads.plan import Cost
from service.graph.reads.statement import Statement, quoted
from service.graph.reads.tree import AllOf, AnyOf, Compare, Filter, Missing, Not, Operator, Through
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
        case Not() | Missing() | Through():
            return False


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


class FilterWriter:
    """Writes one filter, and counts what testing it costs."""

    def __init__(self, statement: Statement) -> None:
        self._statement = statement
        self.costs: list[Cost] = []

    def predicate(self, part: Filter, node: str, *, negated: bool = False) -> str:
        match part:
            case AllOf():
                return self._joined(" AND ", "true", part.parts, node, negated)
            case AnyOf():
                return self._joined(" OR ", "false", part.parts, node, negated)
            case Not():
                return f"NOT {self.predicate(part.part, node, negated=True)}"
            case Missing():
                return f"{node}.{quoted(part.name)} IS {'' if part.missing else 'NOT '}NULL"
            case Compare():
                return self._comparison(part, node, negated)
            case Through():
                return self._through(part, node)

    def _joined(self, word: str, empty: str, parts: tuple[Filter, ...], node: str, negated: bool) -> str:
        written = [self.predicate(part, node, negated=negated) for part in parts]
        return f"({word.join(written)})" if written else empty

    def _comparison(self, part: Compare, node: str, negated: bool) -> str:
        name = self._statement.parameter(part.operand)
        self.costs.append(_listed(name) if part.operator == "in" else _one)
        test = f"{node}.{quoted(part.name)} {_OPERATORS[part.operator]} ${name}"
        # Without a value the test is unknown, and so would be its negation.
        return f"coalesce({test}, false)" if negated else test

    def _through(self, part: Through, node: str) -> str:
        target, link = self._statement.name("n"), self._statement.name("r")
        inner = self.predicate(part.part, target)
        path = pattern(node, part.relation, link, target)
        return f"EXISTS {{ MATCH {path} WHERE {VISIBLE.format(node=target)} AND {inner} }}"


def _one(_bound: object) -> int:
    return 1


def _listed(name: str) -> Cost:
    return lambda bound: len(bound[name])
