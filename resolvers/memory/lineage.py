"""Lineage, provenance and impact, as the API shows them."""

from typing import Annotated, Any

import strawberry

from graph_schema.memory.lineage import FLOWS
from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of, viewer_of
from resolvers.generated.inputs import RecordRefInput
from resolvers.generated.views import view_type
from service.memory.lineage import Impact, Lineage, LineageDirection, LineageRequest, Lineages, Provenance
from service.memory.lineage.request import (
    DEFAULT_DEPTH,
    DEFAULT_GROUP_OVER,
    DEFAULT_NODES,
    MOST_DEPTH,
    MOST_GROUP_OVER,
    MOST_NODES,
)

_TYPES = ", ".join(one.type for one in FLOWS)

Start = Annotated[
    RecordRefInput,
    strawberry.argument(description="A run, activation, artifact, document, work product, delivery, conversation."),
]
Made = Annotated[RecordRefInput, strawberry.argument(description="An artifact, work product, document or delivery.")]
Cause = Annotated[
    RecordRefInput, strawberry.argument(description="A document, an artifact, or whatever else has lineage.")
]
Direction = Annotated[
    LineageDirection, strawberry.argument(description="Where it came from, what came of it, or both.")
]
Depth = Annotated[int, strawberry.argument(description=f"At most so many steps away, up to {MOST_DEPTH}.")]
Through = Annotated[
    list[str] | None,
    strawberry.argument(description=f"Only by these relations; without it, by all: {_TYPES}."),
]
Until = Annotated[
    list[str] | None,
    strawberry.argument(description="Do not go on from records with these labels, such as Run or Document."),
]
MaxNodes = Annotated[int, strawberry.argument(description=f"At most so many records, up to {MOST_NODES:,}.")]
GroupOver = Annotated[
    int,
    strawberry.argument(
        description=f"More neighbours than this of one kind by one relation become a group; up to {MOST_GROUP_OVER:,}."
    ),
]


@strawberry.type
class LineageQuery:
    @strawberry.field(
        graphql_type=view_type(Lineage),
        description="Where a record came from and what came of it: records and links, each with its reason.",
    )
    async def lineage(  # noqa: PLR0917 - the arguments of the field
        self,
        info: RecordInfo,
        of: Start,
        direction: Direction = LineageDirection.upstream,
        depth: Depth = DEFAULT_DEPTH,
        through: Through = None,
        until: Until = None,
        max_nodes: MaxNodes = DEFAULT_NODES,
        group_over: GroupOver = DEFAULT_GROUP_OVER,
    ) -> Any:
        request = LineageRequest(of.ref(), direction, depth, through or (), until or (), max_nodes, group_over)
        return shaped(info, await service_of(info, Lineages).lineage(viewer_of(info), request))

    @strawberry.field(
        graphql_type=view_type(Provenance),
        description="How something came to be: made by whom, from what, which came from what, as data and a sentence.",
    )
    async def provenance(self, info: RecordInfo, of: Made) -> Any:
        return shaped(info, await service_of(info, Lineages).provenance(viewer_of(info), of.ref()))

    @strawberry.field(
        graphql_type=view_type(Impact),
        description="Everything that came of something, with the deliveries that have left already.",
    )
    async def impact(self, info: RecordInfo, of: Cause, depth: Depth = MOST_DEPTH) -> Any:
        return shaped(info, await service_of(info, Lineages).impact(viewer_of(info), of.ref(), depth))
