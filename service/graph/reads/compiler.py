"""The compiler: a tree of reads becomes one statement that returns one row with everything in it.

This is the one place that formats queries, and it does so only with identifiers of the registry. Values are
parameters, always.
"""

from collections.abc import Sequence
from typing import Any, LiteralString, cast

from graph_schema.registry import Registry
from graph_schema.relation import ANY
from service.graph.reads.connections import ConnectionWriter, Paging, checked_size
from service.graph.reads.plan import Bound, Cost, Plan, Shaper
from service.graph.reads.shaping import ObjectShape, Row, Seal
from service.graph.reads.statement import Columns, Statement, quoted
from service.graph.reads.tree import ListRoot, NodeRoot, NodesRoot, Root, Typename, Values, asks_elsewhere
from service.graph.visibility import VISIBLE

__all__ = ["ANSWER", "Paging", "compile_read"]

ANSWER = "answer"


def compile_read(registry: Registry, roots: Sequence[Root], paging: Paging, *, narrow: bool) -> Plan:
    """Compile the roots into one plan. `narrow`: the viewer has few audiences (see `ConnectionWriter`)."""
    return _ReadWriter(registry, paging, narrow=narrow).write(roots)


class _ReadWriter:
    def __init__(self, registry: Registry, paging: Paging, *, narrow: bool) -> None:
        self._paging = paging
        self._statement = Statement()
        self._connections = ConnectionWriter(registry, self._statement, paging, narrow=narrow)

    def write(self, roots: Sequence[Root]) -> Plan:
        columns = Columns()
        shape = ObjectShape()
        costs: list[Cost] = []
        for root in roots:
            match root:
                case Typename():
                    shape.constant(root.key, root.constant)
                case NodeRoot():
                    shape.nested(root.key, self._node(root, columns, costs))
                case NodesRoot():
                    shape.nested(root.key, self._nodes(root, columns, costs))
                case ListRoot():
                    seal, more = self._connections.write(root.connection, columns)
                    costs.extend(more)
                    shape.nested(root.key, seal)
        text = f"RETURN {columns} AS {ANSWER}"
        return Plan(
            text=cast("LiteralString", text),
            binds=tuple(self._statement.binds),
            costs=tuple(costs),
            shape=shape.seal(len(columns)),
            open_keys=frozenset(root.key for root in roots if asks_elsewhere(root)),
        )

    def _node(self, root: NodeRoot, columns: Columns, costs: list[Cost]) -> Seal:
        node, wanted = self._statement.name("n"), self._statement.parameter(root.id)
        inner = Columns()
        seal, children = self._connections.records.write(root.shape, node, inner)
        inner.add(f"{node}.`id`")
        found = f"MATCH ({node}:{quoted(ANY)} {{`id`: ${wanted}}}) WHERE {VISIBLE.format(node=node)}"
        index = columns.add(f"COLLECT {{ {found} RETURN {inner} }}")
        costs.append(lambda bound: 1 + sum(child(bound) for child in children))
        return _first(seal, index, len(inner))

    def _nodes(self, root: NodesRoot, columns: Columns, costs: list[Cost]) -> Seal:
        def ids(values: Values) -> list[str]:
            found: list[str] = root.ids(values)
            checked_size(len(found), self._paging, "ids")
            return found

        node, wanted = self._statement.name("n"), self._statement.parameter(ids)
        inner = Columns()
        record_id = inner.add(f"{node}.`id`")
        seal, children = self._connections.records.write(root.shape, node, inner)
        found = f"MATCH ({node}:{quoted(ANY)}) WHERE {node}.`id` IN ${wanted} AND {VISIBLE.format(node=node)}"
        index = columns.add(f"COLLECT {{ {found} RETURN {inner} }}")
        costs.append(lambda bound: len(bound[wanted]) * (1 + sum(child(bound) for child in children)))
        return _by_id(seal, index, len(inner), record_id, wanted)


def _first(seal: Seal, index: int, width: int) -> Seal:
    def sealing(_width: int) -> Shaper:
        inner = seal(width)

        def shape(row: Row, bound: Bound) -> Any:
            found: list[Row] = row[index]
            return inner(found[0], bound) if found else None

        return shape

    return sealing


def _by_id(seal: Seal, index: int, width: int, record_id: int, wanted: str) -> Seal:
    """The records in the order of the ids that were given, with null for what is not there."""

    def sealing(_width: int) -> Shaper:
        inner = seal(width)

        def shape(row: Row, bound: Bound) -> list[Any]:
            found = {one[record_id]: one for one in row[index]}
            return [inner(found[one], bound) if one in found else None for one in bound[wanted]]

        return shape

    return sealing
