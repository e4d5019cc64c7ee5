"""One span as events, without a database."""

from typing import Any

import pytest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from graph_schema.memory.words import SpanKind
from service.memory.reporting.events import understood
from service.memory.telemetry.attributes import OPERATIONS
from service.memory.telemetry.errors import SpanInvalid
from service.memory.telemetry.mapping import Mapped, mapped
from tests.memory.telemetry.spans import POLICY, TRACE, span, span_id

LATEST = "2099-01-01T00:00:00.000Z"
RUN = {"tasklore.run": "r1"}


def _by_kind(found: Mapped) -> dict[str, dict[str, Any]]:
    for place, event in enumerate(found.events):
        understood(place, event, LATEST)
    return {event["kind"]: event for event in found.events}


@pytest.mark.parametrize("kind", list(SpanKind))
def test_every_kind_of_span_maps(kind: SpanKind) -> None:
    found = mapped({**POLICY, **RUN}, span(1, 2, tasklore__span_kind=kind.value))
    assert _by_kind(found)["span"]["span_kind"] == kind
    assert not found.is_native
    assert not found.notes


@pytest.mark.parametrize(("operation", "kind"), OPERATIONS.items())
def test_operations_of_the_conventions_map(operation: str, kind: SpanKind) -> None:
    found = mapped(RUN, span(1, 2, gen_ai__operation__name=operation))
    assert _by_kind(found)["span"]["span_kind"] == kind


def test_other_conventions_map() -> None:
    client = Span.SPAN_KIND_CLIENT
    tool = span(1, 2, mcp__method__name="tools/call", gen_ai__operation__name="execute_tool")
    assert _by_kind(mapped(RUN, tool))["span"]["span_kind"] == "mcp_call"
    query = span(1, 2, kind=client, db__system__name="postgresql")
    assert _by_kind(mapped(RUN, query))["span"]["span_kind"] == "connector_call"
    served = mapped(RUN, span(1, 2, kind=Span.SPAN_KIND_SERVER, http__request__method="GET"))
    assert served.is_native
    own = span(1, 2, gen_ai__operation__name="rerank", gen_ai__request__model="m")
    assert _by_kind(mapped(RUN, own))["span"]["span_kind"] == "llm_call"


def test_the_first_span_of_a_trace_is_its_run() -> None:
    events = _by_kind(mapped(POLICY, span(1, name="invoke_agent x", gen_ai__operation__name="invoke_agent")))
    assert list(events) == ["run_started", "run_completed", "span"]
    assert events["run_started"]["run"] == {"source": "otel", "key": TRACE}
    assert events["run_started"]["policy"] == {"memory_mode": "standard", "data_class": "internal", "matter_ids": []}
    assert (events["run_started"]["started_at"], events["run_completed"]["completed_at"]) == (
        "2026-01-01T10:00:01.000Z",
        "2026-01-01T10:00:11.000Z",
    )
    assert events["span"]["span_kind"] == "task_run"


def test_an_agent_in_a_run_that_has_a_name_is_not_the_run() -> None:
    events = _by_kind(mapped(RUN, span(1, gen_ai__operation__name="invoke_agent")))
    assert list(events) == ["span"]
    assert events["span"]["span_kind"] == "subagent_spawn"


def test_a_failed_run_says_why() -> None:
    events = _by_kind(mapped(RUN, span(1, tasklore__span_kind="task_run", error="Out of paper", error__type="NoPaper")))
    assert (events["run_failed"]["failure_code"], events["run_failed"]["failure_summary"]) == (
        "NoPaper",
        "Out of paper",
    )


