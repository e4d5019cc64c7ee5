"""What lineage answers: records and links, and how each is told to a person."""

from collections.abc import Sequence
from dataclasses import InitVar, dataclass, field
from enum import StrEnum

from graph_schema.memory.lineage import BY_TYPE
from graph_schema.model.fields import EvidenceLayer
from service.memory.lineage.request import Direction


class CutReason(StrEnum):
    """Why a part of lineage is not in an answer."""

    depth = "depth"
    nodes = "nodes"
    fan_out = "fan_out"


class Side(StrEnum):
    """Where a record stands, seen from the one that was asked about."""

    start = "start"
    upstream = "upstream"
    downstream = "downstream"
    both = "both"


# There are thousands of these in an answer, and a frozen dataclass takes three times as long to make.
@dataclass(slots=True)
class Item:
    """A record as lineage names it."""

    id: str
    kind: str
    what: str
    """What it is, in plain words."""
    name: str
    labels: frozenset[str]
    told: str = ""
    """How a sentence names it."""

    def __post_init__(self) -> None:
        self.told = f"the {self.what} “{self.name}”" if self.kind != "Tombstone" else f"an {self.what}"


@dataclass(slots=True)
class Link:
    """A relation between two records, as it is stored. `up` is the one that the other came from."""

    up: Item
    type: str
    down: Item
    layer: EvidenceLayer
    port: str = ""
    tail: str = ""
    head: str = ""

    def __post_init__(self) -> None:
        up, down = self.up.id, self.down.id
        self.tail, self.head = (up, down) if BY_TYPE[self.type].upstream == "tail" else (down, up)

    @property
    def upstream(self) -> str:
        return self.up.id

    @property
    def reason(self) -> str:
        return self.read(Direction.downstream)

    def read(self, direction: Direction) -> str:
        """The link as a sentence, going this way."""
        flow = BY_TYPE[self.type]
        pattern = flow.back if direction is Direction.upstream else flow.on
        told = pattern.format(up=self.up.told, down=self.down.told)
        return sentence(f"{told} (port {self.port})" if self.port else told)


@dataclass(slots=True)
class Step:
    """One step of the way to a record."""

    link: Link
    direction: Direction
    before: InitVar["Step | None"]
    path: "list[Step]" = field(default_factory=list["Step"], init=False)
    """The way up to and with this step."""

    def __post_init__(self, before: "Step | None") -> None:
        self.path = [*before.path, self] if before else [self]

    @property
    def start(self) -> str:
        return (self.link.down if self.direction is Direction.upstream else self.link.up).id

    @property
    def end(self) -> str:
        return (self.link.up if self.direction is Direction.upstream else self.link.down).id

    @property
    def type(self) -> str:
        return self.link.type

    @property
    def sentence(self) -> str:
        return self.link.read(self.direction)


@dataclass(slots=True)
class Node:
    """A record of an answer, and the shortest way to it."""

    item: Item
    depth: int
    side: Side
    step: Step | None = None

    @property
    def id(self) -> str:
        return self.item.id

    @property
    def kind(self) -> str:
        return self.item.kind

    @property
    def what(self) -> str:
        return self.item.what

    @property
    def name(self) -> str:
        return self.item.name

    @property
    def path(self) -> list[Step]:
        return self.step.path if self.step else []


@dataclass(frozen=True, slots=True)
class Group:
    """Neighbours of one record, too many to be shown one by one."""

    of: str
    type: str
    direction: Direction
    kind: str
    count: int
    at_least: bool
    samples: Sequence[Item]
    reason: str
    page: str | None


@dataclass(frozen=True, slots=True)
class Cut:
    """What is not in an answer, and why."""

    reason: CutReason
    at: Sequence[str]
    message: str


@dataclass(frozen=True, slots=True)
class LayerCount:
    layer: EvidenceLayer
    links: int


@dataclass(frozen=True, slots=True)
class Evidence:
    """What kind of evidence an answer rests on."""

    layers: Sequence[LayerCount]
    note: str


@dataclass(frozen=True, slots=True)
class LineageAnswer:
    of: Node
    nodes: Sequence[Node]
    edges: Sequence[Link]
    groups: Sequence[Group]
    cuts: Sequence[Cut]
    evidence: Evidence

    @property
    def truncated(self) -> bool:
        return bool(self.cuts)


def sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
