"""OpenTelemetry against the served process: the real SDK and its exporter, and requests as others would send them."""

import asyncio
import gzip
from dataclasses import replace
from typing import Any

import httpx
import pytest
from google.rpc.status_pb2 import Status
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Tracer

from service.access.viewer import OPERATOR
from service.principals.owner import operator_commands
from tests.api.conftest import Api, Caller

TRACES = "/v1/traces"
PROTOBUF = "application/x-protobuf"
POLICY = {"tasklore.memory_mode": "standard", "tasklore.data_class": "internal", "tasklore.matters": ""}
RUN = """query ($key: String!) { runs(first: 2, filter: {source: {eq: $key}}) { nodes {
  id status name activated(first: 5) { nodes { moduleKey status } }
  hasSpan(first: 9) { nodes { name spanKind modelRef inputTokens status
    childOf(first: 2) { nodes { name } } in(first: 2) { nodes { name } } } }
} } }"""


def _provider(api: Api, key: str, resource: dict[str, Any], **how: Any) -> TracerProvider:
    provider = TracerProvider(resource=Resource.create({"service.name": "test", **resource}))
    headers = {"Authorization": f"Bearer {api.keys[key]}"}
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(api.service.url + TRACES, headers=headers, **how)))
    return provider


def _work(tracer: Tracer) -> None:
    """What an agent does, told by the conventions."""
    step = {"tasklore.module": "draft", "tasklore.activation_seq": 1}
    with (
        tracer.start_as_current_span("invoke_agent a", attributes={"tasklore.span_kind": "task_run"}),
        tracer.start_as_current_span("draft", attributes={"tasklore.span_kind": "module_activation", **step}),
    ):
        asked: dict[str, Any] = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m1", **step}
        with tracer.start_as_current_span("chat m1", attributes=asked) as call:
            call.set_attribute("gen_ai.usage.input_tokens", 12)
        with (
            pytest.raises(LookupError),
            tracer.start_as_current_span("execute_tool find", attributes={"gen_ai.operation.name": "execute_tool"}),
        ):
            raise LookupError("no such thing")


@pytest.mark.parametrize("how", [{}, {"compression": Compression.Gzip}], ids=["plain", "gzip"])
async def test_the_sdk_reports_a_run(api: Api, admin: Caller, how: dict[str, Any]) -> None:
    run = f"sdk-{len(how)}"
    provider = _provider(api, "executor", {**POLICY, "tasklore.run": run, "tasklore.source": run}, **how)
    _work(provider.get_tracer("test"))
    await asyncio.to_thread(provider.shutdown)
    [found] = (await admin.ask(RUN, key=run))["runs"]["nodes"]
    assert (found["status"], found["name"]) == ("completed", "invoke_agent a")
    assert found["activated"]["nodes"] == [{"moduleKey": "draft", "status": "success"}]
    spans = {one["name"]: one for one in found["hasSpan"]["nodes"]}
    chat, tool = spans["chat m1"], spans["execute_tool find"]
    assert (chat["spanKind"], chat["modelRef"], chat["inputTokens"]) == ("llm_call", "m1", 12)
    assert (chat["childOf"]["nodes"], chat["in"]["nodes"]) == ([{"name": "draft"}], [{"name": "draft"}])
    assert (tool["spanKind"], tool["status"]) == ("tool_call", "error")


async def test_the_sdk_needs_no_attribute_of_ours_when_the_key_has_defaults(api: Api, admin: Caller) -> None:
    commands = operator_commands(api.database)
    told: dict[str, Any] = {
        "default_memory_mode": "standard",
        "default_data_class": "internal",
        "default_matter_ids": [],
    }
    key = {"principal": "executor", "name": "traces", "scopes": ["report"], "default_source": "crew", **told}
    created = await commands.create_key(OPERATOR, key)
    plain = replace(api, keys={**api.keys, "traces": created.text or ""})
    provider = _provider(plain, "traces", {})
    with provider.get_tracer("test").start_as_current_span("answer"):
        pass
    await asyncio.to_thread(provider.shutdown)
    [found] = (await admin.ask(RUN, key="crew"))["runs"]["nodes"]
    assert (found["status"], found["name"]) == ("completed", "answer")


async def test_spans_that_say_nothing_are_told_what_to_do(admin: Caller) -> None:
    bare = _json("bare-1")
    bare["resourceSpans"][0]["resource"] = {}
    bare["resourceSpans"][0]["scopeSpans"][0]["spans"][0]["traceId"] = (
        "0AF7651916CD43DD8448EB211C80319C"  # not known yet
    )
    told = (await admin.client.post(TRACES, json=bare)).json()["partialSuccess"]
    assert told["rejectedSpans"] == "1"
    for named in ("run_unknown", "tasklore key create --memory-mode", "tasklore.memory_mode"):
        assert named in told["errorMessage"]


def _json(run: str, **more: str) -> dict[str, Any]:
    attributes = [{"key": key, "value": {"stringValue": value}} for key, value in {**POLICY, **more}.items()]
    span = {
        "traceId": "5B8EFFF798038103D269B633813FC60C",
        "spanId": "EEE19B7EC3C1B174",
        "name": "chat",
        "kind": 3,
        "startTimeUnixNano": "1767261600000000000",
        "endTimeUnixNano": 1767261601000000000,
        "attributes": [{"key": "gen_ai.operation.name", "value": {"stringValue": "chat"}}],
    }
    named = [{"key": key, "value": {"stringValue": run}} for key in ("tasklore.run", "tasklore.source")]
    return {"resourceSpans": [{"resource": {"attributes": attributes + named}, "scopeSpans": [{"spans": [span]}]}]}


