"""Records in a row: the columns that their fields need, and how the objects are read out of them."""

from collections.abc import Callable

from service.graph.reads.plan import Bound, Cost, Shaper
from service.graph.reads.shaped import Source
from service.graph.reads.shaping import ObjectShape, Row, Seal, wrapped
from service.graph.reads.statement import Columns, Statement, quoted
from service.graph.reads.tree import (
    Case,
    Connection,
    Elsewhere,
    Property,
    RecordShape,
    Related,
    Typename,
    asks_elsewhere,
)

WriteConnection = Callable[[Connection, Columns, str], tuple[Seal, list[Cost]]]
"""Writes a connection that starts at a variable into the columns of that variable's row."""


class RecordWriter:
    def __init__(self, statement: Statement, write_connection: WriteConnection) -> None:
        self._statement = statement
        self._write_connection = write_connection

    def write(self, shape: RecordShape, node: str, columns: Columns) -> tuple[Seal, list[Cost]]:
        """Add what the shape needs of `node` to the columns."""
        several = len(shape.cases) > 1
        label = self._label(shape, node, columns) if len(shape.labels) > 1 else None
        costs: list[Cost] = []
        seals: dict[str, Seal] = {}
        for case in shape.cases:
            seal = self._case(case, node, label, columns, costs)
            if not asks_elsewhere(RecordShape((case,))) and asks_elsewhere(shape):
                seal = wrapped(seal)
            seals.update(dict.fromkeys(case.labels, seal))
        if several and label is not None:
            return _dispatch(seals, label), costs
        return next(iter(seals.values())), costs

    def _label(self, shape: RecordShape, node: str, columns: Columns) -> int | None:
        """The column of the record's own label, when something depends on it."""
        picks = [pick for case in shape.cases for pick in case.picks]
        if len(shape.cases) == 1 and not any(isinstance(pick, Typename | Elsewhere) for pick in picks):
            return None
        labels = self._statement.constant(list(shape.labels))
        return columns.add(f"[label IN labels({node}) WHERE label IN ${labels}][0]")

    def _case(self, case: Case, node: str, label: int | None, columns: Columns, costs: list[Cost]) -> Seal:
        shape = ObjectShape()
        is_open = asks_elsewhere(RecordShape((case,)))
        for pick in case.picks:
            match pick:
                case Property():
                    shape.column(pick.key, columns.add(f"{node}.{quoted(pick.name)}"))
                case Typename(constant=None) if label is not None:
                    shape.column(pick.key, label)
                case Typename():
                    shape.constant(pick.key, pick.constant)
                case Related():
                    seal, more = self._write_connection(pick.connection, columns, node)
                    costs.extend(more)
                    closed = is_open and not asks_elsewhere(pick)
                    shape.nested(pick.key, wrapped(seal) if closed else seal)
                case Elsewhere():
                    pass
        return _source(shape.seal, columns.add(f"{node}.`id`"), label, case.labels[0]) if is_open else shape.seal


def _dispatch(seals: dict[str, Seal], label: int) -> Seal:
    def sealing(width: int) -> Shaper:
        shapers = {name: seal(width) for name, seal in seals.items()}
        return lambda row, bound: shapers[row[label]](row, bound)

    return sealing


def _source(seal: Seal, record_id: int, label: int | None, constant: str) -> Seal:
    def sealing(width: int) -> Shaper:
        inner = seal(width)

        def shape(row: Row, bound: Bound) -> Source:
            return Source(constant if label is None else row[label], row[record_id], inner(row, bound))

        return shape

    return sealing


