"""What lineage answers: records and links, and how each is told to a person."""

from dataclasses import InitVar, dataclass, field
from enum import StrEnum
from typing import Annotated, ClassVar

from graph_schema.memory.lineage import BY_TYPE
from graph_schema.model.fields import EvidenceLayer
from service.memory.lineage.request import LineageDirection
from service.views import Id, Linked


class LineageCutReason(StrEnum):
    """Why a part of lineage is not shown."""

    depth = "depth"
    nodes = "nodes"
    fan_out = "fan_out"


class LineageSide(StrEnum):
    """Where a record stands, seen from the one asked about."""

    start = "start"
    upstream = "upstream"
    downstream = "downstream"
    both = "both"


RecordId = Annotated[Id, "Id of the record."]
Kind = Annotated[str, "Type of the record; Tombstone for one that was erased."]
What = Annotated[str, "What it is, in plain words: step, document, erased artifact."]
Name = Annotated[str, "What people call it."]
RECORD = Linked("id", "The record itself.")


# There are thousands of these in an answer, and a frozen dataclass takes three times as long to make.
@dataclass(slots=True)
class LineageItem:
    """A record, as lineage names it."""

    id: RecordId
    kind: Kind
    what: What
    name: Name
    labels: frozenset[str]
    unsent: bool = False
    """Whether it is a delivery that did not arrive."""
    outcome: str = ""
    """What became of a delivery that did not arrive, or of which more than one outcome was reported."""
    told: str = ""
    """How a sentence names it."""
    record: ClassVar = RECORD

    def __post_init__(self) -> None:
        self.told = f"the {self.what} “{self.name}”" if self.kind != "Tombstone" else f"an {self.what}"
        if self.outcome:
            self.told += f" ({self.outcome})"


@dataclass(slots=True)
class LineageEdge:
    """A link in a lineage, in the direction in which it is stored."""

    up: LineageItem
    """The one that the other came from."""
    type: Annotated[str, "Type of the relation."]
    down: LineageItem
    layer: Annotated[EvidenceLayer, "What kind of evidence the link is."]
    port: str = ""
    from_: Annotated[Id, "Where the relation begins."] = ""
    to: Annotated[Id, "Where the relation ends."] = ""

    def __post_init__(self) -> None:
        up, down = self.up.id, self.down.id
        self.from_, self.to = (up, down) if BY_TYPE[self.type].upstream == "tail" else (down, up)

    @property
    def upstream(self) -> Annotated[Id, "Which of the two the other came from."]:
        return self.up.id

    @property
    def reason(self) -> Annotated[str, "What the link says, as a sentence."]:
        return self.read(LineageDirection.downstream)

    @property
    def only_after(self) -> bool:
        """Whether what is downstream only came after: nobody says that it was made from what is upstream."""
        return self.down.kind in BY_TYPE[self.type].after

    def read(self, direction: LineageDirection) -> str:
        """The link as a sentence, going this way."""
        told = self.pattern(direction).format(up=self.up.told, down=self.down.told)
        return sentence(f"{told} (port {self.port})" if self.port else told)

    def pattern(self, direction: LineageDirection) -> str:
        """The words of the link, going this way. What was not delivered went nowhere."""
        flow, back = BY_TYPE[self.type], direction is LineageDirection.upstream
        if flow.unsent_back and (self.up.unsent or self.down.unsent):
            return flow.unsent_back if back else flow.unsent_on
        return flow.back if back else flow.on


@dataclass(slots=True)
class LineageStep:
    """One step of the way to a record."""

    link: LineageEdge
    direction: LineageDirection
    before: InitVar["LineageStep | None"]
    path: "tuple[LineageStep, ...]" = field(default=(), init=False)
    """The way up to and with this step."""

    def __post_init__(self, before: "LineageStep | None") -> None:
        self.path = (*before.path, self) if before else (self,)

    @property
    def from_(self) -> Annotated[Id, "Where the step begins."]:
        return (self.link.down if self.direction is LineageDirection.upstream else self.link.up).id

    @property
    def to(self) -> Annotated[Id, "Where it leads."]:
        return (self.link.up if self.direction is LineageDirection.upstream else self.link.down).id

    @property
    def type(self) -> Annotated[str, "Relation that it follows."]:
        return self.link.type

    @property
    def sentence(self) -> Annotated[str, "The step as a sentence, read the way it goes."]:
        return self.link.read(self.direction)


@dataclass(slots=True)
class LineageNode:
    """A record in a lineage."""

    item: LineageItem
    depth: Annotated[int, "How many steps it is away. The record that was asked about has 0."]
    side: Annotated[LineageSide, "On which side it is; both, if a loop leads there both ways."]
    step: LineageStep | None = None
    record: ClassVar = RECORD

    @property
    def id(self) -> RecordId:
        return self.item.id

    @property
    def kind(self) -> Kind:
        return self.item.kind

    @property
    def what(self) -> What:
        return self.item.what

    @property
    def name(self) -> Name:
        return self.item.name

    @property
    def path(self) -> Annotated[tuple[LineageStep, ...], "The shortest way to it, step by step."]:
        return self.step.path if self.step else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LineageGroup:
    """Neighbours of one record by one relation, too many to be shown one by one."""

    of: Annotated[Id, "The record whose neighbours they are."]
    type: Annotated[str, "Type of the relation."]
    direction: Annotated[LineageDirection, "Whether they are upstream or downstream of the record."]
    kind: Annotated[str, "Type of the neighbours."]
    count: Annotated[int, "How many there are that you can see."]
    at_least: Annotated[bool, "Whether there may be more than count says."]
    samples: Annotated[tuple[LineageItem, ...], "Some of them, the first by id."]
    reason: Annotated[str, "What links them, as a sentence."]
    page: Annotated[str | None, "A document that reads them page by page, to be sent as it is."]


@dataclass(frozen=True, slots=True, kw_only=True)
class LineageCut:
    """What is not in the answer, and why."""

    reason: Annotated[LineageCutReason, "The limit that was reached."]
    at: Annotated[tuple[Id, ...], "The records beyond which there is more."] = ()
    message: Annotated[str, "What was cut and how to see it, in a sentence."]


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerLinks:
    """How many links of the answer are of one evidence layer."""

    layer: Annotated[EvidenceLayer, "The evidence layer."]
    links: Annotated[int, "Links of the answer that are of it."]


@dataclass(frozen=True, slots=True, kw_only=True)
class LineageEvidence:
    """What kind of evidence an answer rests on."""

    layers: Annotated[tuple[LayerLinks, ...], "Its links, counted by evidence layer."]
    note: Annotated[str, "The same in a sentence, with what was erased."]


Truncated = Annotated[bool, "Whether a limit was reached."]
Cuts = Annotated[tuple[LineageCut, ...], "What was cut, and why; empty when nothing was."]
RestsOn = Annotated[LineageEvidence, "What kind of evidence this rests on."]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lineage:
    """Where a record came from, or what came of it. A way through something that you may not see ends before it, and
    nothing says so."""

    of: Annotated[LineageNode, "The record that was asked about."]
    nodes: Annotated[tuple[LineageNode, ...], "Every record of the answer once, the nearest first."]
    edges: Annotated[tuple[LineageEdge, ...], "The links between them."]
    groups: Annotated[tuple[LineageGroup, ...], "What was too much to be shown one by one."]
    cuts: Cuts
    evidence: RestsOn

    @property
    def truncated(self) -> Truncated:
        return bool(self.cuts)


def sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
