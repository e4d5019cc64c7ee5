"""OTLP as it is sent: protobuf, and the JSON in which ids are hexadecimal."""

import base64
from collections.abc import Callable, Iterator
from typing import Any, cast

import orjson
from google.protobuf import json_format
from google.protobuf.message import DecodeError, Message
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue

from service.memory.telemetry.errors import ContentTypeUnsupported, TracesUnreadable

PROTOBUF = "application/x-protobuf"
JSON = "application/json"
_IDS = ("traceId", "spanId", "parentSpanId")


def media_type(header: str) -> str:
    """The one of the two content types that a header names."""
    named = header.partition(";")[0].strip().lower()
    if named not in {PROTOBUF, JSON}:
        raise ContentTypeUnsupported(named)
    return named


def read_traces(body: bytes, kind: str) -> ExportTraceServiceRequest:
    return _from_json(body) if kind == JSON else _from_protobuf(body)


def written(message: Message, kind: str) -> bytes:
    if kind == PROTOBUF:
        return message.SerializeToString()
    shown = json_format.MessageToDict(message, use_integers_for_enums=True)
    _turn_ids(shown, _hex_of)
    return orjson.dumps(shown)


def plain(value: AnyValue) -> Any:
    """A value of an attribute. What has no kind, or one that is not known here, is None."""
    kind = value.WhichOneof("value")
    if kind == "array_value":
        return [plain(one) for one in value.array_value.values]
    if kind == "kvlist_value":
        return {one.key: plain(one.value) for one in value.kvlist_value.values}
    return getattr(value, kind) if kind in _SCALARS else None


_SCALARS = frozenset({"string_value", "bool_value", "int_value", "double_value", "bytes_value"})


def attribute(key: str, value: Any) -> KeyValue:
    return KeyValue(key=key, value=_any_value(value))


def _any_value(value: Any) -> AnyValue:
    if isinstance(value, bool):
        return AnyValue(bool_value=value)
    if isinstance(value, int):
        return AnyValue(int_value=value)
    if isinstance(value, float):
        return AnyValue(double_value=value)
    if isinstance(value, list):
        listed = AnyValue()
        listed.array_value.values.extend(_any_value(one) for one in cast("list[Any]", value))
        return listed
    return AnyValue(string_value=str(value))


def _from_protobuf(body: bytes) -> ExportTraceServiceRequest:
    try:
        return ExportTraceServiceRequest.FromString(body)
    except DecodeError as error:
        raise TracesUnreadable("it cannot be read as protobuf") from error


def _from_json(body: bytes) -> ExportTraceServiceRequest:
    try:
        raw = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise TracesUnreadable(f"it is no JSON: {error}") from error
    if not isinstance(raw, dict):
        raise TracesUnreadable("it is no JSON object")
    given = cast("dict[str, Any]", raw)
    _turn_ids(given, _base64_of)
    try:
        return json_format.ParseDict(given, ExportTraceServiceRequest(), ignore_unknown_fields=True)
    except (json_format.ParseError, ValueError, TypeError, AttributeError) as error:
        raise TracesUnreadable(str(error).splitlines()[0][:300] if str(error) else "it is of another shape") from error


def _turn_ids(raw: dict[str, Any], turn: Callable[[Any], str]) -> None:
    """Protobuf's own JSON writes bytes in base64, that of OTLP writes ids in hexadecimal digits."""
    for span in _spans(raw):
        for holder in (span, *_listed(span, "links")):
            for name in _IDS:
                if name in holder:
                    holder[name] = turn(holder[name])


def _spans(raw: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for resource in _listed(raw, "resourceSpans"):
        for scope in _listed(resource, "scopeSpans"):
            yield from _listed(scope, "spans")


def _listed(raw: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """Objects of a list, and nothing when the shape is another: the parser will say so."""
    found = raw.get(name)
    items = cast("list[Any]", found) if isinstance(found, list) else []
    return [cast("dict[str, Any]", one) for one in items if isinstance(one, dict)]


def _base64_of(written_id: Any) -> str:
    """An id that cannot be read is left empty: its span is refused, and the others are taken."""
    try:
        return base64.b64encode(bytes.fromhex(written_id)).decode()
    except (ValueError, TypeError):
        return ""


def _hex_of(written_id: Any) -> str:
    return base64.b64decode(written_id).hex()
