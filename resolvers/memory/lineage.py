"""Lineage, provenance and impact, as the API shows them."""

from typing import Annotated, Any

import strawberry

from graph_schema.memory.lineage import FLOWS
from graph_schema.memory.words import DeliveryKind, DeliveryStatus
from graph_schema.model.fields import EvidenceLayer
from resolvers.engine.loading import RecordInfo, load_record
from resolvers.engine.picking import picked
from resolvers.engine.request import service_of, viewer_of
from resolvers.engine.scalars import Timestamp, enum_type
from resolvers.generated.construction import optional
from resolvers.generated.inputs import RecordRefInput
from resolvers.generated.types import record_type
from service.memory.lineage import CutReason, Direction, Lineage, LineageRequest, Side
from service.memory.lineage.request import (
    DEFAULT_DEPTH,
    DEFAULT_GROUP_OVER,
    DEFAULT_NODES,
    MOST_DEPTH,
    MOST_GROUP_OVER,
    MOST_NODES,
)

_DIRECTION = strawberry.enum(Direction, name="LineageDirection", description="Which way to follow lineage.")
_SIDE = strawberry.enum(Side, name="LineageSide", description="Where a record stands, seen from the one asked about.")
_REASON = strawberry.enum(CutReason, name="LineageCutReason", description="Why a part of lineage is not shown.")
_KIND = strawberry.enum(DeliveryKind, description=(DeliveryKind.__doc__ or "").strip())
_STATUS = strawberry.enum(DeliveryStatus, description=(DeliveryStatus.__doc__ or "").strip())
_LAYER = enum_type(EvidenceLayer)


@strawberry.type(description="A record, as lineage names it.")
class LineageItem:
    id: strawberry.ID = strawberry.field(description="Id of the record.")
    kind: str = strawberry.field(description="Type of the record; Tombstone for one that was erased.")
    what: str = strawberry.field(description="What it is, in plain words: step, document, erased artifact.")
    name: str = strawberry.field(description="What people call it.")

    @strawberry.field(graphql_type=optional(record_type()), description="The record itself.")
    async def record(self, info: RecordInfo) -> Any:
        return await load_record(info, self.id)


@strawberry.type(description="One step of the way to a record.")
class LineageStep:
    start: strawberry.ID = strawberry.field(name="from", description="Where the step begins.")
    end: strawberry.ID = strawberry.field(name="to", description="Where it leads.")
    type: str = strawberry.field(description="Relation that it follows.")
    sentence: str = strawberry.field(description="The step as a sentence, read the way it goes.")


@strawberry.type(description="A record in a lineage.")
class LineageNode(LineageItem):
    depth: int = strawberry.field(description="How many steps it is away. The record that was asked about has 0.")
    side: Side = strawberry.field(description="On which side it is; both, if a loop leads there both ways.")
    path: list[LineageStep] = strawberry.field(description="The shortest way to it, step by step.")


@strawberry.type(description="A link in a lineage, in the direction in which it is stored.")
class LineageEdge:
    tail: strawberry.ID = strawberry.field(name="from", description="Where the relation begins.")
    head: strawberry.ID = strawberry.field(name="to", description="Where the relation ends.")
    type: str = strawberry.field(description="Type of the relation.")
    upstream: strawberry.ID = strawberry.field(description="Which of the two the other came from.")
    reason: str = strawberry.field(description="What the link says, as a sentence.")
    layer: EvidenceLayer = strawberry.field(description="What kind of evidence the link is.")


@strawberry.type(description="Neighbours of one record by one relation, too many to be shown one by one.")
class LineageGroup:
    of: strawberry.ID = strawberry.field(description="The record whose neighbours they are.")
    type: str = strawberry.field(description="Type of the relation.")
    direction: Direction = strawberry.field(description="Whether they are upstream or downstream of the record.")
    kind: str = strawberry.field(description="Type of the neighbours.")
    count: int = strawberry.field(description="How many there are that you can see.")
    at_least: bool = strawberry.field(description="Whether there may be more than count says.")
    samples: list[LineageItem] = strawberry.field(description="Some of them, the first by id.")
    reason: str = strawberry.field(description="What links them, as a sentence.")
    page: str | None = strawberry.field(description="A document that reads them page by page, to be sent as it is.")


@strawberry.type(description="What is not in the answer, and why.")
class LineageCut:
    reason: CutReason = strawberry.field(description="The limit that was reached.")
    at: list[strawberry.ID] = strawberry.field(description="The records beyond which there is more.")
    message: str = strawberry.field(description="What was cut and how to see it, in a sentence.")


@strawberry.type(description="How many links of the answer are of one evidence layer.")
class LayerLinks:
    layer: EvidenceLayer = strawberry.field(description="The evidence layer.")
    links: int = strawberry.field(description="Links of the answer that are of it.")


@strawberry.type(description="What kind of evidence an answer rests on.")
class LineageEvidence:
    layers: list[LayerLinks] = strawberry.field(description="Its links, counted by evidence layer.")
    note: str = strawberry.field(description="The same in a sentence, with what was erased.")


@strawberry.type(
    name="Lineage",
    description="Where a record came from, or what came of it. A way through something that you may not see ends "
    "before it, and nothing says so.",
)
class LineageShown:
    of: LineageNode = strawberry.field(description="The record that was asked about.")
    nodes: list[LineageNode] = strawberry.field(description="Every record of the answer once, the nearest first.")
    edges: list[LineageEdge] = strawberry.field(description="The links between them.")
    groups: list[LineageGroup] = strawberry.field(description="What was too much to be shown one by one.")
    truncated: bool = strawberry.field(description="Whether a limit was reached.")
    cuts: list[LineageCut] = strawberry.field(description="What was cut, and why; empty when nothing was.")
    evidence: LineageEvidence = strawberry.field(description="What kind of evidence this rests on.")


