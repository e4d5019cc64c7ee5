"""The end of a design session: one of five outcomes. Whether something was edited is computed, not told."""

from dataclasses import dataclass, field
from typing import Any, cast

from graph_schema.learning.design_words import ConsideredAs, DesignOutcome, EditKind
from graph_schema.learning.words import DesignSignalKind, SignalOrigin
from graph_schema.memory.extraction import ExtractionReason
from service.access.agents import is_agent
from service.commands import RecordRef, State, Work
from service.commands.errors import RecordMissing
from service.learning.design.errors import NotPreflighted, OutcomeDiffers
from service.learning.design.facts import SessionFacts
from service.learning.design.inputs import DesignUpdate
from service.learning.design.judged import judged
from service.learning.design.validation import findings
from service.learning.edits.commands import trace_edits
from service.learning.signals.emit import emit
from service.memory.extraction.commands import queue_once

COMPLETED = "task.agent.design_completed"


@dataclass(frozen=True, slots=True)
class Ended:
    values: dict[str, Any] = field(default_factory=dict[str, Any])
    edit_trace: str | None = None


async def end(work: Work, session: State, facts: SessionFacts, given: DesignUpdate) -> Ended:
    if given.saved is None and given.outcome is None:
        return Ended()
    if given.saved is not None:
        ended = await _saved(work, session, facts, given)
    else:
        ended = _closed(work, session, facts, cast("DesignOutcome", given.outcome), given.outcome_reason)
    if ended.edit_trace is None and _was_answered(facts):
        await queue_once(work, session, ExtractionReason.design_session_edited)
    return ended


def _was_answered(facts: SessionFacts) -> bool:
    """Whether the user took or refused something that was suggested: worth a closer look, as edits are."""
    said = facts.session
    told = (*said["accepted_suggestions"], *said["rejected_suggestions"])
    return bool(told) or any(one["response"] for one in facts.row["considered"])


def _taken(work: Work, session: State, facts: SessionFacts, owner: State) -> None:
    """The template that the saved task was made from was the right one to find; said once, by an answer or by this."""
    taken = facts.taken
    answered = {one["record"]["id"] for one in facts.considered(ConsideredAs.template) if one["response"]}
    template = work.find(RecordRef(id=taken), "session") if taken and taken not in answered else None
    if template is not None and owner.type.label == "Task":
        values = {**_said(session), "summary": f"{template.properties['name']} was taken."}
        about = [session, template, *judged(work, facts)]
        emit(work, SignalOrigin.design_session, about, values, kind=DesignSignalKind.template_selected)


def _said(session: State) -> dict[str, Any]:
    said = session.properties
    return {"context_class_key": said["context_class_key"], "task_type": said.get("inferred_task_type")}


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
    if not any(one.kind is EditKind.template_changed for one in traced.edits):
        _taken(work, session, facts, owner)
    ended = _closed(work, session, facts, outcome, given.outcome_reason)
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


def _closed(work: Work, session: State, facts: SessionFacts, outcome: DesignOutcome, reason: str | None) -> Ended:
    """How it ended says of the search and the decision whether they led to something."""
    work.event(COMPLETED, session)
    if judging := judged(work, facts):
        values = {**_said(session), "result": outcome.value, "summary": f"The design ended: {outcome.value}."}
        emit(work, SignalOrigin.design_session, [session, *judging], values)
    return Ended({"outcome": outcome.value, "outcome_reason": reason, "ended_at": work.at})
