"""The compiler: a tree of reads becomes one statement that returns one row with everything in it.

This is the one place that formats queries, and it does so only with identifiers of the registry. Values are
parameters, always.
"""

from collections.abc import Sequence
from typing import LiteralString, cast

from graph_schema.model.registry import Registry
from graph_schema.model.relation import ANY
from service.graph.reads.breadth import Breadth
from service.graph.reads.connections import ConnectionWriter, Paging, checked_size
from service.graph.reads.plan import Plan
from service.graph.reads.shaping import (
    Expression,
    bound,
    by_key,
    call,
    column,
    constant,
    every,
    first_of,
    in_order,
    mapping,
    shaper,
)
from service.graph.reads.statement import Columns, Statement, quoted
from service.graph.reads.tree import (
    ById,
    ByKey,
    ListRoot,
    Name,
    NodeRoot,
    NodesRoot,
    RecordShape,
    Root,
    Typename,
    Values,
    asks_elsewhere,
)
from service.graph.visibility import VISIBLE

__all__ = ["Breadth", "Paging", "compile_read"]


def compile_read(registry: Registry, roots: Sequence[Root], paging: Paging, breadth: Breadth = Breadth.many) -> Plan:
    """Compile the roots into one plan for viewers of some breadth. It is right for all others too, only slower."""
    return _ReadWriter(registry, paging, breadth).write(roots)


class _ReadWriter:
    def __init__(self, registry: Registry, paging: Paging, breadth: Breadth) -> None:
        self._paging = paging
        self._statement = Statement()
        self._connections = ConnectionWriter(registry, self._statement, paging, breadth)

    def write(self, roots: Sequence[Root]) -> Plan:
        columns = self._statement.columns()
        answer = mapping([(root.key, self._root(root, columns)) for root in roots])
        return Plan(
            text=cast("LiteralString", f"RETURN {columns} AS answer"),
            binds=tuple(self._statement.binds),
            costs=tuple(columns.costs),
            shape=shaper(columns.row, answer),
            open_keys=frozenset(root.key for root in roots if asks_elsewhere(root)),
        )

    def _root(self, root: Root, columns: Columns) -> Expression:
        match root:
            case Typename():
                return constant(root.constant)
            case NodeRoot():
                return self._node(root, columns)
            case NodesRoot():
                return self._nodes(root, columns)
            case ListRoot():
                return self._connections.write(root.connection, columns)

    def _node(self, root: NodeRoot, columns: Columns) -> Expression:
        inner, record, found = self._records(root.shape, columns, self._test(root.name))
        columns.costs.append(inner.cost)
        return call(first_of.__name__, every(inner.row, found, record))

    def _test(self, name: Name) -> str:
        match name:
            case ById():
                return f"{{node}}.`id` = ${self._statement.parameter(name.id)}"
            case ByKey():
                source, key = self._statement.parameter(name.source), self._statement.parameter(name.key)
                return f"{{node}}.`source` = ${source} AND {{node}}.`source_key` = ${key}"

    def _nodes(self, root: NodesRoot, columns: Columns) -> Expression:
        def ids(values: Values) -> list[str]:
            given: list[str] = root.ids(values)
            checked_size(len(given), self._paging, "ids")
            return given

        wanted = self._statement.parameter(ids)
        inner, record, found = self._records(root.shape, columns, f"{{node}}.`id` IN ${wanted}")
        columns.costs.append(lambda values: len(values[wanted]) * inner.cost(values))
        by_id = by_key(inner.row, found, column(inner.row, 0), record)
        return call(in_order.__name__, by_id, bound(wanted))

    def _records(self, shape: RecordShape, columns: Columns, test: str) -> tuple[Columns, Expression, Expression]:
        """Read records that pass a test of `{node}`. Their id is the first column of their rows."""
        node, inner = self._statement.name("n"), self._statement.columns()
        inner.add(f"{node}.`id`")
        record = self._connections.records.write(shape, node, inner)
        tests = f"{test} AND {VISIBLE}".format(node=node)
        match = f"MATCH ({node}:{quoted(ANY)}) WHERE {tests}"
        found = column(columns.row, columns.add(f"COLLECT {{ {match} RETURN {inner} }}"))
        return inner, record, found
