"""Context packets, as the API shows them."""

from typing import Annotated, Any

import strawberry

from graph_schema.context_words import CandidateKind, ContextLayer, ExclusionReason, Profile, Stage
from resolvers.inputs import RecordRefInput
from resolvers.loading import RecordInfo, load_record
from resolvers.making import optional
from resolvers.records import CommandId
from resolvers.types import record_type
from resolvers.written import services_of, viewer_of
from service.context.packets.inputs import (
    DEFAULT_TOKENS,
    MOST_TOKENS,
    Asked,
    DocumentText,
    ModuleConfig,
    Port,
    PortInput,
)
from service.context.packets.packet import KeptOut, Packet
from service.context.packets.rendering import Item

strawberry.enum(Port, name="ContextPort", description="A port that a module takes from.")
for _words in (CandidateKind, ContextLayer, ExclusionReason, Profile, Stage):
    strawberry.enum(_words, description=(_words.__doc__ or "").strip())


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


@strawberry.type(description="Something that a module is given.")
class ContextItem:
    id: strawberry.ID = strawberry.field(description="Id of the record.")
    record_kind: str = strawberry.field(description="Type of the record.")
    name: str = strawberry.field(description="What people call it.")
    layer: ContextLayer = strawberry.field(description="The layer that it is in.")
    rank: int = strawberry.field(description="Its place in the packet, from 1.")
    text: str = strawberry.field(description="What the module is given to read.")
    tokens: int = strawberry.field(description="Tokens that it takes.")
    via: str = strawberry.field(description="How it is bound to the run.")
    score: float | None = strawberry.field(description="How relevant it is, from 0 to 1.")
    explanation: str = strawberry.field(description="Why it is in, in a sentence.")
    version: int = strawberry.field(description="The record's version at the time.")

    @strawberry.field(graphql_type=optional(record_type()), description="The record itself, as it is now.")
    async def record(self, info: RecordInfo) -> Any:
        return await load_record(info, self.id)


@strawberry.type(description="The receipt of something that was kept from a module.")
class ContextExclusion:
    id: strawberry.ID = strawberry.field(description="Id of the record.")
    record_kind: str = strawberry.field(description="Type of the record.")
    name: str = strawberry.field(description="What people call it.")
    candidate_kind: CandidateKind = strawberry.field(description="What kind of candidate it was.")
    exclusion_reason: ExclusionReason = strawberry.field(description="Why it was kept out.")
    stage: Stage = strawberry.field(description="The gate that decided.")
    score: float | None = strawberry.field(description="How relevant it is, from 0 to 1.")
    threshold: float | None = strawberry.field(description="What was asked of it.")
    explanation: str = strawberry.field(description="Why, in a sentence.")
    count: int = strawberry.field(description="How many records this receipt stands for.")
    query: str | None = strawberry.field(description="Cypher that lists them, where it stands for many.")
    version: int = strawberry.field(description="The record's version at the time.")

    @strawberry.field(graphql_type=optional(record_type()), description="The record itself, as it is now.")
    async def record(self, info: RecordInfo) -> Any:
        return await load_record(info, self.id)


@strawberry.type(description="How many tokens a packet takes.")
class TokenBudget:
    requested_tokens: int = strawberry.field(description="Tokens that all eligible items would take.")
    actual_tokens: int = strawberry.field(description="Tokens that its items take.")
    max_tokens: int = strawberry.field(description="Tokens that it may take.")
    trimmed_items: list[str] = strawberry.field(description="Ids of what was trimmed.")
    tokenizer: str = strawberry.field(description="How they were counted; utf8_bytes never counts too few.")


@strawberry.type(description="What a module is given to know, and what was kept from it.")
class ContextPacketAnswer:
    applicable: bool = strawberry.field(description="Whether the module gets a packet at all.")
    explanation: str = strawberry.field(description="Why, or with which profile, in a sentence.")
    id: strawberry.ID | None = strawberry.field(description="Id of the stored packet; null for a preview.")
    injection_profile: Profile | None = strawberry.field(description="Which layers it may have at most.")
    task_context_binding: str | None = strawberry.field(description="The strongest of its bindings.")
    surface_context_used: bool = strawberry.field(description="Whether anything came from a surface.")
    items: list[ContextItem] = strawberry.field(description="What the module is given, in its order.")
    excluded_candidates: list[ContextExclusion] = strawberry.field(description="What was kept out, each with why.")
    withheld_count: int = strawberry.field(description="Receipts of records that you may not see.")
    token_budget: TokenBudget | None = strawberry.field(description="How many tokens it takes.")
    warnings: list[str] = strawberry.field(description="Codes of what a reader should know.")
    rules: str | None = strawberry.field(description="Name and version of the rules that made it.")
    content_hash: str | None = strawberry.field(description="Hash of its items and receipts.")
    markdown: str = strawberry.field(description="The packet for a prompt. Every line of an item is quoted.")
    json: str = strawberry.field(description="The items for programs, as JSON.")


