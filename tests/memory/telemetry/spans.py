"""Spans for tests, as an SDK would send them."""

from collections.abc import Iterable, Mapping
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

from service.memory.telemetry.wire import attribute

TRACE = "0af7651916cd43dd8448eb211c80319c"
POLICY = {"tasklore.memory_mode": "standard", "tasklore.data_class": "internal", "tasklore.matters": ""}
BEGIN = 1_767_261_600_000_000_000
"""2026-01-01T10:00:00Z."""
SECOND = 1_000_000_000


def span_id(number: int) -> str:
    return f"{number:016x}"


def span(number: int, parent: int | None = None, name: str = "step", trace: str = TRACE, **more: Any) -> Span:
    """Attributes as keywords, with `__` for dots; `error`, `kind` and `open_` as they say."""
    given = {key.replace("__", "."): value for key, value in more.items() if "__" in key}
    made = Span(
        trace_id=bytes.fromhex(trace),
        span_id=bytes.fromhex(span_id(number)),
        parent_span_id=bytes.fromhex(span_id(parent)) if parent else b"",
        name=name,
        kind=more.get("kind", Span.SPAN_KIND_INTERNAL),
        start_time_unix_nano=BEGIN + number * SECOND,
        end_time_unix_nano=0 if more.get("open_") else BEGIN + (number + 10) * SECOND,
    )
    made.attributes.extend(attribute(key, value) for key, value in given.items())
    if "error" in more:
        made.status.CopyFrom(Status(code=Status.STATUS_CODE_ERROR, message=more["error"]))
    return made


def request(spans: Iterable[Span], resource: Mapping[str, Any] = POLICY) -> ExportTraceServiceRequest:
    made = ExportTraceServiceRequest()
    one = made.resource_spans.add()
    one.resource.attributes.extend(attribute(key, value) for key, value in resource.items())
    one.scope_spans.add().spans.extend(spans)
    return made


def agent_trace() -> list[Span]:
    """An agent that works in two modules, with a model, a tool, an error and something that is nobody's business."""
    step: dict[str, Any] = {"tasklore__module": "draft", "tasklore__activation_seq": 1}
    return [
        span(1, name="invoke_agent drafter", gen_ai__operation__name="invoke_agent", gen_ai__agent__name="drafter"),
        span(2, 1, "draft", tasklore__span_kind="module_activation", tasklore__cost_usd=0.5, **step),
        span(3, 2, "chat m", gen_ai__operation__name="chat", gen_ai__request__model="m", gen_ai__usage__input_tokens=7,
             gen_ai__usage__output_tokens=3, gen_ai__input__messages="SECRET-PROMPT",
             gen_ai__output__messages="SECRET-ANSWER", gen_ai__conversation__id="c1", **step),
        span(4, 3, "execute_tool find", gen_ai__operation__name="execute_tool", gen_ai__tool__name="find",
             gen_ai__tool__call__arguments="SECRET-ARGUMENTS", error="no such thing", error__type="LookupError",
             **step),
        span(5, 3, "middleware", foo__bar="SECRET-FOREIGN"),
        span(6, 5, "POST", kind=Span.SPAN_KIND_CLIENT, http__request__method="POST"),
    ]  # fmt: skip
