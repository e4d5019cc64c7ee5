"""What a reporter is told about each event."""

from dataclasses import dataclass
from typing import Annotated, Any

from service.errors import TaskloreError
from service.memory.reporting.answers import ReportOutcome
from service.views import Id


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentEventAnswer:
    """What became of one event."""

    index: Annotated[int, "Its place in the call, from 0."]
    event_id: Annotated[str | None, "Its id, as it was sent."]
    outcome: Annotated[ReportOutcome, "Accepted, known already, or rejected."]
    session_id: Annotated[Id | None, "Id of its session, unless it was rejected."] = None
    code: Annotated[str | None, "Why it was rejected, as a code."] = None
    field: Annotated[str | None, "The field that this is about."] = None
    message: Annotated[str | None, "Why it was rejected, in a sentence."] = None
    remedy: Annotated[str | None, "What to do about it."] = None


@dataclass(frozen=True, slots=True)
class ReportAgentEventsPayload:
    """The answers to a report, in the order of its events."""

    answers: Annotated[tuple[AgentEventAnswer, ...], "An answer for each event."]

    @property
    def accepted(self) -> Annotated[int, "Events that were taken."]:
        return self._count(ReportOutcome.accepted)

    @property
    def duplicates(self) -> Annotated[int, "Events that had been taken before."]:
        return self._count(ReportOutcome.duplicate)

    @property
    def rejected(self) -> Annotated[int, "Events that were refused."]:
        return self._count(ReportOutcome.rejected)

    def _count(self, outcome: ReportOutcome) -> int:
        return sum(one.outcome is outcome for one in self.answers)


def rejected(index: int, event_id: Any, error: TaskloreError) -> AgentEventAnswer:
    return AgentEventAnswer(
        index=index,
        event_id=event_id if isinstance(event_id, str) else None,
        outcome=ReportOutcome.rejected,
        code=error.code,
        field=error.field,
        message=error.message,
        remedy=error.remedy,
    )
