"""What a generated field stands for. It travels with the field, from the type's generation to the selection."""

from dataclasses import dataclass

from graph_schema.model.relation import RelationField
from service.graph.reads.tree import PagePart, TruncationPart

KEY = "role"
"""Where a Strawberry field's metadata holds it."""


@dataclass(frozen=True, slots=True)
class RecordById:
    """`node(id:)`"""


@dataclass(frozen=True, slots=True)
class RecordsById:
    """`nodes(ids:)`"""


@dataclass(frozen=True, slots=True)
class AllRecords:
    """A connection at the root."""

    label: str


@dataclass(frozen=True, slots=True)
class PropertyOf:
    name: str
    counts: str = ""


@dataclass(frozen=True, slots=True)
class RelationOf:
    relation: RelationField
    source: str


@dataclass(frozen=True, slots=True)
class EdgesOf:
    """`edges` of a connection."""


@dataclass(frozen=True, slots=True)
class NodesOf:
    """`nodes` of a connection."""


@dataclass(frozen=True, slots=True)
class PageInfoOf:
    """`pageInfo` of a connection."""


@dataclass(frozen=True, slots=True)
class TotalCountOf:
    """`totalCount` of a connection."""


@dataclass(frozen=True, slots=True)
class PageFactOf:
    part: PagePart


@dataclass(frozen=True, slots=True)
class TruncationOf:
    """`truncated` of a page."""


@dataclass(frozen=True, slots=True)
class TruncationFactOf:
    part: TruncationPart


@dataclass(frozen=True, slots=True)
class CursorOf:
    """`cursor` of an edge."""


@dataclass(frozen=True, slots=True)
class NodeOf:
    """`node` of an edge."""


@dataclass(frozen=True, slots=True)
class LinkPropertyOf:
    name: str


RootRole = RecordById | RecordsById | AllRecords
Role = (
    RootRole
    | PropertyOf
    | RelationOf
    | EdgesOf
    | NodesOf
    | PageInfoOf
    | TotalCountOf
    | PageFactOf
    | TruncationOf
    | TruncationFactOf
    | CursorOf
    | NodeOf
    | LinkPropertyOf
)
