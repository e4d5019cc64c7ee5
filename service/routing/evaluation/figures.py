"""Figures over labelled requests: how often the mode is right, what it is taken for, how often too much is offered."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from graph_schema.routing.decision_words import ExecutionMode as Mode
from graph_schema.routing.decision_words import OpportunityLevel as Level
from service.routing.decision.answer import TaskModeDecision
from service.routing.evaluation.rows import Labelled

LOUD = (Level.medium, Level.high, Level.explicit)
BINS = 10


@dataclass(frozen=True, slots=True)
class Judged:
    row: Labelled
    decision: TaskModeDecision

    @property
    def right(self) -> bool:
        return self.decision.selected_mode in self.row.modes


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """`by_mode`: of the requests whose first acceptable mode it is, how many were right. `confusion`: the others."""

    requests: int
    accuracy: float
    by_mode: dict[str, tuple[int, int]]
    confusion: dict[str, dict[str, int]]
    levels: dict[str, int]
    false_suggestions: int
    """Above low, though nothing but a direct answer is acceptable."""
    falsely_high: int
    explicit: tuple[int, int] | None
    """Of the requests that are said to be explicit: how many were recognised, and how many there are."""
    calibration_error: float
    """Of the task fit: the mean distance of what it says from how often a task was right."""
    wrong: list[dict[str, Any]]

    def lines(self) -> list[str]:
        shown = [f"requests {self.requests}, an acceptable mode in {self.accuracy:.1%}"]
        if self.explicit:
            shown.append(f"explicit commands recognised: {self.explicit[0]} of {self.explicit[1]}")
        shown.append(f"false suggestions: {self.false_suggestions} above low, {self.falsely_high} at high or explicit")
        shown.append(f"calibration error of the task fit: {self.calibration_error:.3f}")
        shown.append("levels: " + ", ".join(f"{level} {count}" for level, count in self.levels.items()))
        shown += ["", "by mode"]
        shown += [
            f"  {mode:38s} {right:4d} of {all_:4d}  {right / all_:.1%}" for mode, (right, all_) in self.by_mode.items()
        ]
        shown += ["", "taken for another"] if self.confusion else []
        for mode, others in self.confusion.items():
            shown.append(f"  {mode:38s} " + ", ".join(f"{other} {count}" for other, count in others.items()))
        shown += ["", "wrong"] if self.wrong else []
        shown += [
            f"  line {one['line']}: {one['got']} ({one['level']}), not {one['modes'][0]}: {one['text']}"
            for one in self.wrong
        ]
        return shown


def figures(judged: Sequence[Judged]) -> Figures:
    wrong = [one for one in judged if not one.right]
    told = [one for one in judged if one.row.explicit]
    direct = [one for one in judged if one.row.direct]
    return Figures(
        requests=len(judged),
        accuracy=sum(one.right for one in judged) / len(judged),
        by_mode=_by_mode(judged),
        confusion=_confusion(wrong),
        levels={level.value: count for level in Level if (count := _count(judged, level))},
        false_suggestions=sum(one.decision.task_opportunity_level in LOUD for one in direct),
        falsely_high=sum(one.decision.task_opportunity_level in LOUD[1:] for one in direct),
        explicit=(sum(one.decision.task_opportunity_level is Level.explicit for one in told), len(told))
        if told
        else None,
        calibration_error=calibration_error([(one.decision.task_fit_score, one.row.wants_task) for one in judged]),
        wrong=[_told(one) for one in wrong],
    )


def calibration_error(told: Sequence[tuple[float, bool]]) -> float:
    """The expected calibration error over bins of equal width."""
    bins: dict[int, list[tuple[float, bool]]] = {}
    for one in told:
        bins.setdefault(min(BINS - 1, int(one[0] * BINS)), []).append(one)
    gaps = (abs(sum(fit for fit, _ in some) - sum(right for _, right in some)) for some in bins.values())
    return sum(gaps) / max(1, len(told))


def _by_mode(judged: Sequence[Judged]) -> dict[str, tuple[int, int]]:
    found = {mode: [one for one in judged if one.row.modes[0] is mode] for mode in Mode}
    return {mode.value: (sum(one.right for one in some), len(some)) for mode, some in found.items() if some}


def _confusion(wrong: Sequence[Judged]) -> dict[str, dict[str, int]]:
    found: dict[str, Counter[str]] = {}
    for one in wrong:
        found.setdefault(one.row.modes[0].value, Counter())[one.decision.selected_mode.value] += 1
    return {mode: dict(others.most_common()) for mode, others in sorted(found.items())}


def _count(judged: Sequence[Judged], level: Level) -> int:
    return sum(one.decision.task_opportunity_level is level for one in judged)


def _told(one: Judged) -> dict[str, Any]:
    return {
        "line": one.row.line,
        "text": one.row.request.text,
        "modes": [mode.value for mode in one.row.modes],
        "got": one.decision.selected_mode.value,
        "level": one.decision.task_opportunity_level.value,
        "because": one.decision.because,
    }
