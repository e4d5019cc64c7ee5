"""A packet as it was computed, or as it is stored: the same values, whoever asks first or again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from embeddings.tokens import Counter
from graph_schema.context.words import CandidateKind, ContextLayer, ExclusionReason, Stage
from graph_schema.output.documents import relation_document
from graph_schema.registry import REGISTRY
from service.context.packets.candidates import holding
from service.context.packets.facts import Candidate, Facts, Ground
from service.context.packets.inputs import ContextPacketInput
from service.context.packets.kinds import use_of
from service.context.packets.receipts import ContextExclusion, ContextItem, ContextListing, without_names
from service.context.packets.rendering import markdown, plain_items
from service.context.packets.rules import Decided, via_of, why_given
from service.context.packets.situation import Situation

Row = Mapping[str, Any]
_LAYERS = {one.value: one for one in ContextLayer}
_KINDS = {one.value: one for one in CandidateKind}


@dataclass(frozen=True, slots=True)
class Packet:
    """What an executor receives. `id` is None for a preview, and for a module that gets none."""

    applicable: bool
    explanation: str
    id: str | None = None
    values: Row = field(default_factory=dict[str, Any])
    items: tuple[ContextItem, ...] = ()
    excluded: tuple[ContextExclusion, ...] = ()
    withheld: bool = False
    """Receipts of records that this reader may not see."""

    @property
    def markdown(self) -> str:
        return markdown(self.items)

    @property
    def json(self) -> list[dict[str, Any]]:
        return plain_items(self.items)


@dataclass(frozen=True)
class Computed:
    """A packet before it is stored, with all that its receipts keep."""

    asked: ContextPacketInput
    here: Situation
    ground: Ground
    decided: Decided
    candidates: Mapping[str, Candidate]
    counter: Counter
    model: str
    advice: tuple[str, ...] = ()
    """Codes of what is known of the capabilities that it mounts, and of what was cut."""

    @cached_property
    def items(self) -> tuple[ContextItem, ...]:
        return tuple(
            ContextItem(
                id=one.id,
                record_kind=one.label,
                name=one.name,
                layer=_LAYERS[one.layer],
                use=use_of(one.layer),
                rank=rank,
                text=self.text_of(one),
                tokens=self.decided.fitted.tokens_of(one),
                trimmed_text_tokens=self.decided.fitted.left_out(one),
                via=via_of(one).value,
                score=one.score,
                explanation=why_given(one, self.ground, self.decided.fitted),
                version=one.version,
                storage_ref=self.candidates[one.id].storage_ref,
            )
            for rank, one in enumerate(self.decided.taken, 1)
        )

    def text_of(self, one: Facts) -> str:
        candidate = self.candidates[one.id]
        return candidate.full_text if one.id in self.decided.fitted.whole else candidate.text

    @cached_property
    def kept_out(self) -> tuple[ContextExclusion, ...]:
        return tuple(
            ContextExclusion(
                id=facts.id,
                record_kind=facts.label,
                name=facts.name,
                candidate_kind=_KINDS[facts.kind],
                code=refusal.reason,
                message=refusal.explanation,
                stage=refusal.stage,
                score=facts.score,
                threshold=self.ground.threshold,
                count=facts.count,
                listing=_listing(facts.label, facts.id, facts.query),
                version=facts.version,
            )
            for facts, refusal in self.decided.excluded
        )


_NOT_LISTED = " Of what was given and what was kept out, only hashes and counts are kept, so nothing is listed here."


def stored(row: Row) -> Packet:
    """A packet as the graph holds it, for one reader."""
    values: Row = row["packet"]
    hidden: Sequence[str] = row["hidden_names"]
    injected, excluded = ([without_names(one, hidden) for one in row[name]] for name in ("injected", "excluded"))
    kept = sorted((_exclusion(one) for one in excluded), key=lambda one: (one.candidate_kind, one.name, one.id))
    return Packet(
        applicable=True,
        explanation=f"The profile {values['injection_profile']} holds."
        + (_NOT_LISTED if values["considered_count"] and not (injected or excluded or row["withheld"]) else ""),
        id=values["id"],
        values=values,
        items=tuple(_item(one) for one in injected),
        excluded=tuple(kept),
        withheld=bool(row["withheld"]),
    )


def _item(row: Row) -> ContextItem:
    return ContextItem(
        id=row["id"],
        record_kind=REGISTRY.label_of(row["labels"]),
        name=row["name"],
        layer=_LAYERS[row["layer"]],
        use=use_of(row["layer"]),
        rank=row["rank"],
        text=row.get("text") or "",
        tokens=row["tokens"],
        trimmed_text_tokens=row.get("trimmed_text_tokens"),
        via=row["via"],
        score=row.get("score"),
        explanation=row["explanation"],
        version=row["version"],
        storage_ref=row.get("storage_ref"),
    )


def _exclusion(row: Row) -> ContextExclusion:
    return ContextExclusion(
        id=row["id"],
        record_kind=REGISTRY.label_of(row["labels"]),
        name=row["name"],
        candidate_kind=_KINDS[row["kind"]],
        code=ExclusionReason(row["reason"]),
        message=row["explanation"],
        stage=Stage(row["stage"]),
        score=row.get("score"),
        threshold=row.get("threshold"),
        count=row.get("count", 1),
        listing=_listing(REGISTRY.label_of(row["labels"]), row["id"], row.get("query")),
        version=row.get("version", 1),
    )


def _listing(label: str, record_id: str, cypher: str | None) -> ContextListing | None:
    """A container's receipt stands for what it holds."""
    if cypher is None:
        return None
    document = relation_document(REGISTRY, record_id, label, holding(label), outgoing=False)
    return ContextListing(document=document, cypher=cypher) if document else None
