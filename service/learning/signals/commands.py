"""Reporting signals: a batch is one transaction, each of its signals is taken once, in any order."""

import hashlib
from collections.abc import Sequence
from typing import Any

import orjson

from graph_schema.learning.words import SignalOrigin
from graph_schema.model.fields import LONG_TEXT_LENGTH, NAME_LENGTH, DataClass
from service.access.audience import strictest
from service.access.viewer import KeyScope, Viewer
from service.commands import Commands, Outcome, RecordRef, Request, State, Work
from service.commands.errors import InputInvalid, TextTooLong, WrongKind
from service.errors import TaskloreError
from service.learning.errors import PayloadInvalid, PayloadMissing, SignalReused, SignalRunPrivate, TooManySignals
from service.learning.signals import cypher
from service.learning.signals.answers import SignalAnswer, refused
from service.learning.signals.emit import UPDATES
from service.learning.signals.gate import Held, gate
from service.learning.signals.inputs import PLAIN_FIELDS, LearningSignal
from service.learning.signals.payloads import Payload, read_payload
from service.learning.signals.signature import signature
from service.library.commands import content_of
from service.memory.reporting.answers import ReportOutcome
from service.records import rules
from service.routing.times import moment

MOST = 1_000
_SEEN_ON = "about"


class LearningSignals:
    def __init__(self, commands: Commands) -> None:
        self._commands = commands

    async def report(
        self, viewer: Viewer, given: Sequence[LearningSignal], *, command_id: str | None = None
    ) -> Outcome:
        """Keep what was seen. One bad signal does not refuse the others."""
        if len(given) > MOST:
            raise TooManySignals(len(given), MOST)
        return await self._keep(viewer, "reportLearningSignals", SignalOrigin.reported, given, command_id)

    async def draw(self, viewer: Viewer, origin: SignalOrigin, given: Sequence[LearningSignal]) -> Outcome:
        """Keep what the service itself saw in what was recorded."""
        return await self._keep(viewer, "drawLearningSignals", origin, given, None)

    async def _keep(
        self, viewer: Viewer, name: str, origin: SignalOrigin, given: Sequence[LearningSignal], command_id: str | None
    ) -> Outcome:
        own = [_own(one) for one in given]
        named = {str(ref): ref for one in given for ref in _named(one)}
        request = Request(
            name,
            KeyScope.report,
            {"signals": [_content(one) for one in given]},
            reads=[*named.values(), *dict.fromkeys(own)],
            command_id=command_id,
        )
        return await self._commands.execute(viewer, request, _Report(given, origin))


def _own(one: LearningSignal) -> RecordRef:
    return RecordRef(kind="Signal", source=one.source, key=one.signal_id)


def _named(one: LearningSignal) -> list[RecordRef]:
    return [*one.refs(), *(RecordRef(id=matter) for matter in one.matter_ids)]


class _Report:
    def __init__(self, given: Sequence[LearningSignal], origin: SignalOrigin) -> None:
        self._given = given
        self._origin = origin
        self._taken: dict[str, State] = {}

    async def __call__(self, work: Work) -> dict[str, Any]:
        designs = await self._designs(work)
        answers: list[SignalAnswer] = []
        for index, one in enumerate(self._given):
            try:
                answers.append(self._take(work, index, one, designs))
            except TaskloreError as error:
                answers.append(refused(index, one.signal_id, error))
        return {"answers": [one.shown() for one in answers]}

    async def _designs(self, work: Work) -> dict[str, dict[str, Any]]:
        """The saved designs of runs and tasks, for all signals that do not bring a signature."""
        bare = [one for one in self._given if one.task_design_signature is None]
        found = [state for one in bare for ref in (one.run or one.task,) if ref and (state := work.find(ref, "run"))]
        if not found:
            return {}
        ids = sorted({one.id for one in found})
        rows = await work.transaction.run(cypher.DESIGNS, ids=ids, audiences=work.viewer.audiences)
        return {row["id"]: dict(row) for row in rows}

    def _take(self, work: Work, index: int, one: LearningSignal, designs: dict[str, dict[str, Any]]) -> SignalAnswer:
        ref, digest = _own(one), _digest(one)
        known = self._taken.get(str(ref)) or work.find(ref, "signal_id", ["Signal"])
        if known is not None:
            if known.properties.get("content_hash") != digest:
                raise SignalReused(one.signal_id)
            return _answered(index, one, ReportOutcome.duplicate, known)
        payload = _payload(one)
        rules.check_access(work.viewer, {"data_class": one.data_class, "matter_ids": one.matter_ids})
        rules.check_matters(work, {"matter_ids": one.matter_ids})
        run, task, seen_on = _states(work, one)
        data_class = strictest([DataClass.public, *(state.properties["data_class"] for state in seen_on), *_class(one)])
        mode = run.properties.get("memory_mode") if run else None
        passage = gate(data_class.value, mode, eligible=one.pattern_promotion_eligible)
        if not passage.kept:
            raise SignalRunPrivate
        whose = run or task
        design = designs.get(whose.id) if whose else None
        values = {
            **_values(one, payload),
            **_signature(one, design),
            "task_id": task.id if task else (design or {}).get("task_id"),
            "run_id": run.id if run else None,
            "pattern_promotion_eligible": passage.durable,
            "recorded_by": work.viewer.principal_id,
            "content_hash": digest,
            "origin": self._origin,
        }
        made = work.create(
            work.registry.types["Signal"], {name: value for name, value in values.items() if value is not None}, seen_on
        )
        for state in seen_on:
            work.link(made, "SEEN_ON", state)
        self._taken[str(ref)] = made
        return _answered(index, one, ReportOutcome.accepted, made, passage.because)


