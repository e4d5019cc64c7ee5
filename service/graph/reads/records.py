"""Records in a row: the columns that their fields need, and the expression that reads the object out of them."""

from collections.abc import Callable

from service.graph.reads.shaped import Source
from service.graph.reads.shaping import Expression, call, choice, closed, column, constant, mapping
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
from service.graph.visibility import VISIBLE

WriteConnection = Callable[[Connection, Columns, str], Expression]
"""Writes a connection that starts at a variable into the columns of that variable's row."""


class RecordWriter:
    def __init__(self, statement: Statement, write_connection: WriteConnection) -> None:
        self._statement = statement
        self._write_connection = write_connection

    def write(self, shape: RecordShape, node: str, columns: Columns) -> Expression:
        """Add what the shape needs of `node` to the columns."""
        label = self._label(shape, node, columns)
        cases: list[tuple[tuple[str, ...], Expression]] = []
        for case in shape.cases:
            written = self._case(case, node, label, columns)
            is_complete = asks_elsewhere(shape) and not asks_elsewhere(RecordShape((case,)))
            cases.append((case.labels, closed(written) if is_complete else written))
        return choice(label, cases)

    def _label(self, shape: RecordShape, node: str, columns: Columns) -> Expression:
        """The record's own label: a constant, or a column when something depends on it."""
        picks = [pick for case in shape.cases for pick in case.picks]
        matters = len(shape.cases) > 1 or any(isinstance(pick, Typename | Elsewhere) for pick in picks)
        if len(shape.labels) == 1 or not matters:
            return constant(shape.labels[0])
        labels = self._statement.constant(list(shape.labels))
        return column(columns.row, columns.add(f"[label IN labels({node}) WHERE label IN ${labels}][0]"))

    def _case(self, case: Case, node: str, label: Expression, columns: Columns) -> Expression:
        is_open = asks_elsewhere(RecordShape((case,)))
        items: list[tuple[str, Expression]] = []
        for pick in case.picks:
            match pick:
                case Property():
                    index = columns.add(_counted(node, pick.counts) if pick.counts else f"{node}.{quoted(pick.name)}")
                    items.append((pick.key, column(columns.row, index)))
                case Typename():
                    items.append((pick.key, constant(pick.constant) if pick.constant else label))
                case Related():
                    written = self._write_connection(pick.connection, columns, node)
                    is_complete = is_open and not asks_elsewhere(pick)
                    items.append((pick.key, closed(written) if is_complete else written))
                case Elsewhere():
                    pass
        answered = mapping(items)
        if not is_open:
            return answered
        record_id = column(columns.row, columns.add(f"{node}.`id`"))
        return call(Source.__name__, label, record_id, answered)


def _counted(node: str, counts: str) -> str:
    """How many a viewer may see: of what relations lead to, or of a run's parts."""
    seen = VISIBLE.format(node="counted")
    if counts.isupper():
        types = "|".join(quoted(one) for one in counts.split("|"))
        return f"COUNT {{ MATCH ({node})-[:{types}]->(counted:Record) WHERE {seen} }}"
    return f"COUNT {{ MATCH (counted:{quoted(counts)} {{run_id: {node}.id}}) WHERE {seen} AND NOT counted.stub }}"
