"""The change that is replayed, as it would have been at any version of its target."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from embeddings import Vectors
from graph_schema.model.record import RecordType
from graph_schema.registry import REGISTRY
from service.capability import Ground
from service.learning.proposals.steps import Content, Step, content_of, patched
from service.learning.replay.assets import AssetPatch, Shift, texts_of, words_beside


@dataclass(frozen=True, slots=True)
class Target:
    """What a change is about: its kind, its states by version, and what the change links it to."""

    id: str
    kind: RecordType
    states: Mapping[int, Mapping[str, Any]]
    steps: Sequence[Step]
    names: Mapping[str, str]
    steers: tuple[str, ...] = ()

    def contents(self, version: int) -> tuple[Content, Content] | None:
        """What it said at that version, and what it would have said with the change. None: that state is not kept."""
        values = self.states.get(version)
        if values is None:
            return None
        gone = {(one.relation, one.head_id) for one in self.steps if one.operation == "unlink"}
        before = content_of(self.kind, values, ((str(a), str(b)) for a, b in gone))
        return before, patched(before, self.steps)

    @property
    def version(self) -> int:
        return max(self.states)


def target_of(row: Mapping[str, Any], target_id: str, steps: Sequence[Step]) -> Target:
    kind = REGISTRY.types[REGISTRY.label_of(row["labels"])]
    states = {one["version"]: one for one in reversed(row["states"]) if one.get("version")}
    names = {one["id"]: one["name"] for one in row["heads"]}
    return Target(target_id, kind, states, steps, names, tuple(row["steers"]))


@dataclass(slots=True)
class Patches:
    """Patches by version, each made once, with the vectors of the texts that differ."""

    target: Target
    ground: Ground
    _made: dict[int, AssetPatch | None] = field(default_factory=dict[int, AssetPatch | None])

    async def of(self, version: int) -> AssetPatch | None:
        if version not in self._made:
            self._made[version] = await self._make(version)
        return self._made[version]

    async def _make(self, version: int) -> AssetPatch | None:
        contents = self.target.contents(version)
        if contents is None:
            return None
        before, after = contents
        values = self.target.states[version]
        was, is_ = (
            texts_of(self.target.kind, {**values, **_lists(self.target.kind), **one.values}) for one in contents
        )
        if was == is_:
            return AssetPatch(before, after, self.target.names)
        texts = [*dict.fromkeys((*was.invoking, *is_.invoking, *is_.repelling))]
        vectors = dict(
            zip(texts, np.asarray(await self.ground.embeddings.embed_texts(texts), dtype=np.float32), strict=True)
        )
        shift = Shift(
            _stacked(vectors, was.invoking),
            _stacked(vectors, is_.invoking),
            words_beside(was, is_),
            {one: vectors[one] for one in is_.repelling},
        )
        return AssetPatch(before, after, self.target.names, shift)


def _lists(kind: RecordType) -> dict[str, Any]:
    """Content leaves empty lists out; a text is made from all fields."""
    return {name: [] for name, one in kind.fields.items() if one.many and one.authored}


def _stacked(vectors: Mapping[str, Vectors], texts: Sequence[str]) -> Vectors:
    return np.stack([vectors[one] for one in texts])
