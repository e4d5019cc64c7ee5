"""Builds the trace of a run. Pure: it is given what the graph holds."""

import hashlib
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

from graph_schema.memory.words import MemoryMode, SpanKind
from service import clock
from service.memory.reporting.costs import FIGURES
from service.memory.reporting.policy import MODES, POLICY_FIELDS
from service.memory.telemetry import attributes as names
from service.memory.telemetry.wire import attribute
from service.records.stamps import read_marks

Values = dict[str, Any]
Step = tuple[Any, Any]

_SPAN_ID = re.compile(r"(?!0{16})[0-9a-f]{16}")
_TRACE_ID = re.compile(r"(?!0{32})[0-9a-f]{32}")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_CALLS = frozenset({SpanKind.llm_call, SpanKind.mcp_call, SpanKind.connector_call})
_OPERATIONS = {
    SpanKind.llm_call: "chat",
    SpanKind.tool_call: "execute_tool",
    SpanKind.subagent_spawn: "invoke_agent",
    SpanKind.task_run: "invoke_workflow",
}
_RUN_STATUS = {"completed": "success", "failed": "error", "cancelled": "cancelled"}
_FIELDS_OF_OTLP = frozenset(
    {"name", "trace_id", "span_key", "parent_span_key", "span_kind", "status", "started_at", "completed_at"}
)
_BY_CONVENTION = {
    "model_ref": names.REQUEST_MODEL,
    "agent_ref": names.AGENT_NAME,
    "input_tokens": names.INPUT_TOKENS,
    "output_tokens": names.OUTPUT_TOKENS,
}
_OF_SPAN = names.FIELDS["span"] - {"snapshot_keys", "span_key"}
_OF_STEP = frozenset(one for kind in names.ACTIVATIONS for one in names.FIELDS[kind]) - {"gate_key"}
_SHARED = frozenset({"name", "status", "started_at", "completed_at", "error_code", "error_message", "cost_usd"})
_SHARED_BY_STEP = _SHARED | {*_BY_CONVENTION}
_OF_RUN = frozenset(one for kind in names.RUNS for one in names.FIELDS[kind])


