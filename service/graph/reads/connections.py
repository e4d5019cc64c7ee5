"""Connections: a page of records as a `COLLECT { }` subquery in the row that it hangs on."""

from dataclasses import dataclass
from typing import Any

from graph_schema.model.names import api_name
from graph_schema.model.registry import Registry
from graph_schema.model.relation import ANY
from service.graph.reads import cursors
from service.graph.reads.breadth import Breadth, ListRead
from service.graph.reads.errors import LimitExceeded, PagingInvalid
from service.graph.reads.filters import (
    FilterWriter,
    apart,
    is_sought,
    label_expression,
    looked_up,
    pattern,
    tested,
)
from service.graph.reads.order import NATURAL_ORDER, Keyset, ends_of
from service.graph.reads.plan import Bound
from service.graph.reads.records import RecordWriter
from service.graph.reads.shaping import (
    Expression,
    bound,
    call,
    closed,
    column,
    constant,
    constants,
    cut_page,
    cut_walk,
    either,
    every,
    item,
    mapping,
    on_page,
    ordered_rows,
    variable,
)
from service.graph.reads.statement import Columns, Statement, quoted
from service.graph.reads.stretches import Stretches
from service.graph.reads.tree import (
    Connection,
    Cursor,
    EdgeNode,
    Edges,
    LinkProperty,
    Nodes,
    PageInfo,
    PagePick,
    TotalCount,
    Truncated,
    TruncationFact,
    Typename,
    Values,
    asks_elsewhere,
)
from service.graph.reads.walk import WALK, Walk, bounded, scans
from service.graph.visibility import VISIBLE


@dataclass(frozen=True, slots=True)
class Paging:
    """`nested`: the default below another list, where pages multiply; `walk`: how many records a page looks at."""

    default: int = 50
    nested: int = 10
    maximum: int = 1_000
    walk: int = WALK


@dataclass(frozen=True, slots=True)
class _Range:
    """The rows that a connection is about, before a page is cut out of them."""

    match: str
    predicates: tuple[str, ...]

    def where(self, *more: str) -> str:
        return " AND ".join((*self.predicates, *more))


@dataclass(frozen=True, slots=True)
class _Cut:
    """How a page is cut out of its range. `extra`: one row more is read, to know whether there is another page.

    `rows` and `more` name the rows of the page in expressions, and whether there are others beyond it; `stop` and
    `passed` where a walk stopped before that was known, and how many records it passed until there.
    """

    limit: str
    extra: int
    backward: bool
    after: bool
    before: bool
    rows: str
    more: str
    stop: str
    passed: str
    is_walked: bool

    @property
    def is_needed(self) -> bool:
        return bool(self.extra) or self.backward or self.is_walked

    @property
    def names(self) -> tuple[str, ...]:
        return (self.rows, self.more, self.stop, self.passed) if self.is_walked else (self.rows, self.more)


@dataclass(frozen=True, slots=True)
class _Truncation:
    """What is said of a walk that stopped: the fields that it was for, and those that would have found it at once."""

    fields: tuple[str, ...]
    helpful: tuple[str, ...]

    @property
    def remedy(self) -> str:
        *most, last = self.helpful
        named = f"{', '.join(most)} or {last}" if most else last
        return f"Go on from the cursor, or test {named} as well: an index finds these at once."


