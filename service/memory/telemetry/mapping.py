"""One span of OpenTelemetry as report events: what it says by our attributes, then by OpenTelemetry's conventions."""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import orjson
from opentelemetry.proto.common.v1.common_pb2 import KeyValue
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

from graph_schema.memory.words import MappingStatus, NativeEventKind, SpanKind
from graph_schema.model.fields import KEY_LENGTH, NAME_LENGTH, TEXT_LENGTH
from service import clock
from service.memory.telemetry import attributes as names
from service.memory.telemetry.errors import SpanInvalid
from service.memory.telemetry.wire import plain

Values = dict[str, Any]
RECORDS = ("run", "activation", "span")
UNKNOWN_KIND = "span_kind_unknown"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_CALLING = (Span.SPAN_KIND_CLIENT, Span.SPAN_KIND_PRODUCER)
_RUN_ENDS = {"success": "run_completed", "error": "run_failed", "cancelled": "run_cancelled"}
_STEP_ENDS = {
    "success": "activation_completed",
    "error": "activation_failed",
    "cancelled": "activation_cancelled",
    "skipped": "activation_skipped",
    "waiting": "activation_waiting",
}


@dataclass(slots=True)
class Mapped:
    """The events of one span, and what of it is not in them."""

    events: list[Values]
    is_native: bool
    notes: list[str] = field(default_factory=list[str])
    """What was said under a name that is known here, and could not be kept."""
    left_out: Counter[str] = field(default_factory=Counter[str])
    """What has no place here, counted: foreign attributes, contents, span events, links."""

    @property
    def tells_policy(self) -> bool:
        return any("policy" in event for event in self.events)


def read_attributes(listed: Sequence[KeyValue]) -> Values:
    return {one.key: plain(one.value) for one in listed}


def mapped(resource: Mapping[str, Any], span: Span) -> Mapped:
    """`resource` are the attributes of the span's resource: ours among them are defaults for the span."""
    return _Mapping(resource, span).mapped()


