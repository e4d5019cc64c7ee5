"""What a change makes of the facts that a kept match has of an asset. Nothing but the change is brought in."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from embeddings import Vectors
from graph_schema.model.record import LifecycleState, RecordType
from service.cards.prototype import prototype
from service.commands.card_text import card_text
from service.commands.phrases import of_record, relation_of
from service.learning.proposals.steps import Content
from service.lexical import lexical, words_of
from service.matching.assets import Asset, Condition, Likeness

FACTS: Mapping[str, tuple[str, ...]] = {
    "task_types": ("task_type", "task_types", "compatible_task_types"),
    "wrong_task_types": ("incompatible_task_types",),
    "expected_inputs": ("expected_inputs", "expected_input_kinds"),
    "expected_outputs": ("expected_outputs", "expected_output_kinds"),
    "output_archetypes": ("default_output_archetypes",),
    "side_effects": ("side_effect_classes",),
    "requires": ("connector_requirements",),
    "memory_modes": ("memory_modes",),
}
"""Which fields of a record are which fact of an asset."""

_ENTITIES = frozenset({"SERVES_GOAL", "IMPLEMENTS_GOAL", "SUPPORTS_GOAL", "SCOPED_TO"})
_OR_NONE = frozenset({"expected_inputs", "expected_outputs", "memory_modes"})


@dataclass(frozen=True, slots=True)
class Texts:
    """What an asset is found by: its card and the phrases that invoke it; and conditions under which it is not used."""

    invoking: tuple[str, ...]
    repelling: tuple[str, ...]


def texts_of(kind: RecordType, values: Mapping[str, Any]) -> Texts:
    phrases = [*of_record("", values).values()]
    invoking = sorted(one.text for one in phrases if relation_of(one.kind) == "INVOKES")
    repelling = sorted(one.text for one in phrases if relation_of(one.kind) == "REPELS")
    return Texts((card_text(kind, values), *invoking), tuple(repelling))


@dataclass(frozen=True, slots=True)
class Shift:
    """How a change of texts moves the likeness of a request. Both sides are measured here, and the difference counts:
    so what changes nothing moves nothing."""

    before: Vectors
    after: Vectors
    words: tuple[tuple[str, ...], tuple[str, ...]]
    repelling: Mapping[str, Vectors]
    """Conditions after the change, with their vectors."""

    def likeness(self, known: Likeness, vector: Vectors, stems: frozenset[str]) -> Likeness:
        was, is_ = (lexical(stems, words) for words in self.words)
        moved = replace(known, lexical=_share(known.lexical + is_ - was), members=len(self.after))
        if known.cosine is None or known.nearest is None:
            return moved
        one, other = _measured(self.before, vector), _measured(self.after, vector)
        cohesion = prototype(self.after).cohesion
        return replace(
            moved,
            cosine=known.cosine + other[0] - one[0],
            nearest=known.nearest + other[1] - one[1],
            cohesion=cohesion if cohesion is not None else known.cohesion,
        )

    def conditions(self, known: Sequence[Condition], vector: Vectors) -> tuple[Condition, ...]:
        kept = {one.text: one for one in known if one.text in self.repelling}
        fresh = {text: Condition(text, float(of @ vector)) for text, of in self.repelling.items() if text not in kept}
        return (*kept.values(), *fresh.values())


def _measured(members: Vectors, vector: Vectors) -> tuple[float, float]:
    return float(prototype(members).vector @ vector), float(np.max(members @ vector))


def _share(value: float) -> float:
    return min(1.0, max(0.0, value))


@dataclass(frozen=True, slots=True)
class AssetPatch:
    """A change of one asset, as matching knows it. `names`: what linked records are called, by id."""

    before: Content
    after: Content
    names: Mapping[str, str]
    shift: Shift | None = None

    def on(self, asset: Asset, vector: Vectors | None, stems: frozenset[str]) -> Asset:
        facts = {name: self._listed(asset, name, fields) for name, fields in FACTS.items()}
        changed = replace(
            asset,
            name=self._of("name", asset.name),
            lifecycle=LifecycleState(self._of("lifecycle_state", asset.lifecycle.value)),
            **{name: value for name, value in facts.items() if value is not None},
        )
        changed = replace(changed, **self._linked(changed))
        if self.shift is None or vector is None:
            return changed
        likeness = self.shift.likeness(asset.likeness, vector, stems)
        return replace(changed, likeness=likeness, non_use=self.shift.conditions(asset.non_use, vector))

    def _of(self, field: str, known: str) -> str:
        was, is_ = self.before.values.get(field), self.after.values.get(field)
        return str(is_) if is_ is not None and is_ != was else known

    def _listed(self, asset: Asset, fact: str, fields: Iterable[str]) -> tuple[str, ...] | None:
        """None: the change leaves it as it is."""
        was, is_ = ([*_entries(one, fields)] for one in (self.before, self.after))
        if was == is_:
            return None
        known: tuple[str, ...] = getattr(asset, fact) or ()
        gone = {*was} - {*is_}
        kept = [one for one in known if one not in gone]
        return (*kept, *(one for one in is_ if one not in kept)) or (None if fact in _OR_NONE else ())

    def _linked(self, asset: Asset) -> dict[str, Any]:
        gone, made = self.before.links - self.after.links, self.after.links - self.before.links
        requires = _swapped(
            asset.requires,
            {self.names.get(head, head) for kind, head in gone if kind == "REQUIRES"},
            sorted(self.names.get(head, head) for kind, head in made if kind == "REQUIRES"),
        )
        entities = _swapped(
            asset.entity_ids,
            {head for kind, head in gone if kind in _ENTITIES},
            sorted(head for kind, head in made if kind in _ENTITIES),
        )
        return {"requires": requires, "entity_ids": entities}


def _entries(content: Content, fields: Iterable[str]) -> Iterable[str]:
    for field in fields:
        value = content.values.get(field)
        yield from value if isinstance(value, list) else [value] if value else ()  # pyright: ignore[reportUnknownVariableType]


def _swapped(known: tuple[str, ...], gone: set[str], made: Sequence[str]) -> tuple[str, ...]:
    kept = [one for one in known if one not in gone]
    return (*kept, *(one for one in made if one not in kept))


def words_beside(before: Texts, after: Texts) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return words_of(before.invoking), words_of(after.invoking)
