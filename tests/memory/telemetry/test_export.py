"""A run as a trace, and back."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from graph_schema.memory.words import SpanKind, StepStatus
from graph_schema.model.fields import DataClass
from service.access.viewer import KeyScope
from service.commands.errors import NotAllowed
from service.memory.telemetry.errors import RunNotExported, RunNotFound
from service.memory.telemetry.wire import JSON, read_traces, written
from tests.conftest import empty
from tests.laws import law
from tests.memory.stories import POLICY as STORY_POLICY
from tests.memory.stories import Story, at, step, whole_run
from tests.memory.telemetry.conftest import Traces
from tests.memory.telemetry.spans import POLICY, TRACE, agent_trace, span_id


def _spans(exported: ExportTraceServiceRequest) -> dict[str, Span]:
    return {one.name: one for one in exported.resource_spans[0].scope_spans[0].spans}


def _attributes(one: Any) -> dict[str, Any]:
    return {each.key: each.value for each in one.attributes}


async def _moved(traces: Traces, exported: ExportTraceServiceRequest) -> None:
    """The trace in an empty graph, as a run of another name."""
    for each in exported.resource_spans[0].resource.attributes:
        if each.key == "tasklore.run":
            each.value.string_value = "elsewhere"
    await empty(traces.executor.database)
    taken = await traces.pass_on(read_traces(written(exported, JSON), JSON))
    assert taken.message() == ""


async def test_a_trace_comes_back_as_it_went_in(traces: Traces) -> None:
    await traces.send(agent_trace())
    exported = await traces.of_run(await traces.run_id())
    found = _spans(exported)
    sent = {one.name: one for one in agent_trace()}
    assert {*found} == {*sent}
    for name, one in sent.items():
        out = found[name]
        assert (out.trace_id, out.span_id, out.parent_span_id) == (one.trace_id, one.span_id, one.parent_span_id)
        assert (out.start_time_unix_nano, out.end_time_unix_nano) == (one.start_time_unix_nano, one.end_time_unix_nano)
    assert _attributes(found["chat m"])["gen_ai.request.model"].string_value == "m"
    failed = found["execute_tool find"]
    assert (failed.status.code, failed.status.message) == (2, "no such thing")


async def test_a_trace_round_trips(traces: Traces) -> None:
    await traces.send(agent_trace())
    before, exported = await traces.tree(), await traces.of_run(await traces.run_id())
    await _moved(traces, exported)
    assert await traces.tree() == before
    run = await traces.executor.one("Run")
    assert (run["source"], run["source_key"], run["status"]) == ("otel", "elsewhere", "completed")


async def test_a_run_that_was_told_by_events_becomes_a_trace_and_back(traces: Traces) -> None:
    await traces.executor.report(whole_run(policy={**STORY_POLICY, "retention_class": "high_value"}))
    before, exported = await traces.tree(), await traces.of_run(await traces.run_id())
    found = _spans(exported)
    root = next(one for one in found.values() if not one.parent_span_id)
    assert _attributes(root)["tasklore.record"].string_value == "run"
    assert found["draft #2"].parent_span_id == root.span_id
    assert _attributes(found["draft #2"])["tasklore.loop_iteration"].int_value == 2
    assert _attributes(found["Source intake"])["tasklore.preset"].string_value == "preset-reader"
    await _moved(traces, exported)
    assert _shape(await traces.tree()) == _shape(before)
    named = await traces.executor.one("Activation", module_key="intake")
    assert (named["name"], named["cost_usd"]) == ("Source intake", 0.1)
    run = await traces.executor.one("Run")
    assert (run["status"], run["task_key"], run["retention_class"]) == ("completed", "draft-complaint", "high_value")
    failed = await traces.executor.one("Activation", module_key="extra")
    assert (failed["status"], failed["error_code"], failed["cost_usd"]) == ("error", "timeout", 0.01)
    skipped = await traces.executor.one("Activation", module_key="never")
    assert (skipped["status"], skipped["skip_reason"]) == ("skipped", "Not needed")


_SPANS = st.lists(
    st.fixed_dictionaries(
        {
            "span_key": st.sampled_from(["a", "b", "c d", span_id(7), "0" * 16]),
            "parent_span_key": st.none() | st.sampled_from(["a", "b", "unknown", span_id(7)]),
            "span_kind": st.sampled_from(list(SpanKind)),
            "status": st.sampled_from(list(StepStatus)),
            "in_step": st.booleans(),
            "trace_id": st.none() | st.sampled_from([TRACE, "free words"]),
            "error_code": st.none() | st.just("E"),
            "tags": st.lists(st.sampled_from(["x", "y, z"]), max_size=2, unique=True),
        }
    ).filter(lambda one: one["span_key"] != one["parent_span_key"]),
    max_size=5,
    unique_by=lambda one: str(one["span_key"]),
)


def _told(spans: list[dict[str, Any]]) -> Story:
    story = Story().tell("run_started").tell("activation_completed", started_at=at(0), **step("m"))
    for one in spans:
        values = {name: value for name, value in one.items() if value and name != "in_step"}
        ended = one["status"] in {"success", "error", "cancelled", "skipped"}
        times = {"started_at": at(1), **({"completed_at": at(2)} if ended else {})}
        story.tell("span", **values, **times, **(step("m") if one["in_step"] else {}))
    return story


@law(4)
@given(spans=_SPANS)
async def test_any_tree_of_spans_round_trips(traces: Traces, spans: list[dict[str, Any]]) -> None:
    await empty(traces.executor.database)
    assert {*await traces.executor.told(_told(spans).events)} == {"accepted"}
    before, exported = await traces.tree(), await traces.of_run(await traces.run_id())
    ids = [one.span_id for one in exported.resource_spans[0].scope_spans[0].spans]
    assert len({*ids}) == len(ids)
    await _moved(traces, exported)
    assert _shape(await traces.tree()) == _shape(before)


def _shape(tree: list[Any]) -> list[Any]:
    """Without what a trace cannot leave open: a span that was of no trace, or had an end but no beginning."""
    unsaid = {"trace_id": None, "started_at": None, "duration_ms": None, "version": None}
    return [{**row, "span": {**row["span"], **unsaid}} for row in tree]


async def test_a_hidden_run_is_a_missing_run(traces: Traces) -> None:
    await traces.send(agent_trace(), {**POLICY, "tasklore.data_class": "privileged"})
    run = await traces.run_id()
    for asked in (run, "run_missing", "nonsense"):
        with pytest.raises(RunNotFound) as refused:
            await traces.of_run(asked, clearance=DataClass.internal)
        assert refused.value.message == f"There is no run {asked} that you can see."
    assert _spans(await traces.of_run(run))


async def test_hidden_spans_are_not_there(traces: Traces) -> None:
    await traces.send(agent_trace())
    run = await traces.run_id()
    await traces.executor.database.run_alone(
        "MATCH (s:Span {span_key: $key}) SET s.data_class = 'privileged', s.audience = 'privileged|secret'",
        key=span_id(3),
    )
    found = _spans(await traces.of_run(run, clearance=DataClass.internal))
    assert "chat m" not in found
    assert span_id(3) not in repr(found)
    tool = found["execute_tool find"]
    assert tool.parent_span_id.hex() == span_id(2)
    assert _attributes(tool)["tasklore.implied_parent"].bool_value


async def test_what_is_local_stays_here(traces: Traces) -> None:
    await traces.send(agent_trace(), {**POLICY, "tasklore.data_class": "local_only"})
    with pytest.raises(RunNotExported):
        await traces.of_run(await traces.run_id())
    await empty(traces.executor.database)
    await traces.send(agent_trace(), {**POLICY, "tasklore.capture_outputs": "full_local_only"})
    exported = await traces.of_run(await traces.run_id())
    assert {*_spans(exported)} == {"invoke_agent drafter", "draft"}


async def test_reading_needs_its_scope(traces: Traces) -> None:
    await traces.send(agent_trace())
    with pytest.raises(NotAllowed):
        await traces.of_run(await traces.run_id(), scopes=[KeyScope.report])
