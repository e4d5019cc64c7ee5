"""Context packets, as the API shows them."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from graph_schema.context.words import Profile
from resolvers.engine.loading import RecordInfo, may_read, shaped
from resolvers.engine.request import service_of, viewer_of
from resolvers.generated.construction import optional
from resolvers.generated.inputs import RecordRefInput
from resolvers.generated.naming import PacketId, PacketModule, PacketRefInput, PacketRun, PacketSeq, packet_id
from resolvers.generated.payloads import RecordPayload, payload_of
from resolvers.generated.views import view_type
from resolvers.records.commands import CommandId
from service.context.packets import Packets
from service.context.packets.answer import ContextPacketAnswer, answer_of
from service.context.packets.inputs import (
    DEFAULT_TOKENS,
    MOST_TOKENS,
    Asked,
    DocumentText,
    ModuleConfig,
    Port,
    PortInput,
)

strawberry.enum(Port, name="ContextPort", description="A port that a module takes from.")
strawberry.enum(Profile, description=(Profile.__doc__ or "").strip())


@strawberry.input(name="ModuleConfigInput", description="What a module is configured to do, as far as its type has it.")
class ModuleConfigGiven:
    instruction: str | None = strawberry.field(default=None, description="What an agent is told to do.")
    output_contract: str | None = strawberry.field(default=None, description="What it is to make.")
    dimensions: list[str] | None = strawberry.field(default=None, description="What a judge judges by.")
    evaluation_instruction: str | None = strawberry.field(default=None, description="How a judge is to judge.")
    review_criteria: str | None = strawberry.field(default=None, description="What a review looks at.")
    naming_instructions: str | None = strawberry.field(default=None, description="How an output is named.")
    directory_instructions: str | None = strawberry.field(default=None, description="Where an output is put.")
    assignments: list[str] | None = strawberry.field(default=None, description="What a coder is to do.")


@strawberry.input(name="PortInputInput", description="What came in at a port.")
class PortGiven:
    port: Port = strawberry.field(description="The port.")
    summary: str = strawberry.field(default="", description="What came in, in short.")
    refs: list[RecordRefInput] | None = strawberry.field(
        default=None, description="Records that came in or are spoken of."
    )


@strawberry.input(name="DocumentTextInput", description="Text of a document that you hold.")
class DocumentGiven:
    document: RecordRefInput = strawberry.field(description="The document.")
    text: str = strawberry.field(description="The text.")
    markers: str = strawberry.field(description="Where in the document it stands, such as p. 3-5.")


@strawberry.input(description="Which module asks at which activation, what it works from, and what it may take.")
class ContextPacketInput:
    run: RecordRefInput = strawberry.field(description="The run.")
    module_key: str = strawberry.field(description="The module, as the executor calls it.")
    activation_seq: int = strawberry.field(default=1, description="Which activation of that module, from 1.")
    module_type: str | None = strawberry.field(
        default=None, description="Its type; what was reported or saved when left out."
    )
    config: ModuleConfigGiven | None = strawberry.field(
        default=None, description="Its configuration; what the saved graph has where this is silent."
    )
    ports: list[PortGiven] | None = strawberry.field(default=None, description="What came in at its ports.")
    documents: list[DocumentGiven] | None = strawberry.field(
        default=None,
        description="Texts of documents. They go in only where the module's context policy requires full text.",
    )
    capabilities: list[RecordRefInput] | None = strawberry.field(
        default=None, description="Capabilities that are asked for by name."
    )
    offered: list[RecordRefInput] | None = strawberry.field(
        default=None, description="What your surroundings offer: each of them is given, or gets its receipt."
    )
    profile: Profile | None = strawberry.field(
        default=None, description="Which layers it may have; the module type's default when left out."
    )
    max_tokens: int = strawberry.field(
        default=DEFAULT_TOKENS, description=f"Tokens that the packet may take, up to {MOST_TOKENS:,}."
    )
    target_model: str | None = strawberry.field(
        default=None, description="The model that reads it: its own tokenizer counts, if it is on hand."
    )
    side_effect_class: str | None = strawberry.field(
        default=None, description="What the module does to the outside world."
    )

    def asked(self) -> Asked:
        config = self.config or ModuleConfigGiven()
        return Asked(
            run=self.run.ref(),
            module_key=self.module_key,
            activation_seq=self.activation_seq,
            module_type=self.module_type,
            config=_config(config),
            ports=tuple(PortInput(one.port, one.summary, _refs(one.refs)) for one in self.ports or ()),
            documents=tuple(DocumentText(one.document.ref(), one.text, one.markers) for one in self.documents or ()),
            capabilities=_refs(self.capabilities),
            offered=_refs(self.offered),
            profile=self.profile,
            max_tokens=self.max_tokens,
            target_model=self.target_model,
            side_effect_class=self.side_effect_class,
        )


def _config(given: ModuleConfigGiven) -> ModuleConfig:
    lists = {name: tuple(getattr(given, name) or ()) for name in ("dimensions", "assignments")}
    texts = ("instruction", "output_contract", "evaluation_instruction", "review_criteria")
    more = ("naming_instructions", "directory_instructions")
    return ModuleConfig(**lists, **{name: getattr(given, name) for name in (*texts, *more)})


def _refs(given: list[RecordRefInput] | None) -> tuple[Any, ...]:
    return tuple(one.ref() for one in given or ())


Given = Annotated[ContextPacketInput, strawberry.argument(description="Who asks, and for what.")]


@strawberry.type
class PacketQuery:
    @strawberry.field(
        graphql_type=view_type(ContextPacketAnswer),
        description="The packet that assembleContextPacket would give now. It stores nothing.",
    )
    async def preview_context_packet(
        self,
        info: RecordInfo,
        input: Given,  # noqa: A002 - the name in GraphQL
    ) -> Any:
        packet = await service_of(info, Packets).reads.preview(viewer_of(info), input.asked())
        return shaped(info, answer_of(packet))

    @strawberry.field(
        graphql_type=view_type(ContextPacketAnswer),
        description="A stored packet with its receipts, as you may see them.",
    )
    async def context_packet(
        self,
        info: RecordInfo,
        id: PacketId = None,
        run: PacketRun = None,
        module_key: PacketModule = None,
        activation_seq: PacketSeq = None,
    ) -> Any:
        found = await packet_id(
            info, PacketRefInput(id=id, run=run, module_key=module_key, activation_seq=activation_seq), "packet"
        )
        return shaped(info, answer_of(await service_of(info, Packets).reads.stored(viewer_of(info), found)))


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
        packet, replayed = await service_of(info, Packets).assemble(
            viewer_of(info), input.asked(), command_id=command_id
        )
        given = answer_of(packet)
        return AssembleContextPacketPayload(
            command_id=command_id,
            replayed=replayed,
            warnings=given.warnings,
            record_id=strawberry.ID(packet.id) if packet.id else None,
            version=packet.values.get("version"),
            given=given,
        )
