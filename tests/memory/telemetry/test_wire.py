"""OTLP as bytes: both encodings, compressed or not, whole or broken."""

import gzip

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.access.errors import BodyTooLarge
from service.errors import TaskloreError
from service.memory.reporting.door import BodyUnreadable, ContentEncodingUnsupported, unpacked
from service.memory.telemetry.errors import ContentTypeUnsupported, TracesUnreadable
from service.memory.telemetry.wire import JSON, PROTOBUF, media_type, read_traces, written
from tests.laws import law
from tests.memory.telemetry.spans import TRACE, agent_trace, request, span_id


@pytest.mark.parametrize("kind", [JSON, PROTOBUF])
def test_what_is_written_can_be_read(kind: str) -> None:
    sent = request(agent_trace())
    assert read_traces(written(sent, kind), kind) == sent


def test_ids_are_hexadecimal_in_json_and_names_in_camel_case() -> None:
    shown = orjson.loads(written(request(agent_trace()), JSON))
    first, second, *_ = shown["resourceSpans"][0]["scopeSpans"][0]["spans"]
    assert (first["traceId"], first["spanId"]) == (TRACE, span_id(1))
    assert second["parentSpanId"] == span_id(1)
    assert first["kind"] == 1


def test_upper_case_ids_and_unknown_fields_are_fine() -> None:
    span = {"traceId": TRACE.upper(), "spanId": span_id(10).upper(), "name": "x", "surprise": {"a": 1}}
    body = orjson.dumps({"resourceSpans": [{"scopeSpans": [{"spans": [span]}], "later": 1}]})
    read = read_traces(body, JSON).resource_spans[0].scope_spans[0].spans[0]
    assert read.trace_id.hex() == TRACE


def test_compressed_bodies() -> None:
    assert unpacked(gzip.compress(b"abc"), "gzip", 10) == b"abc"
    assert unpacked(b"abc", "", 10) == b"abc"
    with pytest.raises(BodyTooLarge):
        unpacked(gzip.compress(bytes(10_000_000)), "gzip", 1_000)
    for broken in (b"abc", gzip.compress(b"abc")[:-4], gzip.compress(b"abc") + b"more"):
        with pytest.raises(BodyUnreadable):
            unpacked(broken, "gzip", 1_000)
    with pytest.raises(ContentEncodingUnsupported):
        unpacked(b"abc", "br", 10)


def test_content_types() -> None:
    assert media_type("application/json; charset=utf-8") == JSON
    for other in ("", "text/plain", "application/x-ndjson"):
        with pytest.raises(ContentTypeUnsupported):
            media_type(other)


_NAMES = [
    *("resourceSpans", "scopeSpans", "spans", "resource", "attributes", "key", "value", "links", "traceId", "kind"),
    *("status", "startTimeUnixNano", "arrayValue", "values", "kvlistValue", "stringValue", "intValue"),
]
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(_NAMES), inner, max_size=4),
    max_leaves=12,
)


@law(40)
@given(body=_JSON)
def test_whatever_json_is_sent_is_read_or_refused(body: object) -> None:
    try:
        read_traces(orjson.dumps(body), JSON)
    except TaskloreError:
        return


@law(40)
@given(body=st.binary(max_size=60))
def test_whatever_bytes_are_sent_are_read_or_refused(body: bytes) -> None:
    for kind in (JSON, PROTOBUF):
        try:
            read_traces(body, kind)
        except TaskloreError:
            continue


def test_nesting_without_end_is_refused() -> None:
    deep = b'{"arrayValue":{"values":[' * 3000 + b"]}}" * 3000
    head = b'{"resourceSpans":[{"resource":{"attributes":[{"key":"a","value":'
    with pytest.raises(TracesUnreadable):
        read_traces(head + deep + b"}]}}]}", JSON)
