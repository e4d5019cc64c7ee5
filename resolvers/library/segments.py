"""Segments, groups and the states of capabilities."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from graph_schema.library.words import CapabilityState
from graph_schema.registry import REGISTRY
from resolvers.engine.loading import RecordInfo
from resolvers.engine.request import service_of, settle, viewer_of
from resolvers.engine.scalars import Long, Timestamp
from resolvers.generated.inputs import RecordRefInput, record_input, values_of
from resolvers.generated.payloads import RecordPayload, payload_of, record_payload
from resolvers.records.commands import CommandId
from service.library.capabilities import StateReport
from service.library.commands import Library
from service.library.groups import Worth, worths
from service.library.segment_saving import SegmentInput, check_insertion
from service.library.segments import Insertion
from service.library.usage import RECENT, Usage, usages

_STATE: Any = strawberry.enum(CapabilityState, description=(CapabilityState.__doc__ or "").strip())
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


@strawberry.type(name="RequiredInput", description="A port of a segment that must be fed.")
class RequiredInputInfo:
    port: str = strawberry.field(description="The port, as module and port.")
    candidates: list[str] = strawberry.field(description="Ports of the graph that could feed it.")


@strawberry.type(name="Insertion", description="Whether a segment fits into a graph, and what has to be settled.")
class InsertionInfo:
    fits: bool = strawberry.field(description="Whether nothing speaks against it.")
    reasons: list[str] = strawberry.field(description="What speaks against it.")
    required_inputs: list[RequiredInputInfo] = strawberry.field(description="Ports that must be fed.")
    exposed_outputs: list[str] = strawberry.field(description="Ports that it offers.")
    clashing_keys: list[str] = strawberry.field(description="Keys of modules that are in both and need another name.")
    missing_capabilities: list[str] = strawberry.field(description="Capabilities that it needs and nobody granted.")
    denied_capabilities: list[str] = strawberry.field(description="Capabilities that it needs and that are denied.")
    unavailable_capabilities: list[str] = strawberry.field(description="Capabilities that it needs and that are down.")


@strawberry.type(name="GroupWorth", description="Whether a group of templates earns its place.")
class GroupWorth:
    earns_its_place: bool = strawberry.field(description="Whether it adds something to its templates.")
    reasons: list[str] = strawberry.field(description="By what, or what to do with it.")


@strawberry.type
class RecordWorth:
    """Put on groups of templates."""

    @strawberry.field(description="Whether it earns its place, as far as you see what is in it.")
    async def worth(self, info: RecordInfo) -> GroupWorth | None:
        source: Any = self
        found: Worth | None = await info.context.loader.load("worth", source.id, lambda ids: _worths(info, ids))
        return GroupWorth(earns_its_place=found.earns_its_place, reasons=[*found.reasons]) if found else None


@strawberry.type(
    name="SegmentUsage", description="How a segment is used, over what you may see; computed when asked for."
)
class SegmentUsage:
    usage_count: int = strawberry.field(description="Tasks and templates that have it in their graph.")
    run_count: int = strawberry.field(
        description=f"Runs that activated its modules, among the latest {RECENT} of each of those."
    )
    last_used_at: Timestamp | None = strawberry.field(description="When such a run last started.")
    avg_duration_ms: float | None = strawberry.field(description="Mean time that its modules worked in such a run.")
    avg_cost_usd: float | None = strawberry.field(description="Mean cost of its modules in such a run.")


@strawberry.type
class RecordUsage:
    """Put on segments."""

    @strawberry.field(description="How it is used, as far as you see the graphs and runs.")
    async def usage(self, info: RecordInfo) -> SegmentUsage | None:
        source: Any = self
        found: Usage | None = await info.context.loader.load("usage", source.id, lambda ids: _usages(info, ids))
        return SegmentUsage(**asdict(found)) if found else None


async def _usages(info: RecordInfo, ids: list[str]) -> list[Any]:
    return list(await usages(info.context.database, viewer_of(info), ids))


async def _worths(info: RecordInfo, ids: list[str]) -> list[Any]:
    return list(await worths(info.context.database, viewer_of(info), ids))


@strawberry.type
class SegmentQuery:
    @strawberry.field(description="Whether a segment fits into a graph: ports, names, capabilities. Stores nothing.")
    async def check_insertion(
        self,
        info: RecordInfo,
        segment: Annotated[RecordRefInput, strawberry.argument(description="The segment.")],
        into: Annotated[RecordRefInput, strawberry.argument(description="The Task, Template or GraphSnapshot.")],
    ) -> InsertionInfo:
        return _shown(await check_insertion(info.context.database, viewer_of(info), segment.ref(), into.ref()))


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
        values = values_of(input)
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


def _shown(found: Insertion) -> InsertionInfo:
    return InsertionInfo(
        fits=found.fits,
        reasons=[*found.reasons],
        required_inputs=[
            RequiredInputInfo(port=one.port, candidates=[*one.candidates]) for one in found.required_inputs
        ],
        exposed_outputs=[*found.exposed_outputs],
        clashing_keys=[*found.clashing_keys],
        missing_capabilities=[*found.missing_capabilities],
        denied_capabilities=[*found.denied_capabilities],
        unavailable_capabilities=[*found.unavailable_capabilities],
    )
