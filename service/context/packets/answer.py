"""A packet as whoever asks for it receives it."""

from dataclasses import dataclass
from typing import Annotated

from graph_schema.context_words import CandidateKind, ContextLayer, ExclusionReason, Profile, Stage
from service.context.packets.packet import KeptOut, Packet
from service.context.packets.rendering import Item
from service.memory.views.words import Id


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextItem:
    """Something that a module is given."""

    id: Annotated[Id, "Id of the record."]
    record_kind: Annotated[str, "Type of the record."]
    name: Annotated[str, "What people call it."]
    layer: Annotated[ContextLayer, "The layer that it is in."]
    rank: Annotated[int, "Its place in the packet, from 1."]
    text: Annotated[str, "What the module is given to read."]
    tokens: Annotated[int, "Tokens that it takes."]
    via: Annotated[str, "How it is bound to the run."]
    score: Annotated[float | None, "How relevant it is, from 0 to 1."]
    explanation: Annotated[str, "Why it is in, in a sentence."]
    version: Annotated[int, "The record's version at the time."]


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextExclusion:
    """The receipt of something that was kept from a module."""

    id: Annotated[Id, "Id of the record."]
    record_kind: Annotated[str, "Type of the record."]
    name: Annotated[str, "What people call it."]
    candidate_kind: Annotated[CandidateKind, "What kind of candidate it was."]
    exclusion_reason: Annotated[ExclusionReason, "Why it was kept out."]
    stage: Annotated[Stage, "The gate that decided."]
    score: Annotated[float | None, "How relevant it is, from 0 to 1."]
    threshold: Annotated[float | None, "What was asked of it."]
    explanation: Annotated[str, "Why, in a sentence."]
    count: Annotated[int, "How many records this receipt stands for."]
    query: Annotated[str | None, "Cypher that lists them, where it stands for many."]
    version: Annotated[int, "The record's version at the time."]


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenBudget:
    """How many tokens a packet takes."""

    requested_tokens: Annotated[int, "Tokens that all eligible items would take."]
    actual_tokens: Annotated[int, "Tokens that its items take."]
    max_tokens: Annotated[int, "Tokens that it may take."]
    trimmed_items: Annotated[tuple[Id, ...], "Ids of what was trimmed."]
    tokenizer: Annotated[str, "How they were counted; utf8_bytes never counts too few."]


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextPacketAnswer:
    """What a module is given to know, and what was kept from it."""

    applicable: Annotated[bool, "Whether the module gets a packet at all."]
    explanation: Annotated[str, "Why, or with which profile, in a sentence."]
    id: Annotated[Id | None, "Id of the stored packet; null for a preview."]
    injection_profile: Annotated[Profile | None, "Which layers it may have at most."]
    task_context_binding: Annotated[str | None, "The strongest of its bindings."]
    surface_context_used: Annotated[bool, "Whether anything came from a surface."]
    items: Annotated[tuple[ContextItem, ...], "What the module is given, in its order."]
    excluded_candidates: Annotated[tuple[ContextExclusion, ...], "What was kept out, each with why."]
    withheld_count: Annotated[int, "Receipts of records that you may not see."]
    token_budget: Annotated[TokenBudget | None, "How many tokens it takes."]
    warnings: Annotated[tuple[str, ...], "Codes of what a reader should know."]
    rules: Annotated[str | None, "Name and version of the rules that made it."]
    content_hash: Annotated[str | None, "Hash of its items and receipts."]
    markdown: Annotated[str, "The packet for a prompt. Every line of an item is quoted."]
    json: Annotated[str, "The items for programs, as JSON."]


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextPacketPayload:
    """A packet, and whether it was there before."""

    packet: Annotated[ContextPacketAnswer, "The packet."]
    replayed: Annotated[bool, "Whether this activation had it already."]


def answer_of(packet: Packet) -> ContextPacketAnswer:
    values = packet.values
    return ContextPacketAnswer(
        applicable=packet.applicable,
        explanation=packet.explanation,
        id=packet.id,
        injection_profile=Profile(values["injection_profile"]) if values else None,
        task_context_binding=values.get("task_context_binding"),
        surface_context_used=bool(values.get("surface_context_used")),
        items=tuple(_item(one) for one in packet.items),
        excluded_candidates=tuple(_exclusion(one) for one in packet.excluded),
        withheld_count=packet.withheld,
        token_budget=_budget(packet) if values else None,
        warnings=tuple(values.get("warnings") or ()),
        rules=values.get("rules"),
        content_hash=values.get("content_hash"),
        markdown=packet.markdown,
        json=packet.json,
    )


def _budget(packet: Packet) -> TokenBudget:
    names = ("requested_tokens", "actual_tokens", "max_tokens", "tokenizer")
    trimmed = tuple(one.id for one in packet.excluded if one.reason == ExclusionReason.budget_trimmed)
    return TokenBudget(**{name: packet.values[name] for name in names}, trimmed_items=trimmed)


def _item(one: Item) -> ContextItem:
    return ContextItem(
        id=one.id,
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
        id=one.id,
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