def _answered(
    index: int, one: LearningSignal, outcome: ReportOutcome, state: State, held: Held | None = None
) -> SignalAnswer:
    return SignalAnswer(index=index, signal_id=one.signal_id, outcome=outcome, record_id=state.id, held_back=held)


def _class(one: LearningSignal) -> list[DataClass]:
    return [one.data_class] if one.data_class else [DataClass.internal]


def _states(work: Work, one: LearningSignal) -> tuple[State | None, State | None, list[State]]:
    """The run, the task, and all that it was seen on. What is named and unknown is refused: a signal makes no stubs."""
    run = _known(work, one.run, "run", ["Run"]) if one.run else None
    task = _known(work, one.task, "task", ["Task"]) if one.task else None
    heads = {*next(one.heads for one in work.registry.relations if one.type == "SEEN_ON")}
    about = [_known(work, ref, _SEEN_ON, heads) for ref in one.about]
    distinct = {state.id: state for state in (run, task, *about) if state}
    return run, task, [*distinct.values()]


def _known(work: Work, ref: RecordRef, field: str, kinds: Sequence[str] | set[str]) -> State:
    state = work.existing(ref, field)
    if state.type.label not in kinds:
        raise WrongKind(ref, field, " or ".join(sorted(kinds)), state.type.label)
    return state


def _payload(one: LearningSignal) -> Payload | None:
    if one.payload is None:
        if one.payload_ref is None and one.signal_kind is None:
            raise PayloadMissing(one.signal_type)
        return None
    found = read_payload(one.signal_type, one.payload)
    if isinstance(found, Payload):
        return found
    raise PayloadInvalid(one.signal_type, *found)


def _values(one: LearningSignal, payload: Payload | None) -> dict[str, Any]:
    text = payload.model_dump_json(exclude_none=True) if payload else None
    if text is not None and len(text) > LONG_TEXT_LENGTH:
        raise TextTooLong("payload", LONG_TEXT_LENGTH, len(text))
    if not one.source.strip() or not one.signal_id.strip():
        raise InputInvalid("signal_id", "a signal is known by its source and id")
    result = payload.result() if payload else None
    update = one.recommended_update_kind or (UPDATES[one.signal_kind] if one.signal_kind else None)
    return {
        **{name: getattr(one, name) for name in PLAIN_FIELDS},
        "name": f"{one.signal_kind or one.signal_type}{f': {result}' if result else ''}"[:NAME_LENGTH],
        "source": one.source,
        "source_key": one.signal_id,
        "signal_type": one.signal_type,
        "result": result,
        "subject_key": one.subject_key or (payload.subject() if payload else None),
        "recommended_update_kind": update,
        "payload": text,
        "emitted_at": moment(one.emitted_at, "emitted_at"),
        "matter_ids": [*one.matter_ids],
    }


def _signature(one: LearningSignal, design: dict[str, Any] | None) -> dict[str, Any]:
    given = one.task_design_signature
    if given is None:
        return signature(design, one.source_module_id)
    lists = ("upstream_module_types", "upstream_module_version_constraints", "segment_ids")
    single = {name: getattr(given, name) for name in ("graph_topology_hash", "task_blueprint_ref")}
    return {**single, **{name: [*getattr(given, name)] for name in lists}}


def _content(one: LearningSignal) -> dict[str, Any]:
    """All that is told of it. What came to the envelope later counts only where it is said."""
    told: dict[str, Any] = content_of(one)
    return {name: value for name, value in told.items() if name not in _LATER or value is not None}


_LATER = frozenset({"subject_key"})


def _digest(one: LearningSignal) -> str:
    return hashlib.sha256(orjson.dumps(_content(one), option=orjson.OPT_SORT_KEYS, default=str)).hexdigest()