@strawberry.type(description="One thing of the chain: who made it, in which run, and what the next in the chain is.")
class ProvenanceLink:
    item: LineageItem = strawberry.field(description="The thing itself.")
    made_by: LineageItem | None = strawberry.field(description="The step that made it.")
    run: LineageItem | None = strawberry.field(description="The run of that step.")
    type: str | None = strawberry.field(description="Relation to what it came from; null where the chain ends.")
    others: int = strawberry.field(description="How many more sources that you can see it has by that relation.")
    after: list[LineageItem] = strawberry.field(
        description="Steps between its maker and the one that worked from the source, when its maker named none."
    )
    sentence: str = strawberry.field(description="This part of the chain as a sentence.")


@strawberry.type(name="Provenance", description="The one chain that a person would tell of how something came to be.")
class ProvenanceShown:
    chain: list[ProvenanceLink] = strawberry.field(description="From what was asked about back to where it began.")
    sentence: str = strawberry.field(description="The whole chain in one sentence.")
    truncated: bool = strawberry.field(description="Whether the chain goes on beyond what is told.")
    evidence: LineageEvidence = strawberry.field(description="What kind of evidence this rests on.")


@strawberry.type(description="How many records of one kind.")
class KindCount:
    kind: str = strawberry.field(description="Type of the records.")
    count: int = strawberry.field(description="How many there are.")


@strawberry.type(description="A delivery of something that came of what was asked about.")
class ImpactDelivery:
    id: strawberry.ID = strawberry.field(description="Id of the delivery.")
    name: str = strawberry.field(description="What people call it.")
    delivery_kind: DeliveryKind | None = strawberry.field(description="How it left.")
    status: DeliveryStatus = strawberry.field(description="What became of it.")
    sent: bool = strawberry.field(description="Whether it has been delivered.")
    delivered_at: Timestamp | None = strawberry.field(description="When it was delivered.")
    delivered_to: list[str] = strawberry.field(description="Who it went to.")
    destination_summary: str | None = strawberry.field(description="Where it went, in a sentence.")
    conflicting: bool = strawberry.field(description="Whether different outcomes were reported for it.")


@strawberry.type(name="Impact", description="Everything that came of something.")
class ImpactShown:
    of: LineageItem = strawberry.field(description="What was asked about.")
    counts: list[KindCount] = strawberry.field(description="What came of it, counted by type of record.")
    nodes: list[LineageNode] = strawberry.field(description="What came of it, the nearest first.")
    deliveries: list[ImpactDelivery] = strawberry.field(description="What of it left, or was to leave; oldest first.")
    truncated: bool = strawberry.field(description="Whether a limit was reached.")
    cuts: list[LineageCut] = strawberry.field(description="What was cut, and why; empty when nothing was.")
    evidence: LineageEvidence = strawberry.field(description="What kind of evidence this rests on.")
    sentence: str = strawberry.field(description="The whole in a sentence.")


def _argument(kind: Any, description: str) -> Any:
    return Annotated[kind, strawberry.argument(description=description)]


_TYPES = ", ".join(one.type for one in FLOWS)


async def _lineage(  # noqa: PLR0917 - the arguments of the field
    info: RecordInfo,
    of: RecordRefInput,
    direction: Direction = Direction.upstream,
    depth: int = DEFAULT_DEPTH,
    through: list[str] | None = None,
    until: list[str] | None = None,
    max_nodes: int = DEFAULT_NODES,
    group_over: int = DEFAULT_GROUP_OVER,
) -> Any:
    request = LineageRequest(of.ref(), direction, depth, through or (), until or (), max_nodes, group_over)
    return picked(info, await service_of(info, Lineage).lineage(viewer_of(info), request))


async def _provenance(info: RecordInfo, of: RecordRefInput) -> Any:
    return picked(info, await service_of(info, Lineage).provenance(viewer_of(info), of.ref()))


async def _impact(info: RecordInfo, of: RecordRefInput) -> Any:
    return picked(info, await service_of(info, Lineage).impact(viewer_of(info), of.ref()))


_lineage.__annotations__ |= {
    "of": _argument(RecordRefInput, "A run, activation, artifact, document, work product, delivery, conversation."),
    "direction": _argument(Direction, "Where it came from, what came of it, or both."),
    "depth": _argument(int, f"At most so many steps away, up to {MOST_DEPTH}."),
    "through": _argument(list[str] | None, f"Only by these relations; without it, by all: {_TYPES}."),
    "until": _argument(list[str] | None, "Do not go on from records with these labels, such as Run or Document."),
    "max_nodes": _argument(int, f"At most so many records, up to {MOST_NODES:,}."),
    "group_over": _argument(
        int, f"More neighbours than this of one kind by one relation become a group; up to {MOST_GROUP_OVER:,}."
    ),
}
_provenance.__annotations__["of"] = _argument(RecordRefInput, "An artifact, work product, document or delivery.")
_impact.__annotations__["of"] = _argument(RecordRefInput, "A document, an artifact, or whatever else has lineage.")


@strawberry.type
class LineageQuery:
    lineage: LineageShown = strawberry.field(
        resolver=_lineage,
        graphql_type=LineageShown,
        description="Where a record came from and what came of it: records and links, each with its reason.",
    )
    provenance: ProvenanceShown = strawberry.field(
        resolver=_provenance,
        graphql_type=ProvenanceShown,
        description="How something came to be: made by whom, from what, which came from what, as data and a sentence.",
    )
    impact: ImpactShown = strawberry.field(
        resolver=_impact,
        graphql_type=ImpactShown,
        description="Everything that came of something, with the deliveries that have left already.",
    )