class Traced:
    def __init__(self, run: Values, spans: list[Values], steps: list[Values]) -> None:
        self._run = run
        self._spans = {one["span_key"]: one for one in spans}
        self._told = [one for one in spans if not one.get("stub") and _begin(one)]
        self._trace = self._trace_of_run()
        self._root = self._standing_for_run()
        self._steps = {_step_of(one): _as_told(one) for one in steps if _begin(one)}
        self._standing = self._standing_for_steps()
        self._has_root = self._root is not None or bool(_begin(run))

    def request(self, *, is_truncated: bool) -> ExportTraceServiceRequest:
        request = ExportTraceServiceRequest()
        resource = request.resource_spans.add()
        given = {**self._resource(), **({names.TRUNCATED: True} if is_truncated else {})}
        resource.resource.attributes.extend(attribute(name, value) for name, value in given.items())
        scope = resource.scope_spans.add()
        scope.scope.name = "tasklore"
        scope.spans.extend(self._made())
        return request

    def _resource(self) -> Values:
        run = self._run
        usual = MODES[MemoryMode(run["memory_mode"])]
        own = {name: run[name] for name in POLICY_FIELDS if name not in usual or run[name] != usual[name]}
        named = {"service.name": "source", names.SOURCE: "source", names.RUN: "source_key"}
        told = {name: run[field] for name, field in named.items() if field in run}
        policy = {names.name_of(name): value for name, value in own.items()}
        task = {names.name_of("task_key"): run["task_key"]} if "task_key" in run else {}
        return {**told, **policy, **task}

    def _made(self) -> Iterable[Span]:
        if self._root is None and self._has_root:
            yield self._span_of_run()
        for step in self._steps:
            if step not in self._standing:
                yield self._span_of_step(step)
        for one in self._told:
            yield self._span(one)

    def _trace_of_run(self) -> bytes:
        named = (self._run.get("trace_id"), *(one.get("trace_id") for one in self._told))
        found = next((one for one in named if one and _TRACE_ID.fullmatch(one)), None)
        return bytes.fromhex(found) if found else _digest(self._run["id"], "trace")[:16]

    def _trace_of(self, one: Values) -> bytes:
        own = one.get("trace_id")
        return bytes.fromhex(own) if own and _TRACE_ID.fullmatch(own) else self._trace

    def _standing_for_run(self) -> Values | None:
        """The span that says the same as the run, if there is one: then the run needs no span of its own."""
        run = self._as_span()
        return next((one for one in self._told if self._is_whole(one) and _says(one, run, _SHARED)), None)

    def _is_whole(self, one: Values) -> bool:
        return one.get("span_kind") == SpanKind.task_run and not self._parent_key(one)

    def _as_span(self) -> Values:
        """The run in the words of a span."""
        run = self._run
        failed = {"error_code": run.get("failure_code"), "error_message": run.get("failure_summary")}
        told = {**run, **failed, "cost_usd": run.get("total_cost_usd")}
        return {**told, "status": _RUN_STATUS.get(run["status"], "running")}

    def _standing_for_steps(self) -> dict[Step, Values]:
        found: dict[Step, Values] = {}
        for one in self._told:
            step = self._steps.get(_step_of(one))
            if one.get("span_kind") == SpanKind.module_activation and step and _says(one, step, _SHARED_BY_STEP):
                found.setdefault(_step_of(one), one)
        return found

    def _span(self, one: Values) -> Span:
        key, step = one["span_key"], _step_of(one)
        span_id = self._id_of(key)
        told = {name: one[name] for name in _OF_SPAN if name in one}
        told |= self._more(one, step)
        if span_id.hex() != key:
            told["span_key"] = key
        made = self._filled(one, told, span_id, self._trace_of(one))
        self._tie(made, one)
        return made

    def _more(self, one: Values, step: Step) -> Values:
        """What the record that a span stands for says beyond the span."""
        kind = one.get("span_kind")
        if one is self._root:
            return _beyond(self._run, _OF_RUN)
        if self._standing.get(step) is one:
            return _beyond(self._steps[step], _OF_STEP)
        apart = kind in {SpanKind.task_run, SpanKind.module_activation}
        return {"record": "span"} if apart else {}

    def _tie(self, made: Span, one: Values) -> None:
        parent = self._parent_key(one)
        if parent is not None:
            made.parent_span_id = self._id_of(parent)
            if made.parent_span_id.hex() != parent:
                made.attributes.append(attribute(names.PARENT_SPAN_KEY, parent))
        elif implied := self._implied(one):
            made.parent_span_id = implied
            made.attributes.append(attribute(names.IMPLIED_PARENT, True))

    def _parent_key(self, one: Values) -> str | None:
        """Its parent, if the reader may know of it."""
        parent = one.get("parent_span_key")
        return parent if parent in self._spans else None

    def _implied(self, one: Values) -> bytes | None:
        """Where a span without a parent hangs: below its activation, else below the run."""
        if one is self._root or self._trace_of(one) != self._trace:
            return None
        step = _step_of(one)
        standing = self._standing.get(step)
        if standing is not None and not self._is_above(one, standing) and self._trace_of(standing) == self._trace:
            return self._id_of(standing["span_key"])
        if standing is None and step in self._steps:
            return self._id_of_step(step)
        return self._id_of_root()

    def _is_above(self, one: Values, other: Values) -> bool:
        """Whether a span is the other, or what it is part of."""
        seen: set[str] = set()
        key: str | None = other["span_key"]
        while key is not None and key not in seen:
            if key == one["span_key"]:
                return True
            seen.add(key)
            key = self._parent_key(self._spans[key])
        return False

    def _span_of_run(self) -> Span:
        told = {"record": "run", "span_kind": SpanKind.task_run.value, **_beyond(self._run, _OF_RUN)}
        return self._filled(self._as_span(), told, self._id_of_root() or b"", self._trace)

    def _span_of_step(self, step: Step) -> Span:
        one = self._steps[step]
        told = {name: one[name] for name in _OF_STEP if name in one}
        told |= {"record": "activation", "span_kind": SpanKind.module_activation.value}
        made = self._filled(one, told, self._id_of_step(step), self._trace)
        if root := self._id_of_root():
            made.parent_span_id = root
        return made

    def _filled(self, one: Values, told: Values, span_id: bytes, trace: bytes) -> Span:
        kind, status = told.get("span_kind"), one["status"]
        made = Span(
            trace_id=trace,
            span_id=span_id,
            name=one["name"],
            kind=Span.SPAN_KIND_CLIENT if kind in _CALLS else Span.SPAN_KIND_INTERNAL,
            start_time_unix_nano=_nanos(_begin(one)),
            end_time_unix_nano=_nanos(one.get("completed_at")),
        )
        given = _attributes(told, failed=status == "error")
        if status == "error":
            made.status.CopyFrom(Status(code=Status.STATUS_CODE_ERROR, message=one.get("error_message") or ""))
        elif status == "success":
            made.status.code = Status.STATUS_CODE_OK
        if status not in {"success", "error"} or not made.end_time_unix_nano:
            given[names.STATUS] = status
        if one.get("trace_id") and trace.hex() != one["trace_id"]:
            given[names.name_of("trace_id")] = one["trace_id"]
        made.attributes.extend(attribute(name, given[name]) for name in sorted(given))
        return made

    def _id_of(self, key: str) -> bytes:
        return bytes.fromhex(key) if _SPAN_ID.fullmatch(key) else _digest(self._run["id"], "span", key)[:8]

    def _id_of_step(self, step: Step) -> bytes:
        return _digest(self._run["id"], "activation", *map(str, step))[:8]

    def _id_of_root(self) -> bytes | None:
        if self._root is not None:
            return self._id_of(self._root["span_key"])
        return _digest(self._run["id"], "run")[:8] if self._has_root else None