class _Page:
    """The page of a connection while it is written: its columns, and where the row it hangs on holds its rows."""

    def __init__(self, columns: Columns, cut: _Cut, keyset: Keyset, parent: Columns) -> None:
        self.columns = columns
        self.cut = cut
        self.keyset = keyset
        self.index: int | None = None
        self.is_joined = False
        """Whether the rows come through a union, which promises no order."""

        self.truncation: _Truncation | None = None
        """What there is to say if a walk stops before its page is full."""

        self._parent = parent

    @property
    def rows(self) -> Expression:
        """The rows of the page."""
        if self.index is None:
            self.index = self._parent.reserve()
        return variable(self.cut.rows) if self.cut.is_needed else self._found(self.index)

    def _found(self, index: int) -> Expression:
        found = column(self._parent.row, index)
        if not self.is_joined:
            return found
        value, record_id = self.columns.add(self.keyset.value), self.columns.add(self.keyset.id)
        falling = self.keyset.order.descending != self.cut.backward
        return call(ordered_rows.__name__, found, constant(value), constant(record_id), constant(falling))

    def cut_out(self, answer: Expression) -> Expression:
        """The answer, with the names of the page defined."""
        cut = self.cut
        if not cut.is_needed or self.index is None:
            return answer
        found = self._found(self.index)
        how = cut_walk.__name__ if cut.is_walked else cut_page.__name__
        cutting = call(how, found, bound(cut.limit), constant(cut.extra), constant(cut.backward))
        return on_page(cut.names, answer, cutting)

    def cost(self, values: Bound) -> int:
        return (values[self.cut.limit] - self.cut.extra) * self.columns.cost(values)


