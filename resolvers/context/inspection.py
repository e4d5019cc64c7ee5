"""Inspecting packets: why something was given or kept out, what differs, whether it replays, whether matters bled."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

import strawberry

from resolvers.context.naming import PacketArgument, packet_field, packet_id
from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of, viewer_of
from resolvers.engine.scalars import Timestamp
from resolvers.generated.inputs import RecordRefInput
from resolvers.generated.views import view_type
from service.access.viewer import Viewer
from service.commands import RecordRef
from service.context.inspection import Inspection
from service.context.inspection.bleed import MOST_PACKETS, MOST_RUNS, BleedQuestion, ContextBleed
from service.context.inspection.diff import PacketDiff
from service.context.inspection.replay import PacketReplay
from service.context.inspection.why import PacketWhy

RunArgument = Annotated[RecordRefInput, strawberry.argument(description="The run.")]
ModuleKey = Annotated[str, strawberry.argument(description="The module, as the executor calls it.")]
ActivationSeq = Annotated[int, strawberry.argument(description="Which activation of the module.")]
AboutRecord = Annotated[RecordRefInput, strawberry.argument(description="The record that it is about.")]
First = Annotated[int, strawberry.argument(description=f"At most so many packets, oldest first; up to {MOST_PACKETS}.")]


Why = Callable[[Inspection], Callable[[Viewer, RecordRef, str, int, RecordRef], Awaitable[PacketWhy]]]


def _why(ask: Why, description: str) -> Any:
    async def resolve(  # noqa: PLR0917 - the arguments of the field
        self: Any,
        info: RecordInfo,
        run: RunArgument,
        module_key: ModuleKey,
        activation_seq: ActivationSeq,
        record: AboutRecord,
    ) -> Any:
        del self
        asked = (run.ref(), module_key, activation_seq, record.ref())
        return shaped(info, await ask(service_of(info, Inspection))(viewer_of(info), *asked))

    return strawberry.field(resolver=resolve, graphql_type=view_type(PacketWhy), description=description)


@strawberry.type
class InspectionQuery:
    why_excluded: Any = _why(
        lambda asking: asking.why_excluded,
        "Why a module was not given a record: the gate that decided, the others that it would not have passed, and "
        "what would have had to be true. Also for records that were never considered.",
    )
    why_injected: Any = _why(
        lambda asking: asking.why_injected,
        "Why a module was given a record, by what it is bound, and on which evidence.",
    )
    replay_packet: Any = packet_field(
        PacketReplay,
        lambda info, packet: service_of(info, Inspection).replay(viewer_of(info), packet),
        "A packet made again from what it keeps, by the rules of today: whether it is identical.",
    )

    @strawberry.field(
        graphql_type=view_type(PacketDiff),
        description="What differs between two packets, of one run or of two, and which fact made each difference.",
    )
    async def diff_packets(self, info: RecordInfo, a: PacketArgument, b: PacketArgument) -> Any:
        ids = await packet_id(info, a, "a"), await packet_id(info, b, "b")
        return shaped(info, await service_of(info, Inspection).diff(viewer_of(info), *ids))

    @strawberry.field(
        graphql_type=view_type(ContextBleed),
        description="What modules were given from matters, libraries or surfaces that their runs are not bound to. "
        "Expected to be empty. Of one run, of some, or of all whose packets were made in a span of time.",
    )
    async def context_bleed(  # noqa: PLR0917 - the arguments of the field
        self,
        info: RecordInfo,
        run: Annotated[RecordRefInput | None, strawberry.argument(description="One run.")] = None,
        runs: Annotated[
            list[RecordRefInput] | None, strawberry.argument(description=f"Several runs, up to {MOST_RUNS}.")
        ] = None,
        since: Annotated[
            Timestamp | None, strawberry.argument(description="Only packets made at this time or later.")
        ] = None,
        until: Annotated[
            Timestamp | None, strawberry.argument(description="Only packets made before this time.")
        ] = None,
        first: First = 200,
        after: Annotated[str | None, strawberry.argument(description="Go on from this end_cursor.")] = None,
    ) -> Any:
        named = (*([run] if run else ()), *(runs or ()))
        question = BleedQuestion(tuple(one.ref() for one in named), since, until, first, after)
        return shaped(info, await service_of(info, Inspection).bleed(viewer_of(info), question))
