"""Connections: a page of records as a `COLLECT { }` subquery in the row that it hangs on."""

from dataclasses import dataclass

from graph_schema.registry import Registry
from service.graph.reads.errors import LimitExceeded, PagingInvalid
from service.graph.reads.filters import FilterWriter, label_expression, pattern
from service.graph.reads.order import NATURAL_ORDER, Keyset
from service.graph.reads.pages import ConnectionShape, Cut, PartSeal, closed, cursor, listing, page_info
from service.graph.reads.plan import Bound, Cost
from service.graph.reads.records import RecordWriter
from service.graph.reads.shaping import ObjectShape, Seal, wrapped
from service.graph.reads.statement import Columns, Statement, quoted
from service.graph.reads.tree import (
    Connection,
    Cursor,
    EdgeNode,
    Edges,
    LinkProperty,
    Nodes,
    PageInfo,
    TotalCount,
    Typename,
    Values,
    asks_elsewhere,
)
from service.graph.visibility import AUDIENCES, VISIBLE, VISIBLE_TO_ONE

@dataclass(frozen=True, slots=True)
class Paging:
    default: int = 50
    maximum: int = 1_000


@dataclass(frozen=True, slots=True)
class _Range:
    """The rows that a connection is about, before a page is cut out of them."""

    match: str
    predicates: tuple[str, ...]

    def where(self, *more: str) -> str:
        return " AND ".join((*self.predicates, *more))


