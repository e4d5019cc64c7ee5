"""What a read asks for, free of GraphQL and of Cypher. The compiler turns it into one statement.

`goals(first: 2) { nodes { id concerns { edges { role node { name } } } } }` becomes

    ListRoot("goals", Connection(("Goal",), picks=(Nodes("nodes", RecordShape((Case(("Goal",), (
        Property("id", "id"),
        Related("concerns", Connection(("Entity",), relation=…, picks=(Edges("edges", (
            LinkProperty("role", "role"),
            EdgeNode("node", RecordShape((Case(("Entity",), (Property("name", "name"),)),))),
        )),))),
    )),))),)))

`key` is always the name that the answer gives to the value.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from graph_schema.model.relation import RelationField

Values = Mapping[str, Any]
Slot = Callable[[Values], Any]
"""A value that differs from run to run: it is taken from the values of the run and becomes a parameter."""


@dataclass(frozen=True, slots=True)
class Place:
    """A column of the rows of the `Several` that a test stands in."""

    index: int


Operand = Slot | Place
"""What a test compares with."""

Operator = Literal["eq", "in", "contains", "startsWith", "gt", "gte", "lt", "lte"]


@dataclass(frozen=True, slots=True)
class Compare:
    name: str
    operator: Operator
    operand: Operand


@dataclass(frozen=True, slots=True)
class Missing:
    name: str
    missing: bool


@dataclass(frozen=True, slots=True)
class AllOf:
    parts: "tuple[Filter, ...]"


@dataclass(frozen=True, slots=True)
class AnyOf:
    parts: "tuple[Filter, ...]"


@dataclass(frozen=True, slots=True)
class Not:
    part: "Filter"


@dataclass(frozen=True, slots=True)
class Through:
    """Some visible record at the other end of the relation passes the filter."""

    relation: RelationField
    part: "Filter"


@dataclass(frozen=True, slots=True)
class Several:
    """Tests that differ in their values alone: the test, and a row of values for each time that it was given.

    So a statement depends on the shape of a filter, and not on how wide it is. `every`: all rows must pass; else one.
    """

    part: "Filter"
    rows: Operand
    every: bool


Filter = Compare | Missing | AllOf | AnyOf | Not | Through | Several


@dataclass(frozen=True, slots=True)
class Order:
    name: str = "created_at"
    descending: bool = False

    @property
    def tag(self) -> str:
        """Names the order inside a cursor, so that a cursor of another order is recognised."""
        return f"-{self.name}" if self.descending else self.name


@dataclass(frozen=True, slots=True)
class Page:
    """`size` absent means the default size. With `backward` the page is the last one before the end of the range."""

    size: Slot | None = None
    after: Slot | None = None
    before: Slot | None = None
    backward: bool = False


@dataclass(frozen=True, slots=True)
class Property:
    key: str
    name: str
    counts: str = ""


@dataclass(frozen=True, slots=True)
class Typename:
    """The name of the type: a constant, or the record's own label when it is not known before."""

    key: str
    constant: str | None


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A field with rules of its own. Whoever answers it gets the record's id and label."""


@dataclass(frozen=True, slots=True)
class Related:
    key: str
    connection: "Connection"


RecordPick = Property | Typename | Related | Elsewhere


@dataclass(frozen=True, slots=True)
class Case:
    """What is asked of records with one of these labels."""

    labels: tuple[str, ...]
    picks: tuple[RecordPick, ...]


@dataclass(frozen=True, slots=True)
class RecordShape:
    cases: tuple[Case, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(label for case in self.cases for label in case.labels)


@dataclass(frozen=True, slots=True)
class Cursor:
    key: str


@dataclass(frozen=True, slots=True)
class LinkProperty:
    key: str
    name: str


@dataclass(frozen=True, slots=True)
class EdgeNode:
    key: str
    shape: RecordShape


EdgePick = Cursor | LinkProperty | EdgeNode | Typename


@dataclass(frozen=True, slots=True)
class Edges:
    key: str
    picks: tuple[EdgePick, ...]


@dataclass(frozen=True, slots=True)
class Nodes:
    key: str
    shape: RecordShape


PagePart = Literal["hasNextPage", "hasPreviousPage", "startCursor", "endCursor"]


@dataclass(frozen=True, slots=True)
class PageFact:
    key: str
    part: PagePart


TruncationPart = Literal["walked", "fields", "remedy"]


@dataclass(frozen=True, slots=True)
class TruncationFact:
    key: str
    part: TruncationPart


@dataclass(frozen=True, slots=True)
class Truncated:
    """That the page ended because enough was looked at, and how far it came; nothing of a page that did not."""

    key: str
    picks: tuple[TruncationFact | Typename, ...]


PagePick = PageFact | Truncated | Typename


@dataclass(frozen=True, slots=True)
class PageInfo:
    key: str
    picks: tuple[PagePick, ...]


@dataclass(frozen=True, slots=True)
class TotalCount:
    key: str


ConnectionPick = Edges | Nodes | PageInfo | TotalCount | Typename


@dataclass(frozen=True, slots=True)
class Connection:
    """A page of records: all of one type (`relation` absent), or those at the other end of a relation.

    `source` is the label that the relation was asked of.
    """

    targets: tuple[str, ...]
    picks: tuple[ConnectionPick, ...]
    relation: RelationField | None = None
    source: str = ""
    filter: Filter | None = None
    order: Order = Order()
    page: Page = Page()


@dataclass(frozen=True, slots=True)
class ById:
    id: Slot


@dataclass(frozen=True, slots=True)
class ByKey:
    """By what an outside system calls it."""

    source: Slot
    key: Slot


Name = ById | ByKey


@dataclass(frozen=True, slots=True)
class NodeRoot:
    key: str
    name: Name
    shape: RecordShape


@dataclass(frozen=True, slots=True)
class NodesRoot:
    key: str
    ids: Slot
    shape: RecordShape


@dataclass(frozen=True, slots=True)
class ListRoot:
    key: str
    connection: Connection


Root = NodeRoot | NodesRoot | ListRoot | Typename


def asks_elsewhere(part: Any) -> bool:
    """Whether a field with rules of its own is somewhere in this part of the tree."""
    match part:
        case Elsewhere():
            return True
        case NodeRoot() | NodesRoot() | Nodes() | EdgeNode():
            return asks_elsewhere(part.shape)
        case ListRoot() | Related():
            return asks_elsewhere(part.connection)
        case RecordShape():
            return any(asks_elsewhere(pick) for case in part.cases for pick in case.picks)
        case Connection() | Edges():
            return any(asks_elsewhere(pick) for pick in part.picks)
        case _:
            return False
