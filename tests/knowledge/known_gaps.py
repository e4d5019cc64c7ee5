"""Prompts with known gaps, read and counted."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from graph_schema.knowledge.prompt_words import OutputForm, PromptGap, PromptSurface
from service.knowledge.prompts.gaps.rules import findings
from service.knowledge.prompts.place import Place, PromptConsumer

HERE = Path(__file__).parent / "prompts"


@dataclass(frozen=True, slots=True)
class Labelled:
    """A prompt, where it lives, and the gaps that a careful reader names."""

    key: str
    text: str
    place: Place
    gaps: frozenset[PromptGap]

    @property
    def found(self) -> frozenset[PromptGap]:
        return frozenset(one.finding_kind for one in findings(self.text, self.place))


@dataclass(frozen=True, slots=True)
class Counts:
    """How findings and labels agree."""

    hits: Counter[PromptGap]
    missed: Counter[PromptGap]
    false: Counter[PromptGap]
    sound: int
    sound_flagged: int
    unsound_passed: int

    @property
    def recall(self) -> float:
        return self.hits.total() / (self.hits.total() + self.missed.total())

    @property
    def false_share(self) -> float:
        return self.false.total() / (self.hits.total() + self.false.total())

    def true(self, gap: PromptGap) -> float:
        return round((self.hits[gap] + 1) / (self.hits[gap] + self.false[gap] + 2), 2)

    @property
    def sound_when_silent(self) -> float:
        passed = self.sound - self.sound_flagged
        return round((passed + 1) / (passed + self.unsound_passed + 2), 2)


def labelled(half: str) -> list[Labelled]:
    return [*_read(half)]


def _read(half: str) -> Iterator[Labelled]:
    for one in yaml.safe_load((HERE / f"{half}.yaml").read_text()):
        gaps = frozenset(PromptGap(each) for each in one["gaps"])
        yield Labelled(one["key"], one["text"].strip(), _place(one["surface"], one.get("context") or {}), gaps)


def _place(surface: str, context: Mapping[str, Any]) -> Place:
    behind = (PromptConsumer(name=one["name"], reads=OutputForm(one["reads"])) for one in context.get("downstream", ()))
    return Place(
        surface=PromptSurface(surface),
        downstream=tuple(behind),
        contract=context.get("contract"),
        capabilities=tuple(context.get("capabilities", ())),
    )


def counted(half: str) -> Counts:
    found = [(one.gaps, one.found) for one in labelled(half)]
    return Counts(
        hits=Counter(gap for gaps, said in found for gap in gaps & said),
        missed=Counter(gap for gaps, said in found for gap in gaps - said),
        false=Counter(gap for gaps, said in found for gap in said - gaps),
        sound=sum(not gaps for gaps, _ in found),
        sound_flagged=sum(not gaps and bool(said) for gaps, said in found),
        unsound_passed=sum(bool(gaps) and not said for gaps, said in found),
    )
