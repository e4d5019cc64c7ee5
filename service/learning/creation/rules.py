"""What each way to make a task asks for, and whether the task may run. Plain functions over facts."""

from collections.abc import Mapping
from dataclasses import dataclass

from graph_schema.learning.design_words import CreationMode as Mode
from graph_schema.routing.decision_words import OpportunityLevel
from service.learning.creation.errors import CreationModeNotAllowed, TraceIncomplete

ASKED_FOR = (OpportunityLevel.high, OpportunityLevel.explicit)
"""From these levels on an agent makes a task unasked-for by name."""


@dataclass(frozen=True, slots=True)
class Creation:
    """What is known of a task that is about to be made."""

    mode: Mode
    by_agent: bool
    level: str | None
    """How much spoke for a task, by the decision; none without one."""
    has_session: bool
    has_template: bool
    request_ref: str | None


def check(made: Creation) -> None:
    """Refuse what the way of making it does not allow."""
    if made.by_agent:
        if made.level is None:
            raise TraceIncomplete("decision", "decision")
        if made.request_ref is None:
            raise TraceIncomplete("request_ref", "request")
    problem, remedy = _PROBLEMS.get(made.mode, _fine)(made)
    if problem:
        raise CreationModeNotAllowed(made.mode, problem, remedy)


def _fine(_made: Creation) -> tuple[str, str]:
    return "", ""


def _authored(made: Creation) -> tuple[str, str]:
    told = "an agent's key cannot say that a person made it" if made.by_agent else ""
    return told, "Say task_agent_proposed, elnor_created_tracked, template_instantiated or scratch_draft_not_run."


def _proposed(made: Creation) -> tuple[str, str]:
    return "" if made.has_session else "it comes from no design session", "Name the session that it was designed in."


def _created(made: Creation) -> tuple[str, str]:
    levels = " or ".join(ASKED_FOR)
    told = (
        "" if made.level in ASKED_FOR else f"the decision is {made.level or 'missing'}, and such a task needs {levels}"
    )
    return told, "Ask the user first; or make it a scratch_draft_not_run that they can look at."


def _instantiated(made: Creation) -> tuple[str, str]:
    return "" if made.has_template else "it is made from no template", "Name the template."


_PROBLEMS = {
    Mode.user_authored: _authored,
    Mode.task_agent_proposed: _proposed,
    Mode.elnor_created_tracked: _created,
    Mode.template_instantiated: _instantiated,
}


def may_run(mode: Mode, *, by_agent: bool, risky: list[str], accepted: bool) -> bool:
    """A person's own task runs; an agent's once somebody has accepted it, and nothing in it waits for a review."""
    if mode is Mode.scratch_draft_not_run:
        return False
    return (not by_agent or accepted) and not (risky and by_agent)


def why_not(receipt: Mapping[str, object], state: str) -> str | None:
    """Why a task does not run yet."""
    if receipt["runnable"]:
        return None if state == "active" else f"It is {state.replace('_', ' ')}."
    if receipt["creation_mode"] == Mode.scratch_draft_not_run and not receipt.get("reviewed_by"):
        return "It is a scratch draft: a person has to put it into use."
    risky = receipt.get("risky_side_effects")
    if risky:
        told = ", ".join(str(one) for one in risky)  # pyright: ignore[reportGeneralTypeIssues, reportUnknownVariableType, reportUnknownArgumentType]
        return f"It does not run yet, because it can do this: {told}. Review its graph and approvals first."
    return "It waits for a person to accept it."