class ConnectionWriter:
    """`narrow`: the viewer has few audiences, so that seeking each of them in an index is the cheapest way."""

    def __init__(self, registry: Registry, statement: Statement, paging: Paging, *, narrow: bool) -> None:
        self._registry = registry
        self._statement = statement
        self._paging = paging
        self._narrow = narrow
        self.records = RecordWriter(statement, self.write)

    def write(self, connection: Connection, parent: Columns, source: str = "") -> tuple[Seal, list[Cost]]:
        """Add the connection to the columns of the row it hangs on."""
        filters = FilterWriter(self._statement)
        keyset = self._keyset(connection)
        rows = self._range(connection, filters, source, keyset)
        shape = ConnectionShape()
        columns = Columns()
        cut = self._cut(connection)
        children: list[Cost] = []
        for pick in connection.picks:
            match pick:
                case TotalCount():
                    counted = rows.where(*([] if connection.relation else keyset.present()))
                    shape.count(pick.key, parent.add(f"COUNT {{ {rows.match} WHERE {counted} }}"))
                case Typename():
                    shape.constant(pick.key, pick.constant)
                case Edges() | Nodes() | PageInfo():
                    seal = self._part(pick, keyset, cut, columns, children)
                    is_closed = asks_elsewhere(connection) and not asks_elsewhere(pick)
                    shape.part(pick.key, closed(seal) if is_closed else seal)
        if not _asks_rows(connection):
            return shape.without_rows(), [_one, *filters.costs]
        columns.add(keyset.id)
        index = parent.add(self._collect(connection, rows, keyset, cut, columns))
        return shape.with_rows(cut, index, len(columns)), [_multiplied(cut, children), *filters.costs]

    def _range(self, connection: Connection, filters: FilterWriter, source: str, keyset: Keyset) -> _Range:
        node, link = keyset.node, keyset.link
        if connection.relation is not None and link is not None:
            match = f"MATCH {pattern(f'{source}:{quoted(connection.source)}', connection.relation, link, node)}"
        else:
            match = f"MATCH ({node}:{label_expression(connection.targets)})"
        predicates = [VISIBLE.format(node=node)]
        if connection.filter is not None:
            predicates.append(filters.predicate(connection.filter, node))
        return _Range(match, tuple(predicates))

    def _collect(self, connection: Connection, rows: _Range, keyset: Keyset, cut: Cut, columns: Columns) -> str:
        bounds = self._bounds(connection, keyset)
        if connection.relation is not None:
            read = f"{rows.match} WHERE {rows.where(*bounds)}"
        elif self._narrow and connection.filter is None and connection.order.name == NATURAL_ORDER:
            read = self._by_audience(rows, keyset, cut, bounds)
        else:
            read = f"{rows.match} WHERE {rows.where(*keyset.present(), *bounds)}"
        variables = f"{keyset.node}, {keyset.link}" if keyset.link else keyset.node
        page = f"{keyset.order_by(backward=cut.backward)} LIMIT ${cut.limit}"
        return f"COLLECT {{ {read} WITH {variables} {page} RETURN {columns} }}"

    def _by_audience(self, rows: _Range, keyset: Keyset, cut: Cut, bounds: list[str]) -> str:
        """A page of each audience, in the order of the index. The page of all is among them."""
        node = keyset.node
        predicates = " AND ".join((VISIBLE_TO_ONE.format(node=node), *keyset.present(), *bounds))
        order = keyset.order_by(backward=cut.backward, first=f"{node}.audience")
        read = f"{rows.match} WHERE {predicates} RETURN {node} {order} LIMIT ${cut.limit}"
        return f"{AUDIENCES} CALL (audience) {{ {read} }}"

    def _bounds(self, connection: Connection, keyset: Keyset) -> list[str]:
        page = connection.page
        after = [keyset.beyond(self._statement, page.after, before=False)] if page.after else []
        before = [keyset.beyond(self._statement, page.before, before=True)] if page.before else []
        return after + before

    def _keyset(self, connection: Connection) -> Keyset:
        node = self._statement.name("n")
        link = self._statement.name("r") if connection.relation else None
        # A stub lacks what only its own type requires, so no more than the common fields can be relied on.
        common = self._registry.common_fields.get(connection.order.name)
        return Keyset(connection.order, node, link, nullable=common is None or not common.required)

    def _cut(self, connection: Connection) -> Cut:
        page, paging = connection.page, self._paging
        extra = 1 if any(isinstance(pick, PageInfo) for pick in connection.picks) else 0
        argument = "last" if page.backward else "first"

        def limit(values: Values) -> int:
            size = page.size(values) if page.size else None
            return checked_size(paging.default if size is None else size, paging, argument) + extra

        name = self._statement.parameter(limit)
        return Cut(name, extra, page.backward, page.after is not None, page.before is not None)

    def _part(
        self, pick: Edges | Nodes | PageInfo, keyset: Keyset, cut: Cut, columns: Columns, costs: list[Cost]
    ) -> PartSeal:
        match pick:
            case Edges():
                return listing(self._edge(pick, keyset, columns, costs))
            case Nodes():
                seal, more = self.records.write(pick.shape, keyset.node, columns)
                costs.extend(more)
                return listing(seal)
            case PageInfo():
                return page_info(pick, keyset, cut, columns)

    def _edge(self, edges: Edges, keyset: Keyset, columns: Columns, costs: list[Cost]) -> Seal:
        shape = ObjectShape()
        is_open = asks_elsewhere(edges)
        for pick in edges.picks:
            match pick:
                case Cursor():
                    shape.nested(pick.key, cursor(keyset, columns))
                case LinkProperty():
                    shape.column(pick.key, columns.add(f"{keyset.link}.{quoted(pick.name)}"))
                case EdgeNode():
                    seal, more = self.records.write(pick.shape, keyset.node, columns)
                    costs.extend(more)
                    shape.nested(pick.key, wrapped(seal) if is_open and not asks_elsewhere(pick) else seal)
                case Typename():
                    shape.constant(pick.key, pick.constant)
        return shape.seal


def checked_size(size: int, paging: Paging, argument: str) -> int:
    if size < 0:
        raise PagingInvalid(argument, "it must not be negative")
    if size > paging.maximum:
        raise LimitExceeded(argument, paging.maximum, size, "Ask for a smaller page and follow the cursors.")
    return size


def _asks_rows(connection: Connection) -> bool:
    return any(isinstance(pick, Edges | Nodes | PageInfo) for pick in connection.picks)


def _one(_bound: Bound) -> int:
    return 1


def _multiplied(cut: Cut, children: list[Cost]) -> Cost:
    return lambda bound: cut.size(bound) * (1 + sum(child(bound) for child in children))


