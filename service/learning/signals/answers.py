"""What a reporter is told about each signal."""

from dataclasses import dataclass
from typing import Annotated, Any

from service.errors import TaskloreError
from service.learning.signals.gate import Held
from service.memory.reporting.answers import ItemAnswer, ReportCounts, ReportOutcome, refused_item
from service.views import Id


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalAnswer(ItemAnswer):
    """What became of one signal."""

    signal_id: Annotated[str, "What its source calls it."]
    record_id: Annotated[Id | None, "Id of its record, unless it was rejected."] = None
    held_back: Annotated[Held | None, "Why nothing durable is learned from it; null: it may be."] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalReport(ReportCounts):
    """The answers to a report of signals, in its order, and how many the gate let through."""

    answers: Annotated[tuple[SignalAnswer, ...], "An answer for each signal."]

    @property
    def held_back(self) -> Annotated[int, "Signals that were taken, and support nothing durable."]:
        return sum(one.held_back is not None for one in self.answers)


def refused(index: int, signal_id: str, error: TaskloreError) -> SignalAnswer:
    return SignalAnswer(signal_id=signal_id, **refused_item(index, error))


def told(result: dict[str, Any]) -> SignalReport:
    """The report as a command keeps it: told again, it is the same."""
    return SignalReport(answers=tuple(_answer(one) for one in result.get("answers", ())))


def _answer(one: dict[str, Any]) -> SignalAnswer:
    held = one.get("held_back")
    known: dict[str, Any] = {**one, "outcome": ReportOutcome(one["outcome"]), "held_back": Held(held) if held else None}
    return SignalAnswer(**known)
