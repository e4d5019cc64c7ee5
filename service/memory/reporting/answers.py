"""What a caller is told about each event."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from service.errors import TaskloreError
from service.memory.reporting.fold import Folded


class Outcome(StrEnum):
    """What became of an event."""

    accepted = "accepted"
    duplicate = "duplicate"
    rejected = "rejected"


@dataclass(frozen=True, slots=True)
class Answer:
    """`index` is the event's place in the call; the last four are there when it was rejected."""

    index: int
    event_id: str | None
    outcome: Outcome
    run_id: str | None = None
    code: str | None = None
    field: str | None = None
    message: str | None = None
    remedy: str | None = None

    def shown(self) -> dict[str, Any]:
        values = {name: getattr(self, name) for name in self.__slots__}
        return {name: value for name, value in values.items() if value is not None}


def rejected(index: int, event_id: Any, error: TaskloreError) -> Answer:
    named = event_id if isinstance(event_id, str) else None
    return Answer(index, named, Outcome.rejected, None, error.code, error.field, error.message, error.remedy)


def answer_of(folded: Folded) -> Answer:
    event = folded.event
    if folded.refused is not None:
        return rejected(event.index, event.event_id, folded.refused)
    return Answer(
        event.index,
        event.event_id,
        Outcome.duplicate if folded.duplicate else Outcome.accepted,
        folded.run_id,
    )