class _Mapping:
    def __init__(self, resource: Mapping[str, Any], span: Span) -> None:
        self._span = span
        self._own = read_attributes(span.attributes)
        self._ours = {name: one for name, one in {**resource, **self._own}.items() if name.startswith(names.OURS)}
        self._trace = _id_of(span.trace_id, 16, "traceId")
        self._id = _id_of(span.span_id, 8, "spanId")
        self._parent = _parent_of(span)
        self._started = _time_of(span.start_time_unix_nano)
        self._completed = _time_of(span.end_time_unix_nano) if span.end_time_unix_nano else None
        self._is_natural = names.RUN not in self._ours and names.RUN_ID not in self._ours
        self._notes: list[str] = []
        self._exception = _exception_of(span)
        self._given = self._given_fields()
        self._status = self._status_of()

    def mapped(self) -> Mapped:
        record = self._ours.get(names.RECORD)
        if record is not None and record not in RECORDS:
            raise SpanInvalid(names.RECORD, f"must be one of {', '.join(RECORDS)}")
        kind = self._kind()
        values = self._values(kind)
        envelope = self._envelope()
        events: list[Values] = []
        if record == "run" or (record is None and self._is_run(kind)):
            events += self._run_events(envelope, values)
        if record == "activation" or (record is None and self._is_step(kind, values)):
            events += self._step_events(envelope, values)
        if record in {None, "span"}:
            events += self._span_events(envelope, values, kind)
        return Mapped(events, kind is None and record is None, self._notes, self._left_out())

    def _given_fields(self) -> Values:
        """What our own attributes say, by field. Reporting checks it like any other event."""
        given: Values = {}
        for name, value in self._ours.items():
            if name not in names.KNOWN:
                self._notes.append(f"the attribute {name[:100]} is not known")
                continue
            short = name.removeprefix(names.OURS)
            one = names.SHORT.get(short, short)
            given[one] = _split(value) if one in names.LISTS else value
        return given

    def _status_of(self) -> str:
        if names.STATUS in self._ours:
            return str(self._ours[names.STATUS])
        if self._span.status.code == Status.STATUS_CODE_ERROR:
            return "error"
        return "success" if self._completed else "running"

    def _kind(self) -> str | None:
        """What kind of operation it is; None when nothing says so. Then none is made up."""
        given = self._ours.get(names.SPAN_KIND)
        if given is not None:
            return str(given)
        is_whole = self._is_natural and self._parent is None and "module_key" not in self._given
        if is_whole and self._own.get(names.OPERATION) in names.WHOLE:
            return SpanKind.task_run
        return self._kind_by_conventions() or (SpanKind.task_run if is_whole else None)

    def _kind_by_conventions(self) -> str | None:
        own = self._own
        operation = own.get(names.OPERATION)
        if names.MCP in own:
            return SpanKind.mcp_call
        if isinstance(operation, str) and operation in names.OPERATIONS:
            return names.OPERATIONS[operation]
        if names.REQUEST_MODEL in own:
            return SpanKind.llm_call
        is_call = self._span.kind in _CALLING and any(name in own for name in names.CONNECTIONS)
        return SpanKind.connector_call if is_call else None

    def _is_run(self, kind: str | None) -> bool:
        """The first span of a trace that is a run by itself tells of the run, whatever its own kind is."""
        is_first = self._is_natural and self._parent is None and "module_key" not in self._given
        return kind == SpanKind.task_run or is_first

    def _is_step(self, kind: str | None, values: Values) -> bool:
        return kind == SpanKind.module_activation and "module_key" in values

    def _envelope(self) -> Values:
        ours, given = self._ours, self._given
        if names.RUN_ID in ours:
            run = {"id": ours[names.RUN_ID]}
        else:
            run = {"source": ours.get(names.SOURCE, names.DEFAULT_SOURCE), "key": ours.get(names.RUN, self._trace)}
        envelope: Values = {"run": run}
        policy = {name: value for name, value in given.items() if name in names.POLICY}
        if policy:
            envelope["policy"] = policy
        if "task_key" in given:
            envelope["task_key"] = given["task_key"]
        return envelope

    def _values(self, kind: str | None) -> Values:
        """Everything that any of its events may take."""
        told: Values = {
            "name": self._fitting("its name", self._span.name, NAME_LENGTH),
            "trace_id": self._trace,
            "span_key": self._id,
            "parent_span_key": None if self._ours.get(names.IMPLIED_PARENT) is True else self._parent,
            "span_kind": kind,
            "status": self._status,
            "started_at": self._started,
            "completed_at": self._completed,
            "tags": self._tags(),
            **self._conventions(),
            **(self._error() if self._status == "error" else {}),
        }
        known = {name: value for name, value in told.items() if value not in (None, [])}
        return {**known, **{name: one for name, one in self._given.items() if name != "tags"}}

    def _conventions(self) -> Values:
        found: Values = {}
        for one, spelt in names.CONVENTIONS.items():
            name = next((name for name in spelt if name in self._own), None)
            if name is not None:
                found[one] = self._count(name) if one.endswith("_tokens") else self._word(name)
        return found

    def _word(self, name: str) -> str | None:
        value = self._own[name]
        if not isinstance(value, str):
            self._notes.append(f"{name} is no text and was left out")
            return None
        return self._fitting(name, value, KEY_LENGTH)

    def _count(self, name: str) -> int | None:
        value = self._own[name]
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            self._notes.append(f"{name} is no count and was left out")
            return None
        return value

    def _error(self) -> Values:
        own, exception = self._own, self._exception
        code = own.get(names.ERROR_TYPE) or exception.get("exception.type")
        message = self._span.status.message or exception.get("exception.message")
        return {
            "error_code": self._fitting("the type of its error", code, KEY_LENGTH),
            "error_message": self._fitting("the message of its error", message, TEXT_LENGTH),
        }

    def _tags(self) -> list[Any]:
        derived = [f"{word}:{self._own[name]}" for name, word in names.TAGGED.items() if name in self._own]
        fitting = [self._fitting("a tag", one, NAME_LENGTH) for one in derived]
        given: Any = self._given.get("tags", [])
        listed = cast("list[Any]", given) if isinstance(given, list) else [given]
        return [*listed, *(one for one in fitting if one is not None and one not in listed)]

    def _fitting(self, what: str, text: Any, most: int) -> str | None:
        """A text of the conventions, if it has a length that is kept. It is never cut."""
        if not isinstance(text, str) or not text:
            return None
        if len(text) > most:
            self._notes.append(f"{what} has {len(text):,} characters, at most {most:,} are kept; it was left out")
            return None
        return text

    def _run_events(self, envelope: Values, values: Values) -> list[Values]:
        told = dict(values)
        if "cost_usd" in told:
            told.setdefault("total_cost_usd", told["cost_usd"])
        told.setdefault("failure_code", told.get("error_code", "error"))
        if "error_message" in told:
            told.setdefault("failure_summary", told["error_message"])
        return self._begun_and_ended("run_started", _RUN_ENDS.get(self._status), envelope, told)

    def _step_events(self, envelope: Values, values: Values) -> list[Values]:
        told = {"error_code": "error", **values}
        return self._begun_and_ended("activation_started", _STEP_ENDS.get(self._status), envelope, told)

    def _begun_and_ended(self, begin: str, end: str | None, envelope: Values, values: Values) -> list[Values]:
        events = [self._event(begin, self._started, envelope, values)] if self._status != "skipped" else []
        if end is not None:
            events.append(self._event(end, self._completed or self._started, envelope, values))
        return events

    def _span_events(self, envelope: Values, values: Values, kind: str | None) -> list[Values]:
        """The span itself. One of no known kind stands in the trace too, and the runtime's own word is kept with it."""
        at = self._completed or self._started
        events = [self._event("native_event", at, envelope, self._native(values))] if kind is None else []
        prompt = self._prompt()
        if prompt is not None:
            key = f"prompt-{self._id}"
            listed: Any = values.get("snapshot_keys", [])
            values = {**values, "snapshot_keys": [*listed, key]}
            events.append(self._snapshot(key, prompt, envelope, values))
        return [*events, self._event("span", at, envelope, values)]

    def _snapshot(self, key: str, prompt: str, envelope: Values, values: Values) -> Values:
        about = {name: values[name] for name in ("model_ref", "agent_ref", *names.STEP) if name in values}
        return {
            **self._head("snapshot", self._started, envelope),
            "snapshot_key": key,
            "snapshot_kind": "prompt",
            "prompt_hash": prompt,
            "redaction_mode": "hash_only",
            **about,
        }

    def _native(self, values: Values) -> Values:
        return {
            "native_key": f"{self._trace}/{self._id}",
            "native_event_kind": NativeEventKind.runtime_diagnostic.value,
            "native_event_ref": f"otel:{self._trace}/{self._id}",
            "mapping_status": MappingStatus.degraded.value,
            "degraded_reason_codes": [UNKNOWN_KIND],
            **values,
        }

    def _prompt(self) -> str | None:
        """The hash of what the model was told. The text itself goes no further than this."""
        told = sorted((name, value) for name, value in self._own.items() if names.is_prompt(name))
        if not told:
            return None
        return hashlib.sha256(orjson.dumps(told, default=bytes.hex, option=orjson.OPT_SORT_KEYS)).hexdigest()

    def _event(self, kind: str, at: str, envelope: Values, values: Values) -> Values:
        taken = {name: value for name, value in values.items() if name in names.FIELDS[kind]}
        return {**self._head(kind, at, envelope), **taken}

    def _head(self, kind: str, at: str, envelope: Values) -> Values:
        return {
            "event_id": f"otel-{self._trace}-{self._id}-{kind}",
            "kind": kind,
            "occurred_at": at,
            **envelope,
        }

    def _left_out(self) -> Counter[str]:
        counted: Counter[str] = Counter()
        for name in self._own:
            if names.is_content(name):
                counted["content"] += 1
            elif name not in names.USED and not name.startswith(names.OURS):
                counted["attribute"] += 1
        used = 1 if self._exception and self._status == "error" else 0
        counted["event"] = len(self._span.events) - used
        counted["link"] = len(self._span.links)
        return +counted


def _exception_of(span: Span) -> Values:
    return next((read_attributes(one.attributes) for one in span.events if one.name == "exception"), Values())


def _split(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    return [one.strip() for one in value.split(",") if one.strip()]


def _id_of(raw: bytes, length: int, what: str) -> str:
    if len(raw) != length or not any(raw):
        raise SpanInvalid(what, f"must be {length} bytes that are not all zero")
    return raw.hex()


def _parent_of(span: Span) -> str | None:
    raw = span.parent_span_id
    return _id_of(raw, 8, "parentSpanId") if any(raw) else None


def _time_of(nanos: int) -> str:
    if not nanos:
        raise SpanInvalid("startTimeUnixNano", "must be there")
    return clock.stamp(_EPOCH + timedelta(milliseconds=nanos // 1_000_000))
