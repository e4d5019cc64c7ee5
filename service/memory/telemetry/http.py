"""`POST /v1/traces` as OTLP over HTTP has it, and `GET /v1/runs/{id}/traces` for a run as a trace."""

import asyncio

from google.rpc.status_pb2 import Status
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from service.access.errors import Unauthenticated
from service.access.viewer import Viewer
from service.errors import TaskloreError
from service.memory.http import refused
from service.memory.telemetry.export import Export
from service.memory.telemetry.intake import Taken, Telemetry
from service.memory.telemetry.wire import JSON, PROTOBUF, media_type, read_traces, unpacked, written

TRACES = "/v1/traces"
RUN_TRACES = "/v1/runs/{run_id}/traces"
_STATUS = {
    "unauthenticated": 401,
    "not_allowed": 403,
    "body_too_large": 413,
    "unsupported_content_type": 415,
    "unsupported_content_encoding": 415,
    "database_unavailable": 503,
    "query_timed_out": 503,
}
_RETRY = {"retry-after": "1"}
"""Exporters send again what was answered with 503."""


def telemetry_routes(telemetry: Telemetry, export: Export, body_bytes: int) -> list[BaseRoute]:
    async def take(request: Request) -> Response:
        kind = JSON
        try:
            kind = media_type(request.headers.get("content-type", ""))
            taken = await _taken(telemetry, request, kind, body_bytes)
        except TaskloreError as error:
            return _refused(error, kind)
        return Response(written(_answer(taken), kind), media_type=kind)

    async def give(request: Request) -> Response:
        kind = PROTOBUF if PROTOBUF in request.headers.get("accept", "") else JSON
        try:
            traces = await export.of_run(_viewer(request), request.path_params["run_id"])
        except TaskloreError as error:
            return refused(error)
        return Response(await asyncio.to_thread(written, traces, kind), media_type=kind)

    return [Route(TRACES, take, methods=["POST"]), Route(RUN_TRACES, give, methods=["GET"])]


async def _taken(telemetry: Telemetry, request: Request, kind: str, most: int) -> Taken:
    viewer = _viewer(request)
    body = unpacked(await request.body(), request.headers.get("content-encoding", ""), most)
    return await telemetry.take(viewer, await asyncio.to_thread(read_traces, body, kind))


def _viewer(request: Request) -> Viewer:
    viewer = request.state.viewer
    if viewer is None:
        raise Unauthenticated("missing")
    return viewer


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
    return Response(written(told, kind), status, _RETRY if status == 503 else None, kind)
