"""Adding signals up. Pure: the same signals, in any order, come to the same.

Signals of one circle of readers are added up by themselves, and so are those of one class of context and one class of
model. So what a matter teaches is seen there alone, and what a small model did says nothing of a large one.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from graph_schema.learning.words import DesignSignalKind as Kind
from graph_schema.library.words import CrossModelApplicability as Applies
from service.memory.views.words import counted

RULES = "aggregates 2"
CONFIDENCE_Z = 1.6449
"""Of an interval that holds nine times in ten."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of signals: which speak for it, and which against."""

    name: str
    for_it: frozenset[Kind]
    against: frozenset[Kind]
    said: str
    by_subject: bool = False
    """Whether what each signal is about is counted by itself: each output, and not all together."""


QUESTIONS = (
    Question(
        "chosen", frozenset({Kind.template_selected}), frozenset({Kind.template_rejected}), "is what people choose"
    ),
    Question("added", frozenset({Kind.preset_added}), frozenset({Kind.preset_removed}), "is put in and stays"),
    Question(
        "works",
        frozenset({Kind.graph_pattern_success}),
        frozenset({Kind.graph_pattern_failure}),
        "makes runs that end well",
    ),
    Question(
        "second_pass",
        frozenset({Kind.second_pass_deepening_accepted}),
        frozenset({Kind.second_pass_deepening_rejected}),
        "is better for a second pass that looks deeper",
    ),
    Question(
        "red_team",
        frozenset({Kind.red_team_default_accepted}),
        frozenset({Kind.red_team_default_rejected}),
        "is better for a red team",
    ),
    Question("needed", frozenset({Kind.capability_needed}), frozenset({Kind.capability_unused}), "is needed"),
    Question(
        "unused", frozenset({Kind.capability_unused}), frozenset({Kind.capability_needed}), "is mounted and not used"
    ),
    Question("output", frozenset({Kind.output_preference_confirmed}), frozenset(), "makes what people want", True),
)
KINDS = sorted({kind.value for one in QUESTIONS for kind in one.for_it | one.against})


@dataclass(frozen=True, slots=True)
class Counted:
    """A signal on one record, as it is added up."""

    id: str
    kind: Kind
    audience: str
    on: str
    name: str
    label: str = ""
    context_class: str | None = None
    model_class: str | None = None
    run_id: str | None = None
    occasion: str | None = None
    """Where it happened: the run, else the design, the search or the decision that it was seen in."""
    task_id: str | None = None
    subject: str | None = None
    data_class: str = "internal"
    matter_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Thresholds:
    """What something has to reach before it is told."""

    runs: int = 10
    tasks: int = 3
    confidence: float = 0.7
    regressions: float = 0.15


@dataclass(frozen=True, slots=True)
class Sum:
    """What signals on one record come to, for one question, class of context, class of model and circle of readers."""

    question: Question
    on: str
    name: str
    label: str
    audience: str
    context_class: str | None
    model_class: str | None
    for_it: tuple[str, ...]
    against: tuple[str, ...]
    runs: int
    occasions: int
    tasks: int
    data_class: str
    matter_ids: tuple[str, ...]
    subject: str | None = None

    @property
    def share(self) -> float:
        return len(self.for_it) / (len(self.for_it) + len(self.against))

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(len(self.for_it), len(self.for_it) + len(self.against))

    def is_beyond(self, thresholds: Thresholds) -> bool:
        return (
            self.is_enough(thresholds)
            and self.interval[0] >= thresholds.confidence
            and 1 - self.share <= thresholds.regressions
        )

    def is_enough(self, thresholds: Thresholds) -> bool:
        """Whether it was seen often enough, and in work of different kinds, to say anything."""
        return self.occasions >= thresholds.runs and self.tasks >= thresholds.tasks

    def is_refuted(self, thresholds: Thresholds) -> bool:
        """Whether what speaks against it is as sure as what would have to speak for it."""
        low, _ = wilson(len(self.against), len(self.for_it) + len(self.against))
        return self.is_enough(thresholds) and low >= thresholds.confidence and self.share <= thresholds.regressions


