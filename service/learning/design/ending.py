"""The end of a design session: one of five outcomes. Whether something was edited is computed, not told."""

from dataclasses import dataclass, field
from typing import Any

from graph_schema.learning.design_words import DesignOutcome
from service.access.agents import is_agent
from service.commands import State, Work
from service.commands.errors import RecordMissing
from service.learning.design.errors import NotPreflighted, OutcomeDiffers
from service.learning.design.facts import SessionFacts
from service.learning.design.inputs import DesignUpdate
from service.learning.design.validation import findings
from service.learning.edits.commands import trace_edits

COMPLETED = "task.agent.design_completed"


@dataclass(frozen=True, slots=True)
class Ended:
    values: dict[str, Any] = field(default_factory=dict[str, Any])
    edit_trace: str | None = None


async def end(work: Work, session: State, facts: SessionFacts, given: DesignUpdate) -> Ended:
    if given.saved is not None:
        return await _saved(work, session, facts, given)
    if given.outcome is None:
        return Ended()
    return _closed(work, session, given.outcome, given.outcome_reason)


async def _saved(work: Work, session: State, facts: SessionFacts, given: DesignUpdate) -> Ended:
    owner = work.find(given.saved, "saved", ("Task", "Template")) if given.saved else None
    if owner is None:
        raise RecordMissing(given.saved, "saved")
    check_preflighted(work, facts)
    traced = await trace_edits(work, session, facts, owner, given.evidence_ref)
    outcome = DesignOutcome.saved_with_user_edits if traced.edits else DesignOutcome.saved_as_is
    if given.outcome is not None and given.outcome is not outcome:
        raise OutcomeDiffers(given.outcome, outcome)
    work.link(session, "LED_TO", owner)
    ended = _closed(work, session, outcome, given.outcome_reason)
    return Ended(ended.values, traced.trace_id)


def check_preflighted(work: Work, facts: SessionFacts) -> None:
    """What an agent proposed has passed its checks before it is saved. A person's save is their own word."""
    if not is_agent(work.viewer) or (facts.graph is None and facts.basis is not None):
        return
    if facts.graph is None:
        raise NotPreflighted(())
    problems = [one.written() for one in findings(facts).errors]
    if problems:
        raise NotPreflighted(problems)


def _closed(work: Work, session: State, outcome: DesignOutcome, reason: str | None) -> Ended:
    work.event(COMPLETED, session)
    return Ended({"outcome": outcome.value, "outcome_reason": reason, "ended_at": work.at})
