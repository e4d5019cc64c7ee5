"""What a caller is told about each event."""

from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Annotated, Any

from service.errors import TaskloreError
from service.memory.reporting.fold import Folded
from service.views import Id


class ReportOutcome(StrEnum):
    """What became of an event."""

    accepted = "accepted"
    duplicate = "duplicate"
    rejected = "rejected"


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemAnswer:
    """What became of one of many."""

    index: Annotated[int, "Its place in the call, from 0."]
    outcome: Annotated[ReportOutcome, "Accepted, known already, or rejected."]
    code: Annotated[str | None, "Why it was rejected, as a code."] = None
    field: Annotated[str | None, "The field that this is about."] = None
    message: Annotated[str | None, "Why it was rejected, in a sentence."] = None
    remedy: Annotated[str | None, "What to do about it."] = None

    def shown(self) -> dict[str, Any]:
        values = {one.name: getattr(self, one.name) for one in fields(self)}
        return {name: value for name, value in values.items() if value is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportAnswer(ItemAnswer):
    """What became of one thing that was reported."""

    event_id: Annotated[str | None, "Its id, as it was sent."]


@dataclass(frozen=True, slots=True, kw_only=True)
class EventAnswer(ReportAnswer):
    """What became of one event."""

    run_id: Annotated[Id | None, "Id of its run, unless it was rejected."] = None


class ReportCounts:
    """How many of what was reported were taken, were known already or were refused."""

    __slots__ = ()
    answers: tuple[Any, ...]

    @property
    def accepted(self) -> Annotated[int, "Those that were taken."]:
        return self._count(ReportOutcome.accepted)

    @property
    def duplicates(self) -> Annotated[int, "Those that had been taken before."]:
        return self._count(ReportOutcome.duplicate)

    @property
    def rejected(self) -> Annotated[int, "Those that were refused."]:
        return self._count(ReportOutcome.rejected)

    def _count(self, outcome: ReportOutcome) -> int:
        return sum(one.outcome is outcome for one in self.answers)


@dataclass(frozen=True, slots=True)
class ReportPayload(ReportCounts):
    """The answers to a report, in the order of its events."""

    answers: Annotated[tuple[EventAnswer, ...], "An answer for each event."]


def rejected(index: int, event_id: Any, error: TaskloreError) -> EventAnswer:
    return EventAnswer(**refusal(index, event_id, error))


def refusal(index: int, event_id: Any, error: TaskloreError) -> dict[str, Any]:
    """What an answer says of an event that was refused."""
    return {**refused_item(index, error), "event_id": event_id if isinstance(event_id, str) else None}


def refused_item(index: int, error: TaskloreError) -> dict[str, Any]:
    """What every answer says of what was refused."""
    return {
        "index": index,
        "outcome": ReportOutcome.rejected,
        "code": error.code,
        "field": error.field,
        "message": error.message,
        "remedy": error.remedy,
    }


def answer_of(folded: Folded) -> EventAnswer:
    event = folded.event
    if folded.refused is not None:
        return rejected(event.index, event.event_id, folded.refused)
    outcome = ReportOutcome.duplicate if folded.duplicate else ReportOutcome.accepted
    return EventAnswer(index=event.index, event_id=event.event_id, outcome=outcome, run_id=folded.run_id)