async def test_json_is_answered_with_json(admin: Caller) -> None:
    for _ in range(2):
        answer = await admin.client.post(TRACES, json=_json("json-1"))
        assert (answer.status_code, answer.headers["content-type"], answer.json()) == (200, "application/json", {})
    [found] = (await admin.ask(RUN, key="json-1"))["runs"]["nodes"]
    assert [one["spanKind"] for one in found["hasSpan"]["nodes"]] == ["llm_call"]


async def test_protobuf_is_answered_with_protobuf(admin: Caller) -> None:
    empty = ExportTraceServiceRequest().SerializeToString()
    for body, more in ((empty, {}), (gzip.compress(empty), {"content-encoding": "gzip"})):
        answer = await admin.client.post(TRACES, content=body, headers={"content-type": PROTOBUF, **more})
        assert (answer.status_code, answer.headers["content-type"]) == (200, PROTOBUF)
        assert ExportTraceServiceResponse.FromString(answer.content) == ExportTraceServiceResponse()


async def test_what_is_rejected_is_counted_and_said(api: Api, outsider: Caller, admin: Caller) -> None:
    theirs = _json("theirs-1", **{"tasklore.matters": api.matters["Marex"]})
    answer = await outsider.client.post(TRACES, json=theirs)
    assert answer.status_code == 200
    told = answer.json()["partialSuccess"]
    assert told["rejectedSpans"] == "1"
    assert "1 of 1 spans were rejected: 1 matter_not_allowed" in told["errorMessage"]
    assert (await admin.ask(RUN, key="theirs-1"))["runs"]["nodes"] == []
    shown = (await admin.client.get("/metrics")).text
    assert 'tasklore_otlp_spans_total{outcome="rejected"}' in shown
    assert "matter_not_allowed" in api.service.log()


async def test_a_slip_of_the_pen_is_said_and_rejects_nothing(admin: Caller) -> None:
    answer = await admin.client.post(TRACES, json=_json("typo-1", **{"tasklore.modul": "x"}))
    assert answer.json() == {"partialSuccess": {"errorMessage": "the attribute tasklore.modul is not known"}}


@pytest.mark.parametrize(
    ("body", "headers", "status", "code"),
    [
        (b"{nonsense", {"content-type": "application/json"}, 400, "invalid_traces"),
        (b"[]", {"content-type": "application/json"}, 400, "invalid_traces"),
        (b'{"resourceSpans": 5}', {"content-type": "application/json"}, 400, "invalid_traces"),
        (b"\xff\xff", {"content-type": PROTOBUF}, 400, "invalid_traces"),
        (b"x", {"content-type": PROTOBUF, "content-encoding": "gzip"}, 400, "invalid_traces"),
        (b"x", {"content-type": PROTOBUF, "content-encoding": "br"}, 415, "unsupported_content_encoding"),
        (b"x", {"content-type": "text/plain"}, 415, "unsupported_content_type"),
        (b"x", {}, 415, "unsupported_content_type"),
        (
            gzip.compress(bytes(17_000_000)),
            {"content-type": PROTOBUF, "content-encoding": "gzip"},
            413,
            "body_too_large",
        ),
    ],
)
async def test_bad_requests_have_a_status_message(
    admin: Caller, body: bytes, headers: dict[str, str], status: int, code: str
) -> None:
    answer = await admin.client.post(TRACES, content=body, headers=headers)
    assert answer.status_code == status
    told = Status.FromString(answer.content).message if PROTOBUF in answer.headers["content-type"] else answer.text
    assert code in told


async def test_too_large_a_body_is_refused_before_it_is_read(admin: Caller) -> None:
    answer = await admin.client.post(TRACES, content=bytes(16_000_001), headers={"content-type": PROTOBUF})
    assert answer.status_code == 413


async def test_a_key_is_needed_and_its_scope(api: Api, nobody: Caller) -> None:
    assert (await nobody.client.post(TRACES, json=_json("x"))).status_code == 401
    reader, executor = api.caller("reader"), api.caller("executor")
    async with reader.client, executor.client:
        refused = await reader.client.post(TRACES, json=_json("x"))
        assert (refused.status_code, "not_allowed" in refused.json()["message"]) == (403, True)
        assert (await executor.client.get("/v1/runs/run_x/traces")).status_code == 403
    assert (await nobody.client.get("/v1/runs/run_x/traces")).status_code == 401


@pytest.fixture
async def exported(api: Api, admin: Caller) -> str:
    await admin.client.post(TRACES, json=_json("given-1"))
    return (await admin.ask(RUN, key="given-1"))["runs"]["nodes"][0]["id"]


async def test_a_run_is_given_as_otlp(admin: Caller, exported: str) -> None:
    path = f"/v1/runs/{exported}/traces"
    shown: httpx.Response = await admin.client.get(path, headers={"accept": "application/json"})
    [span] = shown.json()["resourceSpans"][0]["scopeSpans"][0]["spans"]
    assert (span["traceId"], span["spanId"]) == ("5b8efff798038103d269b633813fc60c", "eee19b7ec3c1b174")
    packed = await admin.client.get(path, headers={"accept": PROTOBUF})
    assert packed.headers["content-type"] == PROTOBUF
    [again] = ExportTraceServiceRequest.FromString(packed.content).resource_spans[0].scope_spans[0].spans
    assert again.span_id.hex() == span["spanId"]