@pytest.mark.parametrize(
    ("status", "kinds"),
    [
        ("success", ["activation_started", "activation_completed", "span"]),
        ("error", ["activation_started", "activation_failed", "span"]),
        ("cancelled", ["activation_started", "activation_cancelled", "span"]),
        ("waiting", ["activation_started", "activation_waiting", "span"]),
        ("skipped", ["activation_skipped", "span"]),
        ("running", ["activation_started", "span"]),
    ],
)
def test_an_activation_ends_as_its_span_does(status: str, kinds: list[str]) -> None:
    step: dict[str, Any] = {"tasklore__module": "m", "tasklore__activation_seq": 2, "tasklore__preset": "strict"}
    found = mapped(RUN, span(1, 2, tasklore__span_kind="module_activation", tasklore__status=status, **step))
    events = _by_kind(found)
    assert list(events) == kinds
    assert all((one["module_key"], one["activation_seq"]) == ("m", 2) for one in events.values())
    assert all(one["preset_key"] == "strict" for kind, one in events.items() if kind != "span")


def test_what_nothing_says_the_kind_of_stands_in_the_trace_without_one() -> None:
    found = mapped(RUN, span(3, 2, "middleware", foo__bar=1))
    events = _by_kind(found)
    assert found.is_native
    assert "span_kind" not in events["span"]
    assert (events["span"]["span_key"], events["span"]["parent_span_key"]) == (span_id(3), span_id(2))
    assert events["native_event"]["span_key"] == span_id(3)
    assert events["native_event"]["mapping_status"] == "degraded"
    assert events["native_event"]["degraded_reason_codes"] == ["span_kind_unknown"]
    assert events["native_event"]["native_event_ref"] == f"otel:{TRACE}/{span_id(3)}"
    assert found.left_out == {"attribute": 1}


def test_contents_become_a_hash_and_nothing_else() -> None:
    told = {"gen_ai__input__messages": "SECRET", "gen_ai__prompt__0__content": "SECRET", "output__value": "SECRET"}
    found = mapped(RUN, span(1, 2, gen_ai__operation__name="chat", **told))
    events = _by_kind(found)
    assert "SECRET" not in repr(found.events)
    assert events["snapshot"]["redaction_mode"] == "hash_only"
    assert len(events["snapshot"]["prompt_hash"]) == 64
    assert events["span"]["snapshot_keys"] == [events["snapshot"]["snapshot_key"]]
    assert found.left_out == {"content": 3}


def test_what_is_too_long_or_of_another_type_is_left_out_and_told() -> None:
    wrong = span(1, 2, "n" * 201, gen_ai__request__model=5, gen_ai__usage__input_tokens=-1, error="e" * 2001)
    found = mapped(RUN, wrong)
    assert {"name", "model_ref", "input_tokens", "error_message"}.isdisjoint(_by_kind(found)["span"])
    assert len(found.notes) == 4
    assert mapped(RUN, span(1, 2, tasklore__spankind="llm_call")).notes == [
        "the attribute tasklore.spankind is not known"
    ]


def test_an_exception_says_what_went_wrong() -> None:
    failed = span(1, 2, gen_ai__operation__name="chat", error="")
    event = failed.events.add(name="exception")
    event.attributes.add(key="exception.type").value.string_value = "TimeoutError"
    event.attributes.add(key="exception.message").value.string_value = "too late"
    told = _by_kind(mapped(RUN, failed))["span"]
    assert (told["error_code"], told["error_message"]) == ("TimeoutError", "too late")


@pytest.mark.parametrize(
    ("field", "value"),
    [("trace_id", b"\x01"), ("span_id", bytes(8)), ("parent_span_id", b"\x01"), ("start_time_unix_nano", 0)],
)
def test_a_span_that_cannot_be_is_refused(field: str, value: Any) -> None:
    bad = span(1, 2)
    setattr(bad, field, value)
    with pytest.raises(SpanInvalid):
        mapped(RUN, bad)


def test_attributes_of_the_resource_are_defaults() -> None:
    resource = {**POLICY, "tasklore.run": "r", "tasklore.source": "s", "tasklore.task": "t", "tasklore.tags": "a, b"}
    event = _by_kind(mapped(resource, span(1, 2, gen_ai__operation__name="chat", tasklore__task="other")))["span"]
    assert event["run"] == {"source": "s", "key": "r"}
    assert (event["task_key"], event["tags"]) == ("other", ["a", "b"])
