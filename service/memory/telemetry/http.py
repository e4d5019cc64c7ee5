"""`POST /v1/traces` as OTLP over HTTP has it, and `GET /v1/runs/{id}/traces` for a run as a trace."""

import asyncio

from google.rpc.status_pb2 import Status
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from service.errors import TaskloreError
from service.memory.reporting.door import Door, viewer_of
from service.memory.reporting.http import RETRY, refused
from service.memory.telemetry.errors import TooManySpans, TracesUnreadable
from service.memory.telemetry.export import Export
from service.memory.telemetry.intake import Taken, Telemetry
from service.memory.telemetry.wire import JSON, PROTOBUF, media_type, read_traces, written

MOST_SPANS = 10_000
TRACES = "/v1/traces"
RUN_TRACES = "/v1/runs/{run_id}/traces"
_STATUS = {
    "unauthenticated": 401,
    "not_allowed": 403,
    "body_too_large": 413,
    "too_many_spans": 413,
    "too_much_at_once": 429,
    "unsupported_content_type": 415,
    "unsupported_content_encoding": 415,
    "database_unavailable": 503,
    "database_busy": 503,
    "query_timed_out": 503,
}


def telemetry_routes(telemetry: Telemetry, export: Export, door: Door) -> list[BaseRoute]:
    async def take(request: Request) -> Response:
        kind = JSON
        try:
            kind = media_type(request.headers.get("content-type", ""))
            taken = await _taken(telemetry, request, kind, door)
        except TaskloreError as error:
            return _refused(error, kind)
        return Response(written(_answer(taken), kind), media_type=kind)

    async def give(request: Request) -> Response:
        kind = PROTOBUF if PROTOBUF in request.headers.get("accept", "") else JSON
        try:
            traces = await export.of_run(viewer_of(request), request.path_params["run_id"])
        except TaskloreError as error:
            return refused(error)
        return Response(await asyncio.to_thread(written, traces, kind), media_type=kind)

    return [Route(TRACES, take, methods=["POST"]), Route(RUN_TRACES, give, methods=["GET"])]


async def _taken(telemetry: Telemetry, request: Request, kind: str, door: Door) -> Taken:
    viewer = viewer_of(request)
    body = await door.body(request, TracesUnreadable)
    traces = await asyncio.to_thread(read_traces, body, kind)
    spans = sum(len(scope.spans) for resource in traces.resource_spans for scope in resource.scope_spans)
    if spans > MOST_SPANS:
        raise TooManySpans(spans, MOST_SPANS)
    async with door.turn(viewer, spans):
        return await telemetry.take(viewer, traces)


def _answer(taken: Taken) -> ExportTraceServiceResponse:
    """Nothing in it means that all went well; no rejected spans but a message, that something is worth knowing."""
    answer = ExportTraceServiceResponse()
    message = taken.message()
    if message:
        answer.partial_success.rejected_spans = taken.rejected
        answer.partial_success.error_message = message
    return answer


def _refused(error: TaskloreError, kind: str) -> Response:
    status = _STATUS.get(error.code, 400)
    told = Status(message=f"{error.code}: {error.one_line()}")
    return Response(written(told, kind), status, RETRY if status in {429, 503} else None, kind)
