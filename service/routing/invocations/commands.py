"""Recording how requests were met: one transaction, once, with an event."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from graph_schema.memory.words import WriteScope
from graph_schema.model.fields import NAME_LENGTH, TEXT_LENGTH
from service.access.viewer import KeyScope, Viewer
from service.commands import Commands, Outcome, RecordRef, Request, State, Work
from service.commands.errors import InputInvalid
from service.library.commands import content_of
from service.memory.continuation.rules import check_consult
from service.records import rules as record_rules
from service.routing.errors import DecisionDiffers, DecisionNeeded, PrivateRun, ResponseSettled
from service.routing.feedback.commands import MOST_MATCHED, found, known, own_access
from service.routing.feedback.counting import count, is_counted_already
from service.routing.feedback.read import check_class
from service.routing.feedback.responses import Reading
from service.routing.feedback.rules import Limits
from service.routing.feedback.signals import signal
from service.routing.invocations import cypher
from service.routing.invocations.candidates import Trace, propose
from service.routing.invocations.inputs import InvocationInput
from service.routing.invocations.rules import outcome_signals, read_response, suggested_at
from service.routing.times import moment

_DECIDED = ("selected_mode", "task_opportunity_level", "context_class")
_COMPLETING = frozenset({
    "trace", "user_response", "responded_at", "edit_count_after_acceptance", "resulting_task", "resulting_run",
    "resulting_task_receipt_ref", "task_agent_consult",
})  # fmt: skip
"""What can be told of a trace that is there."""
_SIGNALLED = frozenset({"Template", "InvocationDirective"})


class Invocations:
    def __init__(self, commands: Commands, limits: Limits, candidate_traces: int) -> None:
        self._commands = commands
        self._limits = limits
        self._often = candidate_traces

    async def record(self, viewer: Viewer, given: InvocationInput, *, command_id: str | None = None) -> Outcome:
        """Keep a trace, or complete one; count the response, keep what it teaches, propose what repeats itself."""
        _check(given)
        access = {"matter_ids": [*given.matter_ids], "data_class": given.data_class.value if given.data_class else None}
        record_rules.check_access(viewer, access)
        refs = [*(ref for _, _, ref in given.refs()), *(RecordRef(id=one) for one in given.matter_ids)]
        changes = [given.trace] if given.trace else []
        request = Request(
            "recordInvocation",
            KeyScope.curate,
            content_of(given),
            reads=[one for one in refs if one not in changes],
            changes=changes,
            command_id=command_id,
        )
        return await self._commands.execute(viewer, request, _Record(given, self._limits, self._often))


@dataclass(frozen=True, slots=True)
class _Facts:
    """What a trace hangs on: what was decided, what had matched, and what came of it."""

    decision: State | None
    matched: Sequence[State]
    task: State | None
    run: State | None
    consult: State | None
    used: State | None
    """The template that the task or run was made from."""

    @property
    def templates(self) -> list[State]:
        return [one for one in self.matched if one.type.label == "Template"]

    @property
    def target(self) -> State | None:
        """What the user came to use, or was offered first."""
        return self.used or self.task or next(iter(self.templates), None)

    @property
    def came(self) -> list[State]:
        return [one for one in (self.task, self.run) if one]

    @property
    def sources(self) -> list[State]:
        return [*(one for one in (self.decision, self.consult) if one), *self.matched, *self.came]


class _Record:
    def __init__(self, given: InvocationInput, limits: Limits, often: int) -> None:
        self._given = given
        self._limits = limits
        self._often = often

    async def __call__(self, work: Work) -> dict[str, Any]:
        before = known(work, self._given.trace, "trace", "InvocationTrace") if self._given.trace else None
        facts = await self._facts(work, before)
        values = self._came_of_it() if before else self._values(work, facts.decision)
        whole = {**before.properties, **values} if before else values
        read = self._read(before, whole)
        if read.verdict is not None:
            told = await is_counted_already(work, whole, read.verdict, whole["responded_at"])
            values |= {"verdict": read.verdict.value, "counted": not told}
        trace = work.update(before, values) if before else _created(work, values, facts)
        _link(work, trace, facts, new=before is None)
        if values.get("counted") and read.verdict is not None:
            await count(work, trace, read.verdict, trace.properties["responded_at"], self._limits)
        signals = _signals(work, trace, read, facts)
        candidate = await self._candidate(work, trace, read, facts)
        return {
            "id": trace.id,
            "version": trace.version,
            "signals": [one.id for one in signals],
            "counted": bool(values.get("counted")),
            "candidate": candidate.id if candidate else None,
        }

    async def _facts(self, work: Work, before: State | None) -> _Facts:
        given = self._given
        decision = known(work, given.decision, "decision", "ModeDecision") if given.decision else None
        consult = given.task_agent_consult
        task = work.need(given.resulting_task, "resulting_task", ["Task"]) if given.resulting_task else None
        run = _run(work, given)
        return _Facts(
            decision,
            found(work, given.matched()) or await _matched(work, before or decision),
            task,
            run,
            known(work, consult, "task_agent_consult", "Consult") if consult else None,
            await _used(work, task, run),
        )

    def _values(self, work: Work, decision: State | None) -> dict[str, Any]:
        given = self._given
        kept = decision.properties if decision else {}
        decided = {name: _agreed(name, getattr(given, name), kept) for name in _DECIDED}
        check_class(decided["context_class"], "context_class")
        check_consult(
            given.task_agent_entrypoint,
            decided["task_opportunity_level"],
            "task_agent_entrypoint",
            user_asked=given.user_asked_whether_task_fits,
        )
        request_ref = given.user_request_ref or kept.get("user_request_ref") or kept.get("id")
        if request_ref is None:
            raise DecisionNeeded("user_request_ref")
        said = given.initial_user_text_summary
        values = {
            **decided,
            **own_access(work, given),
            "name": f"{decided['selected_mode']}: {said or request_ref}"[:NAME_LENGTH],
            "user_request_ref": request_ref,
            "initial_user_text_summary": said if said is not None else str(kept.get("request", ""))[:TEXT_LENGTH],
            "resolved_intent_summary": given.resolved_intent_summary or kept.get("resolved_intent_summary", ""),
            "task_agent_invoked": given.task_agent_invoked,
            "task_agent_entrypoint": given.task_agent_entrypoint.value if given.task_agent_entrypoint else None,
            "user_visible_task_suggestion_shown": given.user_visible_task_suggestion_shown,
            "decided_at": moment(given.decided_at or kept.get("decided_at"), "decided_at"),
            "recorded_by": work.viewer.principal_id,
        }
        told = {**values, "suggested_at": suggested_at(values), **self._came_of_it()}
        return {name: value for name, value in told.items() if value is not None}

    def _came_of_it(self) -> dict[str, Any]:
        """What the user did and what came of it, as far as it is told."""
        given = self._given
        told = {
            "user_response": given.user_response.value if given.user_response else None,
            "responded_at": moment(given.responded_at, "responded_at") if given.user_response else None,
            "edit_count_after_acceptance": given.edit_count_after_acceptance or None,
            "resulting_task_receipt_ref": given.resulting_task_receipt_ref,
        }
        return {name: value for name, value in told.items() if value is not None}

    def _read(self, before: State | None, whole: dict[str, Any]) -> Reading:
        """How a response counts that is told now. The same one told again, with more of what came of it, is none."""
        said, held = self._given.user_response, before.properties.get("user_response") if before else None
        if said is not None and held is not None and held != said.value:
            raise ResponseSettled(held)
        return read_response(whole) if said is not None and held is None else Reading()

    async def _candidate(self, work: Work, trace: State, read: Reading, facts: _Facts) -> State | None:
        if read.verdict is None:
            return None
        directed = any(one.type.label == "InvocationDirective" for one in facts.matched)
        target = facts.target
        one = Trace(trace, target.id if target else None, directed=directed)
        return await propose(work, one, read.verdict, target, self._often)


def _check(given: InvocationInput) -> None:
    for field, label, ref in given.refs():
        ref.check(field, label)
    if len(given.matched()) > MOST_MATCHED:
        raise InputInvalid("matched_task_templates", f"name at most {MOST_MATCHED} that had matched")
    if given.edit_count_after_acceptance < 0:
        raise InputInvalid("edit_count_after_acceptance", "cannot be below 0")
    if given.task_agent_entrypoint is not None and not given.task_agent_invoked:
        raise InputInvalid("task_agent_invoked", "an entrypoint is told of an agent that was asked")
    if given.responded_at is not None and given.user_response is None:
        raise InputInvalid("user_response", "say what the user did then")
    if given.trace is not None:
        _check_completion(given)


def _check_completion(given: InvocationInput) -> None:
    blank = InvocationInput()
    told = [name for name in given.__slots__ if getattr(given, name) != getattr(blank, name)]
    more = [name for name in told if name not in _COMPLETING]
    if more:
        raise InputInvalid(more[0], "a trace that is there keeps what was decided; tell what came of it")


def _agreed(name: str, said: Any, kept: dict[str, Any]) -> Any:
    """What was told, or what the kept decision says; both have to say the same."""
    told = getattr(said, "value", said)
    if name not in kept:
        if told is None:
            raise DecisionNeeded(name)
        return told
    if told is not None and told != kept[name]:
        raise DecisionDiffers(name, told, kept[name])
    return kept[name]


def _run(work: Work, given: InvocationInput) -> State | None:
    if given.resulting_run is None:
        return None
    run = work.need(given.resulting_run, "resulting_run", ["Run"])
    if run.properties.get("memory_write_scope") == WriteScope.none:
        raise PrivateRun
    return run


def _created(work: Work, values: dict[str, Any], facts: _Facts) -> State:
    return work.create(work.registry.types["InvocationTrace"], values, facts.sources)


def _link(work: Work, trace: State, facts: _Facts, *, new: bool) -> None:
    if facts.decision:
        work.link(trace, "OF", facts.decision)
    for one in facts.matched if new else ():
        work.link(trace, "MATCHED", one)
    for one in facts.came:
        work.link(trace, "LED_TO", one)
    if facts.consult:
        work.link(trace, "CONSULTED_IN", facts.consult)


def _signals(work: Work, trace: State, read: Reading, facts: _Facts) -> list[State]:
    status = facts.run.properties.get("status") if facts.run else None
    matched = [one.id for one in facts.templates]
    kinds = [*([read.signal] if read.signal else [])]
    kinds += outcome_signals(trace.properties, status, facts.used.id if facts.used else None, matched)
    told = {
        "user_request_ref": trace.properties["user_request_ref"],
        "context_class_key": trace.properties["context_class"],
    }
    about = [one for one in facts.matched if one.type.label in _SIGNALLED]
    return [signal(work, kind, [trace, *about], told) for kind in dict.fromkeys(kinds)]


async def _matched(work: Work, kept: State | None) -> list[State]:
    """What the decision, or the trace that is completed, had matched."""
    if kept is None:
        return []
    rows = await work.transaction.run(cypher.MATCHED, id=kept.id, most=MOST_MATCHED, audiences=work.viewer.audiences)
    return [
        State(work.registry.types[work.registry.label_of(row["labels"])], tuple(row["labels"]), row["properties"])
        for row in rows
    ]


async def _used(work: Work, task: State | None, run: State | None) -> State | None:
    """The template that what came of it was made from."""
    if task is None and run is None:
        return None
    row = await work.transaction.one(
        cypher.USED, task=task.id if task else None, run=run.id if run else None, audiences=work.viewer.audiences
    )
    kind = work.registry.types["Template"]
    return State(kind, tuple(row["labels"]), row["properties"]) if row else None
