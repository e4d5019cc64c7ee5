"""What a reporter is told about each event."""

from dataclasses import dataclass
from typing import Annotated, Any

from service.errors import TaskloreError
from service.memory.reporting.answers import ReportAnswer, ReportCounts, refusal
from service.views import Id


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentEventAnswer(ReportAnswer):
    """What became of one event."""

    session_id: Annotated[Id | None, "Id of its session, unless it was rejected."] = None


@dataclass(frozen=True, slots=True)
class ReportAgentEventsPayload(ReportCounts):
    """The answers to a report, in the order of its events."""

    answers: Annotated[tuple[AgentEventAnswer, ...], "An answer for each event."]


def rejected(index: int, event_id: Any, error: TaskloreError) -> AgentEventAnswer:
    return AgentEventAnswer(**refusal(index, event_id, error))
