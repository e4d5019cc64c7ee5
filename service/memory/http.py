"""`POST /v1/events`: events as JSON lines in, answers as JSON lines out, for executors without a GraphQL client."""

from collections.abc import Sequence
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from service.access.errors import Unauthenticated
from service.errors import TaskloreError
from service.memory.answers import Answer, Outcome
from service.memory.errors import EventUnreadable, TooManyEvents
from service.memory.events import Unread
from service.memory.reporting import MOST_EVENTS, Reporting

EVENTS = "/v1/events"
LINES = "application/x-ndjson"
_STATUS = {
    "too_many_events": 413,
    "not_allowed": 403,
    "unauthenticated": 401,
    "not_found": 404,
    "audit_files_missing": 404,
    "audit_blocked": 403,
    "local_only_not_exported": 403,
    "database_unavailable": 503,
    "query_timed_out": 503,
}


def reporting_routes(reporting: Reporting) -> list[BaseRoute]:
    async def report(request: Request) -> Response:
        try:
            answers = await _reported(reporting, request)
        except TaskloreError as error:
            return refused(error)
        body = b"".join(orjson.dumps(one.shown()) + b"\n" for one in answers)
        return Response(body, status_of(answers), media_type=LINES)

    return [Route(EVENTS, report, methods=["POST"])]


def status_of(answers: Sequence[Answer]) -> int:
    """200 when all events were taken, or none was sent; 422 when all were rejected; 207 when some were."""
    rejects = sum(one.outcome is Outcome.rejected for one in answers)
    if not rejects:
        return 200
    return 422 if rejects == len(answers) else 207


async def _reported(reporting: Reporting, request: Request) -> list[Answer]:
    """A line that is no JSON is an event that is refused; the others are taken."""
    viewer = request.state.viewer
    if viewer is None:
        raise Unauthenticated("missing")
    lines = [line for line in (await request.body()).split(b"\n") if line.strip()]
    if len(lines) > MOST_EVENTS:
        raise TooManyEvents(len(lines), MOST_EVENTS)
    return await reporting.report(viewer, [_read(line) for line in lines])


def _read(line: bytes) -> Any:
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError as error:
        return Unread(None, EventUnreadable("invalid_json", "event", f"the line is no JSON: {error}"))


def refused(error: TaskloreError) -> Response:
    told = {"code": error.code, "field": error.field, "remedy": error.remedy, **error.facts}
    body = {"message": error.message, "extensions": {name: one for name, one in told.items() if one is not None}}
    return Response(
        orjson.dumps({"errors": [body]}),
        status_code=_STATUS.get(error.code, 400),
        media_type="application/json",
    )