@strawberry.type(description="A packet, and whether it was there before.")
class ContextPacketPayload:
    packet: ContextPacketAnswer = strawberry.field(description="The packet.")
    replayed: bool = strawberry.field(description="Whether this activation had it already.")


Given = Annotated[ContextPacketInput, strawberry.argument(description="Who asks, and for what.")]


@strawberry.type
class PacketQuery:
    @strawberry.field(description="The packet that assembleContextPacket would give now. It stores nothing.")
    async def preview_context_packet(
        self,
        info: RecordInfo,
        input: Given,  # noqa: A002 - the name in GraphQL
    ) -> ContextPacketAnswer:
        return shown(await services_of(info).packets.reads.preview(viewer_of(info), input.asked()))

    @strawberry.field(description="A stored packet with its receipts, as you may see them.")
    async def context_packet(
        self,
        info: RecordInfo,
        id: Annotated[strawberry.ID, strawberry.argument(description="Id of the packet.")],
    ) -> ContextPacketAnswer:
        return shown(await services_of(info).packets.reads.stored(viewer_of(info), id))


@strawberry.type
class PacketMutation:
    @strawberry.mutation(
        description="What a module may know at one activation, with a receipt for all that was kept out. It is stored "
        "once: asked again it is the same, with other inputs it is refused. Needs report."
    )
    async def assemble_context_packet(
        self,
        info: RecordInfo,
        input: Given,  # noqa: A002
        command_id: CommandId = None,
    ) -> ContextPacketPayload:
        packet, replayed = await services_of(info).packets.assemble(
            viewer_of(info), input.asked(), command_id=command_id
        )
        return ContextPacketPayload(packet=shown(packet), replayed=replayed)


def shown(packet: Packet) -> ContextPacketAnswer:
    values = packet.values
    return ContextPacketAnswer(
        applicable=packet.applicable,
        explanation=packet.explanation,
        id=strawberry.ID(packet.id) if packet.id else None,
        injection_profile=Profile(values["injection_profile"]) if values else None,
        task_context_binding=values.get("task_context_binding"),
        surface_context_used=bool(values.get("surface_context_used")),
        items=[_item(one) for one in packet.items],
        excluded_candidates=[_exclusion(one) for one in packet.excluded],
        withheld_count=packet.withheld,
        token_budget=_budget(packet) if values else None,
        warnings=list(values.get("warnings") or ()),
        rules=values.get("rules"),
        content_hash=values.get("content_hash"),
        markdown=packet.markdown,
        json=packet.json,
    )


def _budget(packet: Packet) -> TokenBudget:
    names = ("requested_tokens", "actual_tokens", "max_tokens", "tokenizer")
    trimmed = [one.id for one in packet.excluded if one.reason == ExclusionReason.budget_trimmed]
    return TokenBudget(**{name: packet.values[name] for name in names}, trimmed_items=trimmed)


def _item(one: Item) -> ContextItem:
    return ContextItem(
        id=strawberry.ID(one.id),
        record_kind=one.label,
        name=one.name,
        layer=ContextLayer(one.layer),
        rank=one.rank,
        text=one.text,
        tokens=one.tokens,
        via=one.via,
        score=one.score,
        explanation=one.explanation,
        version=one.version,
    )


def _exclusion(one: KeptOut) -> ContextExclusion:
    return ContextExclusion(
        id=strawberry.ID(one.id),
        record_kind=one.label,
        name=one.name,
        candidate_kind=CandidateKind(one.kind),
        exclusion_reason=ExclusionReason(one.reason),
        stage=Stage(one.stage),
        score=one.score,
        threshold=one.threshold,
        explanation=one.explanation,
        count=one.count,
        query=one.query,
        version=one.version,
    )
