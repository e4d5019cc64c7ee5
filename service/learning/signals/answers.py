"""What a reporter is told about each signal."""

from dataclasses import dataclass
from typing import Annotated, Any

from service.errors import TaskloreError
from service.learning.signals.gate import Held
from service.memory.reporting.answers import ReportOutcome
from service.views import Id


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalAnswer:
    """What became of one signal."""

    index: Annotated[int, "Its place in the call, from 0."]
    signal_id: Annotated[str, "What its source calls it."]
    outcome: Annotated[ReportOutcome, "Accepted, known already, or rejected."]
    record_id: Annotated[Id | None, "Id of its record, unless it was rejected."] = None
    held_back: Annotated[Held | None, "Why nothing durable is learned from it; null: it may be."] = None
    code: Annotated[str | None, "Why it was rejected, as a code."] = None
    field: Annotated[str | None, "The field that this is about."] = None
    message: Annotated[str | None, "Why it was rejected, in a sentence."] = None
    remedy: Annotated[str | None, "What to do about it."] = None

    def stored(self) -> dict[str, Any]:
        return {name: value for name in self.__slots__ if (value := getattr(self, name)) is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalReport:
    """The answers to a report of signals, in its order, and how many the gate let through."""

    answers: Annotated[tuple[SignalAnswer, ...], "An answer for each signal."]

    @property
    def accepted(self) -> Annotated[int, "Signals that were taken."]:
        return self._count(ReportOutcome.accepted)

    @property
    def duplicates(self) -> Annotated[int, "Signals that had been taken before."]:
        return self._count(ReportOutcome.duplicate)

    @property
    def rejected(self) -> Annotated[int, "Signals that were refused."]:
        return self._count(ReportOutcome.rejected)

    @property
    def held_back(self) -> Annotated[int, "Signals that were taken, and support nothing durable."]:
        return sum(one.held_back is not None for one in self.answers)

    def _count(self, outcome: ReportOutcome) -> int:
        return sum(one.outcome is outcome for one in self.answers)


def refused(index: int, signal_id: str, error: TaskloreError) -> SignalAnswer:
    return SignalAnswer(
        index=index,
        signal_id=signal_id,
        outcome=ReportOutcome.rejected,
        code=error.code,
        field=error.field,
        message=error.message,
        remedy=error.remedy,
    )


def told(result: dict[str, Any]) -> SignalReport:
    """The report as a command keeps it: told again, it is the same."""
    return SignalReport(answers=tuple(_answer(one) for one in result.get("answers", ())))


def _answer(one: dict[str, Any]) -> SignalAnswer:
    held = one.get("held_back")
    known: dict[str, Any] = {**one, "outcome": ReportOutcome(one["outcome"]), "held_back": Held(held) if held else None}
    return SignalAnswer(**known)