class ConnectionWriter:
    def __init__(self, registry: Registry, statement: Statement, paging: Paging, breadth: Breadth) -> None:
        self._registry = registry
        self._statement = statement
        self._paging = paging
        self._breadth = breadth
        self.records = RecordWriter(statement, self.write)

    def write(self, connection: Connection, parent: Columns, source: str = "") -> Expression:
        """Add the connection to the columns of the row it hangs on."""
        filters = FilterWriter(self._statement, self._paging.walk)
        keyset = self._keyset(connection)
        rows = self._range(connection, filters, source, keyset)
        items: list[tuple[str, Expression]] = []
        page = _Page(self._statement.columns(), self._cut(connection), keyset, parent)
        page.truncation = self._truncation(connection)
        page.is_joined = self._is_plain(connection) and self._breadth is Breadth.few
        for pick in connection.picks:
            match pick:
                case TotalCount():
                    items.append((pick.key, column(parent.row, parent.add(self._count(connection, rows, keyset)))))
                case Typename():
                    items.append((pick.key, constant(pick.constant)))
                case Edges() | Nodes() | PageInfo():
                    part = self._part(pick, page)
                    is_complete = asks_elsewhere(connection) and not asks_elsewhere(pick)
                    items.append((pick.key, closed(part) if is_complete else part))
        parent.costs.extend(filters.costs)
        if page.index is None:
            parent.costs.append(_one)
            return mapping(items)
        page.columns.add(keyset.id)
        answer = page.cut_out(mapping(items))
        parent.fill(page.index, self._collect(connection, rows, page))
        parent.costs.append(page.cost)
        if page.truncation is not None:
            parent.costs.append(lambda _bound: self._paging.walk)
        return answer

    def _range(self, connection: Connection, filters: FilterWriter, source: str, keyset: Keyset) -> _Range:
        node, link = keyset.node, keyset.link
        if connection.relation is not None and link is not None:
            match = f"MATCH {pattern(f'{source}:{quoted(connection.source)}', connection.relation, link, node)}"
        else:
            match = f"MATCH ({node}:{self._labels(connection)})"
        predicates = [VISIBLE.format(node=node)]
        is_counted = any(isinstance(pick, TotalCount) for pick in connection.picks)
        if connection.filter is not None and (is_counted or not self._is_walked(connection)):
            predicates.append(filters.predicate(connection.filter, node))
        return _Range(match, tuple(predicates))

    def _count(self, connection: Connection, rows: _Range, keyset: Keyset) -> str:
        stated = [] if connection.relation else keyset.present()
        return f"COUNT {{ {rows.match} WHERE {rows.where(*stated)} }}"

    def _collect(self, connection: Connection, rows: _Range, page: _Page) -> str:
        keyset, cut = page.keyset, page.cut
        if cut.is_walked:
            return f"COLLECT {{ {self._walk(connection, rows, page).clauses(self._breadth, str(page.columns))} }}"
        bounds = self._bounds(connection, keyset)
        if self._is_plain(connection):
            plain = ListRead(rows.match, keyset, cut.backward, cut.limit, tuple(bounds))
            return f"COLLECT {{ {plain.clauses(self._breadth)} RETURN {page.columns} }}"
        stated = [] if connection.relation else keyset.present()
        read = f"{rows.match} WHERE {rows.where(*stated, *bounds)}"
        variables = f"{keyset.node}, {keyset.link}" if keyset.link else keyset.node
        ordered = f"{keyset.order_by(backward=cut.backward)} LIMIT ${cut.limit}"
        return f"COLLECT {{ {read} WITH {variables} {ordered} RETURN {page.columns} }}"

    def _is_plain(self, connection: Connection) -> bool:
        is_root = connection.relation is None
        return is_root and connection.filter is None and connection.order.name == NATURAL_ORDER

    def _is_walked(self, connection: Connection) -> bool:
        """Whether it is read in the order of an index: all lists of a type that no index over a tested field serves."""
        if connection.relation is not None or self._is_plain(connection):
            return False
        fields = self._registry.types[connection.targets[0]].fields
        return fields[connection.order.name].ordered and not self._is_sought(connection)

    def _is_sought(self, connection: Connection) -> bool:
        if connection.filter is None:
            return False
        # The index of the order itself is what is walked; a test of it says where the walk begins and ends.
        return is_sought(connection.filter, {*self._looked_up(connection)} - {connection.order.name})

    def _looked_up(self, connection: Connection) -> tuple[str, ...]:
        return looked_up(self._registry.types[connection.targets[0]])

    def _labels(self, connection: Connection) -> str:
        """The id is unique over all records, so its index is that of the label which they share."""
        labels = label_expression(connection.targets)
        is_by_id = connection.filter is not None and is_sought(connection.filter, ("id",))
        return f"{labels}&{quoted(ANY)}" if is_by_id and len(connection.targets) == 1 else labels

    def _walk(self, connection: Connection, rows: _Range, page: _Page) -> Walk:
        cut, keyset, writer = page.cut, page.keyset, FilterWriter(self._statement, self._paging.walk)
        field = self._registry.types[connection.targets[0]].fields[connection.order.name]
        bounds, tests = apart(connection.filter, field.name)
        is_scanned = scans(self._breadth, has_own_index=field.indexed)
        stretches = Stretches(keyset, connection.page, self._statement, has_own_index=field.indexed)
        return Walk(
            match=rows.match,
            keyset=keyset,
            stretches=stretches.read(valued=bool(bounds)),
            backward=cut.backward,
            limit=cut.limit,
            bounds=tuple(writer.predicate(one, keyset.node) for one in bounds),
            tests=tuple(writer.predicate(one, keyset.node) for one in tests),
            bounded=bounded(self._statement, self._paging.walk, is_scanned=is_scanned) if tests else None,
        )

    def _truncation(self, connection: Connection) -> _Truncation | None:
        if not self._is_walked(connection) or connection.filter is None:
            return None
        helpful = [name for name in self._looked_up(connection) if name != connection.order.name]
        names = dict.fromkeys(tested(connection.filter))
        fields = [name for name in names if name not in helpful] or names
        return _Truncation(tuple(map(api_name, fields)), tuple(map(api_name, helpful)))

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
        nullable = common is None or not common.required
        return Keyset(connection.order, node, link, nullable, self._ends(connection))

    def _ends(self, connection: Connection) -> tuple[Any, Any]:
        one_type = self._registry.types.get(connection.targets[0])
        fields = one_type.fields if one_type else self._registry.common_fields
        return ends_of(fields[connection.order.name].kind)

    def _cut(self, connection: Connection) -> _Cut:
        page, paging = connection.page, self._paging
        extra = 1 if any(isinstance(pick, PageInfo) for pick in connection.picks) else 0
        argument = "last" if page.backward else "first"
        default = paging.nested if connection.relation else paging.default

        def limit(values: Values) -> int:
            size = page.size(values) if page.size else None
            return checked_size(default if size is None else size, paging, argument) + extra

        return _Cut(
            limit=self._statement.parameter(limit),
            extra=extra,
            backward=page.backward,
            after=page.after is not None,
            before=page.before is not None,
            rows=self._statement.name("rows"),
            more=self._statement.name("more"),
            stop=self._statement.name("stop"),
            passed=self._statement.name("passed"),
            is_walked=self._is_walked(connection),
        )

    def _part(self, pick: Edges | Nodes | PageInfo, page: _Page) -> Expression:
        """A value of the connection, made from the rows of its page."""
        match pick:
            case Edges():
                return every(page.columns.row, page.rows, self._edge(pick, page))
            case Nodes():
                return every(
                    page.columns.row, page.rows, self.records.write(pick.shape, page.keyset.node, page.columns)
                )
            case PageInfo():
                return mapping([(one.key, _fact(one, page)) for one in pick.picks])

    def _edge(self, edges: Edges, page: _Page) -> Expression:
        columns, keyset = page.columns, page.keyset
        items: list[tuple[str, Expression]] = []
        for pick in edges.picks:
            match pick:
                case Cursor():
                    items.append((pick.key, _cursor(page, variable(columns.row))))
                case LinkProperty():
                    index = columns.add(f"{keyset.link}.{quoted(pick.name)}")
                    items.append((pick.key, column(columns.row, index)))
                case EdgeNode():
                    written = self.records.write(pick.shape, keyset.node, columns)
                    is_complete = asks_elsewhere(edges) and not asks_elsewhere(pick)
                    items.append((pick.key, closed(written) if is_complete else written))
                case Typename():
                    items.append((pick.key, constant(pick.constant)))
        return mapping(items)


