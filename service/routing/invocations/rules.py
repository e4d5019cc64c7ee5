"""What a trace says about suggestions and tasks. Plain functions over facts."""

from collections.abc import Iterator, Mapping
from typing import Any

from graph_schema.memory.words import RunStatus
from graph_schema.routing.decision_words import OpportunityLevel
from graph_schema.routing.words import InvocationSignalKind as Signal
from graph_schema.routing.words import SuggestionKind, SuggestionResponse, UserResponse, Verdict
from service.routing.feedback.responses import Reading, reading

Values = Mapping[str, Any]
_TAKEN = frozenset({UserResponse.accepted, UserResponse.later_requested_task})
_OUTCOMES = {RunStatus.completed: Signal.task_used_successfully, RunStatus.failed: Signal.task_used_unsuccessfully}


def read_response(trace: Values) -> Reading:
    """How the user's response counts. What the user asked for is no suggestion: taken, it speaks for tasks; not taken,
    it says nothing about what nobody asked for."""
    if trace.get("user_response") is None:
        return Reading()
    said = UserResponse(trace["user_response"])
    if trace["task_opportunity_level"] == OpportunityLevel.explicit:
        return Reading(Verdict.acceptance, Signal.task_mode_preferred) if said in _TAKEN else Reading()
    return reading(_kind(trace), SuggestionResponse(said.value))


def _kind(trace: Values) -> SuggestionKind:
    if trace.get("user_visible_task_suggestion_shown"):
        chip = trace["task_opportunity_level"] == OpportunityLevel.medium
        return SuggestionKind.task_chip_shown if chip else SuggestionKind.task_suggested
    invoked = trace.get("task_agent_invoked")
    return SuggestionKind.task_agent_invoked if invoked else SuggestionKind.task_not_suggested


def suggested_at(trace: Values) -> str | None:
    """When the user saw a suggestion that they had not asked for: so many of them a day are enough."""
    asked = trace["task_opportunity_level"] == OpportunityLevel.explicit
    return trace["decided_at"] if trace.get("user_visible_task_suggestion_shown") and not asked else None


def outcome_signals(trace: Values, run_status: str | None, used: str | None, matched: list[str]) -> Iterator[Signal]:
    """What came of it: how the run ended, and whether the template that was used is one that had matched."""
    if run_status in _OUTCOMES:
        yield _OUTCOMES[RunStatus(run_status)]
    said = trace.get("user_response")
    if used is None or used in matched or said is None or UserResponse(said) is UserResponse.ignored:
        return
    yield Signal.wrong_template_suggested if matched else Signal.existing_template_missed