def wilson(good: int, of: int, z: float = CONFIDENCE_Z) -> tuple[float, float]:
    """Between what and what the true share lies, nine times in ten; of nothing, anything is possible."""
    if of == 0:
        return 0.0, 1.0
    share, square = good / of, z * z
    middle = (share + square / (2 * of)) / (1 + square / of)
    half = z * math.sqrt(share * (1 - share) / of + square / (4 * of * of)) / (1 + square / of)
    return round(max(0.0, middle - half), 4), round(min(1.0, middle + half), 4)


def add_up(signals: Iterable[Counted]) -> list[Sum]:
    known = {(one.id, one.on): one for one in signals}
    each = sorted(known.values(), key=lambda one: (one.on, one.id))
    found: list[Sum] = []
    for question in QUESTIONS:
        groups: dict[tuple[str | None, ...], list[Counted]] = {}
        for one in each:
            if one.kind in question.for_it | question.against:
                subject = one.subject if question.by_subject else None
                key = (one.on, one.audience, one.context_class, one.model_class, subject)
                groups.setdefault(key, []).append(one)
        found += [_sum(question, group) for group in groups.values()]
    return sorted(found, key=_place)


def _place(one: Sum) -> tuple[object, ...]:
    where = (one.context_class or "", one.model_class or "", one.subject or "", one.audience)
    return (-one.interval[0], -one.occasions, one.question.name, one.name, one.on, *where)


def _sum(question: Question, group: Sequence[Counted]) -> Sum:
    first = group[0]
    return Sum(
        question,
        first.on,
        first.name,
        first.label,
        first.audience,
        first.context_class,
        first.model_class,
        for_it=tuple(one.id for one in group if one.kind in question.for_it),
        against=tuple(one.id for one in group if one.kind in question.against),
        runs=len({one.run_id for one in group if one.run_id}),
        occasions=len({where for one in group if (where := one.occasion or one.run_id)}),
        tasks=len({one.task_id for one in group if one.task_id}),
        data_class=first.data_class,
        matter_ids=first.matter_ids,
        subject=first.subject if question.by_subject else None,
    )


def surfaced(sums: Iterable[Sum], thresholds: Thresholds) -> list[tuple[Sum, Applies]]:
    """What is beyond all thresholds, each with whether it holds for other classes of model."""
    each = [*sums]
    return [(one, applies(one, each, thresholds)) for one in each if one.is_beyond(thresholds)]


def applies(one: Sum, sums: Iterable[Sum], thresholds: Thresholds) -> Applies:
    """Only what was seen with two classes of model says something of models; before that it has to be tried."""
    others = [other for other in sums if _same_but_model(one, other) and other.model_class and one.model_class]
    if any(other.is_beyond(thresholds) for other in others):
        return Applies.cross_model_applicable
    enough = (other for other in others if other.is_enough(thresholds))
    if any(other.interval[1] < thresholds.confidence for other in enough):
        return Applies.model_class_specific
    return Applies.requires_validation


def _same_but_model(one: Sum, other: Sum) -> bool:
    def shared(each: Sum) -> tuple[object, ...]:
        return each.question.name, each.on, each.audience, each.context_class, each.subject

    return shared(one) == shared(other) and one.model_class != other.model_class


def sentence(one: Sum, holds: Applies) -> str:
    """What it comes to, in words."""
    low, high = one.interval
    what = f" ({one.subject})" if one.subject else ""
    where = f" in {one.context_class}" if one.context_class else ""
    model = f" with models of the class {one.model_class}" if one.model_class else ""
    tail = _HOLDS[holds] if one.model_class else "Which class of model was at work was not told: try it before others."
    total = len(one.for_it) + len(one.against)
    return (
        f"{one.name} {one.question.said}{what}{where}{model}: {len(one.for_it)} of {counted(total, 'signal')} from "
        f"{counted(one.occasions, 'occasion')} and {counted(one.tasks, 'task')}, between {low:.0%} and {high:.0%}. "
        f"{tail}"
    )


_HOLDS: Mapping[Applies, str] = {
    Applies.cross_model_applicable: "It was seen with other classes of model, too.",
    Applies.model_class_specific: "With another class of model it was not so.",
    Applies.requires_validation: "With other classes of model it has to be tried first.",
}
