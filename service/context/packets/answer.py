"""A packet as whoever asks for it receives it."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

from graph_schema.context.words import Binding, ExclusionReason, Profile, SurfacePolicy
from service.context.packets.packet import Packet
from service.context.packets.receipts import ContextExclusion, ContextItem
from service.context.packets.rules import FROM_SURFACE
from service.notices import Notice, notices_of
from service.views import Id, Json, Linked, word


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenBudget:
    """How many tokens a packet takes."""

    requested_tokens: Annotated[int, "Tokens that all eligible items would take."]
    actual_tokens: Annotated[int, "Tokens that its items take."]
    max_tokens: Annotated[int, "Tokens that it may take."]
    trimmed_items: Annotated[tuple[Id, ...], "Ids of what was trimmed, or came as its reference without its text."]
    tokenizer: Annotated[str, "How they were counted: by a model's own tokenizer, or by a family's estimate."]


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextPacketAnswer:
    """What a module is given to know, and what was kept from it."""

    applicable: Annotated[bool, "Whether the module gets a packet at all."]
    explanation: Annotated[str, "Why, or with which profile, in a sentence."]
    id: Annotated[Id | None, "Id of the stored packet; null for a preview."]
    run_id: Annotated[Id | None, "Id of the run."]
    module_key: Annotated[str | None, "The module, as the executor calls it."]
    module_type: Annotated[str | None, "Type of the module."]
    activation_seq: Annotated[int | None, "Which activation of that module, from 1."]
    injection_profile: Annotated[Profile | None, "Which layers it may have at most."]
    task_context_binding: Annotated[Binding | None, "The strongest of its bindings."]
    surface_context_policy: Annotated[SurfacePolicy | None, "What the run may take over from a surface."]
    surface_context_used: Annotated[bool, "Whether anything came from a surface."]
    surface_context_reason: Annotated[str | None, "Why, if so."]
    surface_context_refs: Annotated[tuple[Id, ...], "Ids of what came from a surface."]
    source_refs: Annotated[tuple[str, ...], "Where the contents of what is given are kept."]
    items: Annotated[tuple[ContextItem, ...], "What the module is given, in its order."]
    excluded_candidates: Annotated[tuple[ContextExclusion, ...], "What was kept out, each with why."]
    withheld: Annotated[bool, "Whether it has receipts of records that you may not see."]
    token_budget: Annotated[TokenBudget | None, "How many tokens it takes."]
    warnings: Annotated[tuple[Notice, ...], "What a reader should know."]
    rules: Annotated[str | None, "Name and version of the rules that made it."]
    content_hash: Annotated[str | None, "Hash of its items and receipts."]
    markdown: Annotated[str, "The packet for a prompt. Every line of an item is quoted."]
    json: Annotated[Json, "The items for programs, by their stored names."]
    record: ClassVar = Linked("id", "The stored packet, with its scope and the snapshots that held.", "ContextPacket")


def answer_of(packet: Packet) -> ContextPacketAnswer:
    values = packet.values
    return ContextPacketAnswer(
        applicable=packet.applicable,
        explanation=packet.explanation,
        id=packet.id,
        run_id=values.get("run_id"),
        module_key=values.get("module_key"),
        module_type=values.get("module_type"),
        activation_seq=values.get("activation_seq"),
        injection_profile=Profile(values["injection_profile"]) if values else None,
        task_context_binding=word(Binding, values.get("task_context_binding")),
        surface_context_policy=word(SurfacePolicy, values.get("surface_context_policy")),
        surface_context_used=bool(values.get("surface_context_used")),
        surface_context_reason=values.get("surface_context_reason"),
        surface_context_refs=tuple(one.id for one in packet.items if one.via in FROM_SURFACE),
        source_refs=tuple(dict.fromkeys(one.storage_ref for one in packet.items if one.storage_ref)),
        items=packet.items,
        excluded_candidates=packet.excluded,
        withheld=packet.withheld,
        token_budget=_budget(packet) if values else None,
        warnings=notices_of(values.get("warnings") or ()),
        rules=values.get("rules"),
        content_hash=values.get("content_hash"),
        markdown=packet.markdown,
        json=packet.json,
    )


def _budget(packet: Packet) -> TokenBudget:
    names = ("requested_tokens", "actual_tokens", "max_tokens", "tokenizer")
    trimmed = (
        *(one.id for one in packet.excluded if one.code == ExclusionReason.budget_trimmed),
        *(one.id for one in packet.items if one.trimmed_text_tokens is not None),
    )
    return TokenBudget(**{name: packet.values[name] for name in names}, trimmed_items=trimmed)