def checked_size(size: int, paging: Paging, argument: str) -> int:
    if size < 0:
        raise PagingInvalid(argument, "it must not be negative")
    if size > paging.maximum:
        raise LimitExceeded(argument, paging.maximum, size, "Ask for a smaller page and follow the cursors.")
    return size


def _fact(pick: PagePick, page: _Page) -> Expression:
    """A fact about the page. Against the direction of paging, the cursor that was given proves that there is more."""
    rows, cut = page.rows, page.cut
    if isinstance(pick, Typename):
        return constant(pick.constant)
    if isinstance(pick, Truncated):
        return _truncated(pick, page)
    if pick.part == "hasNextPage":
        return constant(cut.before) if cut.backward else variable(cut.more)
    if pick.part == "hasPreviousPage":
        return variable(cut.more) if cut.backward else constant(cut.after)
    row = item(rows, 0 if pick.part == "startCursor" else -1)
    shown = either(rows, _cursor(page, row), constant(None))
    is_ahead = pick.part == ("startCursor" if cut.backward else "endCursor")
    return either(variable(cut.stop), _stop(page), shown) if cut.is_walked and is_ahead else shown


def _stop(page: _Page) -> Expression:
    """The cursor of the record that a walk looked at last, whether it passed the filter or not."""
    stop = variable(page.cut.stop)
    return call(cursors.encode.__name__, constant(page.keyset.order.tag), item(stop, 0), item(stop, 1), constant(None))


def _truncated(pick: Truncated, page: _Page) -> Expression:
    truncation = page.truncation
    if truncation is None:
        return constant(None)

    def fact(one: TruncationFact | Typename) -> Expression:
        if isinstance(one, Typename):
            return constant(one.constant)
        if one.part == "walked":
            return variable(page.cut.passed)
        return constants(truncation.fields) if one.part == "fields" else constant(truncation.remedy)

    facts = mapping([(one.key, fact(one)) for one in pick.picks])
    return either(variable(page.cut.stop), facts, constant(None))


def _cursor(page: _Page, row: Expression) -> Expression:
    keyset, columns = page.keyset, page.columns
    link = item(row, columns.add(keyset.link_id)) if keyset.link_id else constant(None)
    value, record_id = item(row, columns.add(keyset.value)), item(row, columns.add(keyset.tie))
    return call(cursors.encode.__name__, constant(keyset.order.tag), value, record_id, link)


def _one(_bound: Bound) -> int:
    return 1