def _attributes(told: Values, *, failed: bool) -> Values:
    given: Values = {}
    for name, value in told.items():
        if name == "error_message" and failed:
            continue  # it is the message of the status
        if name == "error_code" and failed:
            given[names.ERROR_TYPE] = value
        elif name in _BY_CONVENTION:
            given[_BY_CONVENTION[name]] = value
        elif name in {"span_kind", "span_key"} or name not in _FIELDS_OF_OTLP:
            given[names.name_of(name)] = value
    operation = _OPERATIONS.get(told.get("span_kind", ""))
    return {**given, names.OPERATION: operation} if operation else given


def _as_told(step: Values) -> Values:
    """A step without what was added up from its spans: they tell it themselves. A compacted one has only the sum."""
    marks = read_marks(step.get("stamps", ()))
    added = {name for name in FIGURES if name not in marks} if marks else set[str]()
    return {name: value for name, value in step.items() if name not in added}


def _beyond(one: Values, fields: frozenset[str]) -> Values:
    return {name: one[name] for name in fields if name in one and name not in _OF_SPAN}


def _says(one: Values, other: Values, fields: frozenset[str]) -> bool:
    """Whether a span says all that another record says. A failure without a code has the plainest one."""
    plainest = {"error_code": "error"} if one["status"] == "error" else Values()
    usual = {name: plainest.get(name) for name in fields}
    return all((one.get(name) or usual[name]) == (other.get(name) or usual[name]) for name in fields)


def _step_of(one: Values) -> Step:
    return one.get("module_key"), one.get("activation_seq")


def _begin(one: Values) -> str | None:
    return one.get("started_at") or one.get("waiting_since") or one.get("completed_at")


def _nanos(at: str | None) -> int:
    if at is None:
        return 0
    passed = clock.parse(at) - _EPOCH
    return ((passed.days * 86_400 + passed.seconds) * 1_000 + passed.microseconds // 1_000) * 1_000_000


def _digest(*parts: str) -> bytes:
    return hashlib.sha256("\0".join(parts).encode()).digest()
