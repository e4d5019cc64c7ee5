"""Context packets, as the API shows them."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from resolvers.context.naming import packet_field
from resolvers.engine.loading import RecordInfo, may_read, shaped
from resolvers.engine.request import service_of, viewer_of
from resolvers.generated.construction import optional
from resolvers.generated.inputs import input_type
from resolvers.generated.payloads import RecordPayload, payload_of
from resolvers.generated.views import view_type
from resolvers.records.commands import CommandId
from service.context.packets import ContextPacketInput, PacketReads, Packets
from service.context.packets.answer import ContextPacketAnswer, answer_of

Given = Annotated[
    ContextPacketInput,
    strawberry.argument(description="Who asks, and for what.", graphql_type=input_type(ContextPacketInput)),
]


async def _stored(info: RecordInfo, packet: str) -> ContextPacketAnswer:
    return answer_of(await service_of(info, PacketReads).stored(viewer_of(info), packet))


@strawberry.type
class PacketQuery:
    context_packet: Any = packet_field(
        ContextPacketAnswer, _stored, "A stored packet with its receipts, as you may see them."
    )

    @strawberry.field(
        graphql_type=view_type(ContextPacketAnswer),
        description="The packet that assembleContextPacket would give now. It stores nothing.",
    )
    async def preview_context_packet(
        self,
        info: RecordInfo,
        input: Given,  # noqa: A002 - the name in GraphQL
    ) -> Any:
        packet = await service_of(info, PacketReads).preview(viewer_of(info), input)
        return shaped(info, answer_of(packet))


if TYPE_CHECKING:
    OfPacket = RecordPayload
else:
    OfPacket = payload_of("ContextPacket")


@strawberry.type(description="A packet that was stored. A module that gets none has no record.")
class AssembleContextPacketPayload(OfPacket):
    given: strawberry.Private[ContextPacketAnswer | None] = None

    @strawberry.field(
        graphql_type=optional(view_type(ContextPacketAnswer)),
        description="The packet, as the module is given it. Null for a key without the scope read.",
    )
    def packet(self, info: RecordInfo) -> Any:
        return shaped(info, self.given) if may_read(info) else None


@strawberry.type
class PacketMutation:
    @strawberry.mutation(
        graphql_type=AssembleContextPacketPayload,
        description="What a module may know at one activation, with a receipt for all that was kept out. It is stored "
        "once: asked again it is the same, with other inputs it is refused. Needs report, and read to be given it.",
    )
    async def assemble_context_packet(
        self,
        info: RecordInfo,
        input: Given,  # noqa: A002
        command_id: CommandId = None,
    ) -> Any:
        packet, replayed = await service_of(info, Packets).assemble(viewer_of(info), input, command_id=command_id)
        given = answer_of(packet)
        return AssembleContextPacketPayload(
            command_id=command_id,
            replayed=replayed,
            warnings=given.warnings,
            record_id=strawberry.ID(packet.id) if packet.id else None,
            version=packet.values.get("version"),
            given=given,
        )
