"""OpenAPI 3.1 for `/v1/*`: the doors for senders without a GraphQL client."""

from importlib.metadata import version
from typing import Any

from service.memory.audit.http import AUDITS
from service.memory.reporting.answers import EventAnswer
from service.memory.reporting.commands import MOST_EVENTS
from service.memory.reporting.http import EVENTS, LINES
from service.memory.telemetry.http import MOST_SPANS, RUN_TRACES, TRACES
from service.memory.telemetry.wire import JSON, PROTOBUF
from service.sharing.http import SHARES
from service.tools.capability import ASKS, OUTCOMES
from service.tools.reports.answers import ToolReportAnswer
from service.tools.reports.events import AskReport, OutcomeReport
from service.web.contract.schemas import DIALECT, Json, answer_schema, event_schema, model_schema

REF = "#/components/schemas/{model}"

TAKEN = {
    "200": "All were accepted, or known already.",
    "207": "Some were rejected; their lines say why.",
    "422": "All were rejected; their lines say why.",
}
REFUSED = {
    "400": "The call is not right.",
    "401": "No key, or one that does not work.",
    "403": "The key lacks the scope, or the record may not be handed out.",
    "404": "There is no such record that you can see.",
    "413": "Too many lines, or too large a body.",
    "415": "A body of another type or encoding.",
    "429": "Too much at once: come back after `Retry-After` seconds.",
    "503": "The database does not answer: come back after `Retry-After` seconds.",
}
SENDING = ("400", "401", "403", "413", "415", "429", "503")
READING = ("401", "403", "404", "429", "503")


def openapi() -> Json:
    return {
        "openapi": "3.1.0",
        "jsonSchemaDialect": DIALECT,
        "info": {
            "title": "Tasklore",
            "version": version("tasklore"),
            "description": "Beside GraphQL: reports as JSON lines and OpenTelemetry in, traces and audits out.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "http://127.0.0.1:8000", "description": "As `make run` serves it."}],
        "security": [{"key": []}],
        "paths": _paths(),
        "components": {"schemas": _schemas(), "securitySchemes": _KEY},
    }


_KEY: Json = {"key": {"type": "http", "scheme": "bearer", "description": "A key of `tasklore key create`: `tl_…`."}}


def _paths() -> Json:
    return {
        EVENTS: {"post": _lines("reportEvents", "Report what runs do", "Event", "EventAnswer")},
        OUTCOMES: {"post": _lines("reportToolOutcomes", "Report how calls of tools ended", "OutcomeReport", _TOOL)},
        ASKS: {"post": _lines("reportAsks", "Report what users asked for", "AskReport", _TOOL)},
        TRACES: {"post": _traces_in()},
        RUN_TRACES: {"get": _traces_out()},
        f"{AUDITS}{{export_id}}": {"get": _audit()},
        f"{SHARES}{{secret}}": {"get": _share()},
    }


_TOOL = "ToolReportAnswer"


def _lines(name: str, summary: str, sent: str, told: str) -> Json:
    """JSON lines: the schema is that of each line."""
    answers = {code: _answer(text, LINES, told) for code, text in TAKEN.items()}
    return {
        "operationId": name,
        "summary": summary,
        "description": f"One JSON object on each line, at most {MOST_EVENTS}; an answer on a line for each, in the same"
        " order. Needs the scope `report`. Bodies may have `Content-Encoding: gzip`.",
        "requestBody": {"required": True, "content": {LINES: {"schema": _ref(sent)}}},
        "responses": {**answers, **_refusals(SENDING)},
    }


def _traces_in() -> Json:
    traces: Json = {"schema": {"type": "object", "description": "An ExportTraceServiceRequest of OTLP."}}
    return {
        "operationId": "reportTraces",
        "summary": "Report spans by OpenTelemetry",
        "description": f"OTLP over HTTP, at most {MOST_SPANS} spans. Refusals are a `google.rpc.Status`.",
        "requestBody": {"required": True, "content": {JSON: traces, PROTOBUF: _BYTES}},
        "responses": {
            "200": {"description": "Taken; `partialSuccess` tells of what was not.", "content": _OTLP},
            **{code: {"description": REFUSED[code], "content": _OTLP} for code in SENDING if code != "401"},
            "401": _answer(REFUSED["401"], "application/json", "Refusal"),
        },
    }


def _traces_out() -> Json:
    return {
        "operationId": "runTraces",
        "summary": "A run as a trace",
        "parameters": [_parameter("run_id", "Id of the run.")],
        "responses": {
            "200": {"description": "OTLP, in the type that is asked for.", "content": _OTLP},
            **_refusals(READING),
        },
    }


def _audit() -> Json:
    return {
        "operationId": "auditArchive",
        "summary": "An audit export as a zip",
        "parameters": [_parameter("export_id", "Id of the export.")],
        "responses": {
            "200": {"description": "The archive.", "content": {"application/zip": _BYTES}},
            **_refusals(READING),
        },
    }


def _share() -> Json:
    """The link is the key: who brings none is told what it opens for anybody."""
    object_: Json = {"schema": {"type": "object", "description": "Facts of the share, and its `sections`."}}
    return {
        "operationId": "sharedManifest",
        "summary": "What a share tells, for whoever has its link",
        "security": [{}, {"key": []}],
        "parameters": [
            _parameter("secret", "The secret of the link."),
            _query("section", "Only this section."),
            _query("record", "Only this record, by its id."),
        ],
        "responses": {
            "200": {"description": "What it tells.", "content": {"application/json": object_}},
            **_refusals(("404", "429", "503")),
        },
    }


def _query(name: str, description: str) -> Json:
    return {**_parameter(name, description), "in": "query", "required": False}


_BYTES: Json = {"schema": {"type": "string", "format": "binary"}}
_OTLP: Json = {JSON: {"schema": {"type": "object"}}, PROTOBUF: _BYTES}


def _parameter(name: str, description: str) -> Json:
    return {"name": name, "in": "path", "required": True, "description": description, "schema": {"type": "string"}}


def _refusals(codes: tuple[str, ...]) -> Json:
    return {code: _answer(REFUSED[code], "application/json", "Refusal") for code in codes}


def _answer(description: str, media_type: str, schema: str) -> Json:
    return {"description": description, "content": {media_type: {"schema": _ref(schema)}}}


def _ref(name: str) -> Json:
    return {"$ref": REF.format(model=name)}


def _schemas() -> Json:
    """Everything by name, definitions inside others beside them."""
    made: dict[str, Any] = {
        "Event": event_schema(REF),
        "OutcomeReport": model_schema(OutcomeReport, REF),
        "AskReport": model_schema(AskReport, REF),
        "EventAnswer": answer_schema(EventAnswer, REF),
        _TOOL: answer_schema(ToolReportAnswer, REF),
        "Refusal": _REFUSAL,
    }
    inside = {name: one for schema in made.values() for name, one in schema.pop("$defs", {}).items()}
    return dict(sorted({**inside, **made}.items()))


_REFUSAL: Json = {
    "type": "object",
    "description": "Why a call was refused as a whole.",
    "required": ["errors"],
    "properties": {
        "errors": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["message", "extensions"],
                "properties": {
                    "message": {"type": "string"},
                    "extensions": {
                        "type": "object",
                        "required": ["code"],
                        "properties": {
                            "code": {"type": "string", "description": "Stable: docs/codes.md has all."},
                            "field": {"type": "string"},
                            "remedy": {"type": "string"},
                        },
                    },
                },
            },
        }
    },
}
