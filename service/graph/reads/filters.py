"""Filters as predicates. A comparison with a missing value is false, also inside `not`."""

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
