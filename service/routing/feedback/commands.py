"""Feedback on suggestions, signals, and lifting what was learned. Each is one transaction, once, with an event."""

from collections.abc import Iterable, Sequence
from typing import Any

from graph_schema.model.fields import NAME_LENGTH
from graph_schema.routing.decision_words import OpportunityLevel
from service.access.viewer import KeyScope, Viewer
from service.commands import Commands, Outcome, RecordRef, Request, State, Work
from service.commands.errors import InputInvalid
from service.library.commands import content_of
from service.records import rules
from service.routing.errors import DecisionNeeded, NothingToLift
from service.routing.feedback import cypher
from service.routing.feedback.counting import count, is_counted_already
from service.routing.feedback.inputs import InvocationSignalInput, SuggestionFeedbackInput
from service.routing.feedback.read import check_class
from service.routing.feedback.responses import SHOWN, reading
from service.routing.feedback.rules import Limits
from service.routing.feedback.signals import signal
from service.routing.times import moment

RECORDED = "task.suggestion.feedback_recorded"
MOST_MATCHED = 50
_BEGUN_ANEW: dict[str, Any] = {"open_refusals": [], "open_acceptances": [], "muted_since": None, "weight": 0}


class SuggestionFeedbacks:
    def __init__(self, commands: Commands, limits: Limits) -> None:
        self._commands = commands
        self._limits = limits

    async def record(self, viewer: Viewer, given: SuggestionFeedbackInput, *, command_id: str | None = None) -> Outcome:
        """Keep what the user made of a suggestion, count it, and keep what it teaches."""
        reads = _refs(given.decision, matched(given), "decision")
        request = _request("recordSuggestionFeedback", viewer, given, reads, command_id)
        return await self._commands.execute(viewer, request, _Record(given, self._limits))

    async def record_signal(
        self, viewer: Viewer, given: InvocationSignalInput, *, command_id: str | None = None
    ) -> Outcome:
        """Keep a signal that somebody tells. It counts in no tally: what the user said does."""
        reads = [*_refs(given.decision, matched(given), "decision"), *_refs(given.trace, (), "trace")]
        request = _request("recordInvocationSignal", viewer, given, reads, command_id)

        async def plan(work: Work) -> dict[str, Any]:
            trace = known(work, given.trace, "trace", "InvocationTrace") if given.trace else None
            decision = decision_of(work, given.decision)
            about = [one for one in (trace, decision) if one] + found(work, matched(given))
            values = {
                **told_of(given, decision or trace),
                **{name: getattr(given, name) for name in ("task_type", "document_archetype", "evidence_ref")},
                **own_access(work, given),
            }
            made = signal(work, given.signal_kind, about, values, given.recommended_update_kind)
            return {"id": made.id, "version": made.version}

        return await self._commands.execute(viewer, request, plan)

    async def lift(
        self, viewer: Viewer, context_class: str, reason: str | None, *, command_id: str | None = None
    ) -> Outcome:
        """Begin the count of a class anew. What was told stays, and so does how often."""
        check_class(context_class, "context_class")

        async def plan(work: Work) -> dict[str, Any]:
            kind = work.registry.types["SuggestionTally"]
            rows = await work.transaction.run(
                cypher.TALLIES, context_class=context_class, audiences=work.viewer.audiences
            )
            lifted = {"lifted_at": work.at, "lifted_by": viewer.principal_id, "lift_reason": reason}
            for row in rows:
                state = State(kind, tuple(row["labels"]), row["properties"])
                work.update(state, {**_BEGUN_ANEW, **lifted}, event="lifted")
            if not rows:
                raise NothingToLift(context_class)
            return {"context_class": context_class, "tallies": len(rows)}

        content = {"context_class": context_class, "reason": reason}
        request = Request("liftSuppression", KeyScope.curate, content, command_id=command_id)
        return await self._commands.execute(viewer, request, plan)


