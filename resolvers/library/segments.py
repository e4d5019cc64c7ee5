"""Segments, groups and the states of capabilities."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from graph_schema.library.words import CapabilityState
from graph_schema.registry import REGISTRY
from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of, settle, viewer_of
from resolvers.engine.scalars import Long, Timestamp
from resolvers.generated.construction import optional
from resolvers.generated.inputs import RecordRefInput, record_input, values_of
from resolvers.generated.naming import placed
from resolvers.generated.payloads import RecordPayload, payload_of, record_payload
from resolvers.generated.views import view_type
from resolvers.records.commands import CommandId
from service.library.capabilities import StateReport
from service.library.commands import Library
from service.library.groups import GroupWorth
from service.library.read import LibraryReader, SegmentUsage
from service.library.segment_saving import SegmentInput
from service.library.segments import Insertion

_FIRST = Long(0)
if TYPE_CHECKING:
    Segment = Any
    OfSegment = OfCapability = RecordPayload
else:
    OfSegment = payload_of("Segment")
    OfCapability = payload_of("Capability")
    Segment = Annotated[
        record_input(REGISTRY.types["Segment"]),
        strawberry.argument(description="What to save. Left out stays as it is."),
    ]


@strawberry.type(description="The segment that was saved.")
class SaveSegmentPayload(OfSegment):
    duplicates: list[strawberry.ID] = strawberry.field(
        default_factory=list, description="Ids of segments of the same shape, up to 20."
    )


@strawberry.type(description="What became of the report of a capability's state.")
class CapabilityStatePayload(OfCapability):
    changed: bool = strawberry.field(default=False, description="Whether it was newer than what was known.")


@strawberry.type
class RecordWorth:
    """Put on groups of templates."""

    @strawberry.field(
        graphql_type=optional(view_type(GroupWorth)),
        description="Whether it earns its place, as far as you see what is in it.",
    )
    async def worth(self, info: RecordInfo) -> Any:
        source: Any = self
        return shaped(info, await info.context.loader.load("worth", source.id, lambda ids: _worths(info, ids)))


@strawberry.type
class RecordUsage:
    """Put on segments."""

    @strawberry.field(
        graphql_type=optional(view_type(SegmentUsage)),
        description="How it is used, as far as you see the graphs and runs.",
    )
    async def usage(self, info: RecordInfo) -> Any:
        source: Any = self
        return shaped(info, await info.context.loader.load("usage", source.id, lambda ids: _usages(info, ids)))


async def _worths(info: RecordInfo, ids: list[str]) -> list[Any]:
    return list(await service_of(info, LibraryReader).worths(viewer_of(info), ids))


async def _usages(info: RecordInfo, ids: list[str]) -> list[Any]:
    return list(await service_of(info, LibraryReader).usages(viewer_of(info), ids))


@strawberry.type
class SegmentQuery:
    @strawberry.field(
        graphql_type=view_type(Insertion),
        description="Whether a segment fits into a graph: ports, names, capabilities. Stores nothing.",
    )
    async def check_insertion(
        self,
        info: RecordInfo,
        segment: Annotated[RecordRefInput, strawberry.argument(description="The segment.")],
        into: Annotated[RecordRefInput, strawberry.argument(description="The Task, Template or GraphSnapshot.")],
    ) -> Any:
        found = await service_of(info, LibraryReader).check_insertion(viewer_of(info), segment.ref(), into.ref())
        return shaped(info, found)


@strawberry.type
class SegmentMutation:
    @strawberry.mutation(description="Save chosen modules of a graph as a segment, or change one. Needs curate.")
    async def save_segment(
        self,
        info: RecordInfo,
        input: Segment,  # noqa: A002 - the name in GraphQL
        source: Annotated[
            RecordRefInput | None,
            strawberry.argument(name="from", description="The Task, Template or GraphSnapshot that it is taken from."),
        ] = None,
        modules: Annotated[list[str] | None, strawberry.argument(description="Keys of the chosen modules.")] = None,
        command_id: CommandId = None,
    ) -> SaveSegmentPayload:
        values = await placed(info, values_of(input))
        record_id = values.pop("id", None)
        asked = SegmentInput(values, record_id, source.ref() if source else None, modules or ())
        outcome = await service_of(info, Library).save_segment(viewer_of(info), asked, command_id=command_id)
        await settle(info, outcome)
        return record_payload(outcome, SaveSegmentPayload, duplicates=outcome.result.get("duplicates", []))

    @strawberry.mutation(
        description="Report whether a capability can be used. What is older than what is known changes nothing. "
        "Needs report."
    )
    async def report_capability_state(  # noqa: PLR0917 - as GraphQL names them
        self,
        info: RecordInfo,
        capability: Annotated[RecordRefInput, strawberry.argument(description="The capability.")],
        state: Annotated[CapabilityState, strawberry.argument(description="How it stands.")],
        as_of: Annotated[Timestamp, strawberry.argument(description="When that was so.")],
        generation: Annotated[
            Long, strawberry.argument(description="Your count of its states; a higher one is newer.")
        ] = _FIRST,
        command_id: CommandId = None,
    ) -> CapabilityStatePayload:
        told = StateReport(state, as_of, generation)
        outcome = await service_of(info, Library).report_capability_state(
            viewer_of(info), capability.ref(), told, command_id=command_id
        )
        await settle(info, outcome)
        return record_payload(outcome, CapabilityStatePayload, changed=bool(outcome.result.get("changed")))
