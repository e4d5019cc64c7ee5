"""A packet as it was computed, or as it is stored: the same values, whoever asks first or again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

from graph_schema import REGISTRY
from service.context.packets.facts import Candidate, Ground
from service.context.packets.inputs import Asked
from service.context.packets.rendering import Item, as_json, markdown
from service.context.packets.rules import Decided, via_of, why_given
from service.context.packets.situation import Situation

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class KeptOut:
    """A receipt of something that was kept from a module."""

    id: str
    label: str
    name: str
    kind: str
    reason: str
    stage: str
    explanation: str
    score: float | None = None
    threshold: float | None = None
    count: int = 1
    query: str | None = None
    version: int = 1


@dataclass(frozen=True, slots=True)
class Packet:
    """What an executor receives. `id` is None for a preview, and for a module that gets none."""

    applicable: bool
    explanation: str
    id: str | None = None
    values: Row = field(default_factory=dict[str, Any])
    items: tuple[Item, ...] = ()
    excluded: tuple[KeptOut, ...] = ()
    withheld: int = 0
    """Receipts of records that this reader may not see."""

    @property
    def markdown(self) -> str:
        return markdown(self.items)

    @property
    def json(self) -> str:
        return as_json(self.items)


@dataclass(frozen=True)
class Computed:
    """A packet before it is stored, with all that its receipts keep."""

    asked: Asked
    here: Situation
    ground: Ground
    decided: Decided
    candidates: Mapping[str, Candidate]
    counter: str
    model: str

    @cached_property
    def items(self) -> tuple[Item, ...]:
        return tuple(
            Item(
                id=one.id,
                label=one.label,
                name=one.name,
                layer=one.layer,
                rank=rank,
                text=self.candidates[one.id].text,
                tokens=one.tokens,
                via=via_of(one).value,
                explanation=why_given(one, self.ground),
                score=one.score,
                version=one.version,
            )
            for rank, one in enumerate(self.decided.taken, 1)
        )

    @cached_property
    def kept_out(self) -> tuple[KeptOut, ...]:
        return tuple(
            KeptOut(
                id=one.facts.id,
                label=one.facts.label,
                name=one.facts.name,
                kind=one.facts.kind,
                reason=one.refusal.reason.value,
                stage=one.refusal.stage.value,
                explanation=one.refusal.explanation,
                score=one.facts.score,
                threshold=self.ground.threshold,
                count=one.facts.count,
                query=one.facts.query,
                version=one.facts.version,
            )
            for one in self.decided.excluded
        )


def stored(row: Row) -> Packet:
    """A packet as the graph holds it, for one reader."""
    values: Row = row["packet"]
    injected: Sequence[Row] = row["injected"]
    excluded: Sequence[Row] = row["excluded"]
    return Packet(
        applicable=True,
        explanation=f"The profile {values['injection_profile']} holds.",
        id=values["id"],
        values=values,
        items=tuple(_item(one) for one in injected),
        excluded=tuple(sorted((_kept_out(one) for one in excluded), key=lambda one: (one.kind, one.name, one.id))),
        withheld=row["withheld"],
    )


def _item(row: Row) -> Item:
    return Item(**_picked(row, Item), label=_label(row), text=row.get("text") or "")


def _kept_out(row: Row) -> KeptOut:
    return KeptOut(**_picked(row, KeptOut), label=_label(row))


def _picked(row: Row, shape: type[Item | KeptOut]) -> dict[str, Any]:
    """The values of a receipt that a shape has fields for."""
    return {one.name: row[one.name] for one in fields(shape) if one.name in row and one.name not in {"label", "text"}}


def _label(row: Row) -> str:
    return REGISTRY.label_of(row["labels"])