class _Record:
    def __init__(self, given: SuggestionFeedbackInput, limits: Limits) -> None:
        self._given = given
        self._limits = limits

    async def __call__(self, work: Work) -> dict[str, Any]:
        given = self._given
        decision = decision_of(work, given.decision)
        read = reading(given.suggestion_kind, given.user_response)
        told = told_of(given, decision)
        context_class = told["context_class_key"]
        at = moment(given.given_at, "given_at")
        counts = read.verdict is not None and not await is_counted_already(work, told, read.verdict, at)
        values = {
            **told,
            **own_access(work, given),
            **_said(given),
            "name": f"{given.user_response.value}: {context_class}"[:NAME_LENGTH],
            "given_at": at,
            "suggested_at": at if given.suggestion_kind in SHOWN and not _was_explicit(decision) else None,
            "verdict": read.verdict.value if read.verdict else None,
            "counted": counts,
            "recorded_by": work.viewer.principal_id,
        }
        others = found(work, matched(given))
        sources = [*([decision] if decision else []), *others]
        kind = work.registry.types["SuggestionFeedback"]
        made = work.create(kind, {name: value for name, value in values.items() if value is not None}, sources)
        if decision:
            work.link(made, "OF", decision)
        for one in others:
            work.link(made, "MATCHED", one)
        work.event(RECORDED, made)
        if read.verdict is not None and counts:
            await count(work, made, read.verdict, at, self._limits)
        signals = [signal(work, read.signal, [made, *others], told)] if read.signal else []
        return {"id": made.id, "version": made.version, "signals": [one.id for one in signals], "counted": counts}


def _said(given: SuggestionFeedbackInput) -> dict[str, Any]:
    return {
        "suggestion_kind": given.suggestion_kind.value,
        "user_response": given.user_response.value,
        "evidence_ref": given.evidence_ref,
        "user_comment": given.user_comment,
    }


def _was_explicit(decision: State | None) -> bool:
    return bool(decision) and decision.properties["task_opportunity_level"] == OpportunityLevel.explicit


def told_of(given: SuggestionFeedbackInput | InvocationSignalInput, kept: State | None) -> dict[str, Any]:
    """The request and its class, as told or as the kept decision or trace has them."""
    properties = kept.properties if kept else {}
    request_ref = given.user_request_ref or properties.get("user_request_ref") or properties.get("id")
    context_class = given.context_class_key or properties.get("context_class")
    if request_ref is None:
        raise DecisionNeeded("user_request_ref")
    if context_class is None:
        raise DecisionNeeded("context_class_key")
    check_class(context_class, "context_class_key")
    return {"user_request_ref": request_ref, "context_class_key": context_class}


def decision_of(work: Work, ref: RecordRef | None) -> State | None:
    return known(work, ref, "decision", "ModeDecision") if ref else None


def known(work: Work, ref: RecordRef, field: str, label: str) -> State:
    """A record of our own, which nobody else names before it is there."""
    return work.existing(ref, field, [label])


Named = Sequence[tuple[str, str, RecordRef]]
"""What had matched: the field that it is named in, its label, and its reference."""


def matched(given: SuggestionFeedbackInput | InvocationSignalInput) -> Named:
    return [
        *(("matched_templates", "Template", one) for one in given.matched_templates),
        *(("matched_invocation_directives", "InvocationDirective", one) for one in given.matched_invocation_directives),
    ]


def found(work: Work, named: Named) -> list[State]:
    """Each once, in the order in which they were named."""
    states = [work.need(ref, field, [label]) for field, label, ref in named]
    return list({one.id: one for one in states}.values())


def own_access(work: Work, given: Any) -> dict[str, Any]:
    """What it is told to be, beside what it inherits. The command has read the matters."""
    values: dict[str, Any] = {"matter_ids": [*given.matter_ids]} if given.matter_ids else {}
    if given.data_class is not None:
        values["data_class"] = given.data_class.value
    rules.check_matters(work, values)
    return values


def _refs(ref: RecordRef | None, named: Named, field: str) -> list[RecordRef]:
    if len(named) > MOST_MATCHED:
        raise InputInvalid(named[0][0], f"name at most {MOST_MATCHED} that had matched")
    if ref is not None:
        ref.check(field)
    for name, label, one in named:
        one.check(name, label)
    return [*([ref] if ref else []), *(one for _, _, one in named)]


def _request(name: str, viewer: Viewer, given: Any, reads: Iterable[RecordRef], command_id: str | None) -> Request:
    access = {"matter_ids": [*given.matter_ids], "data_class": given.data_class.value if given.data_class else None}
    rules.check_access(viewer, access)
    matters = [RecordRef(id=one) for one in given.matter_ids]
    return Request(name, KeyScope.curate, content_of(given), reads=[*reads, *matters], command_id=command_id)
