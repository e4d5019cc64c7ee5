"""`POST /v1/events`: events as JSON lines in, answers as JSON lines out, for executors without a GraphQL client."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from service.access.viewer import Viewer
from service.errors import TaskloreError
from service.memory.reporting.answers import ReportOutcome
from service.memory.reporting.commands import MOST_EVENTS, Reporting
from service.memory.reporting.door import Door, viewer_of
from service.memory.reporting.errors import EventUnreadable, TooManyEvents
from service.memory.reporting.events import Unread

EVENTS = "/v1/events"
LINES = "application/x-ndjson"
RETRY = {"retry-after": "1"}
"""Senders come back with what was answered with 429 or 503."""

_STATUS = {
    "too_many_events": 413,
    "not_allowed": 403,
    "unauthenticated": 401,
    "not_found": 404,
    "audit_files_missing": 404,
    "audit_blocked": 403,
    "local_only_not_exported": 403,
    "body_too_large": 413,
    "unsupported_content_encoding": 415,
    "share_not_found": 404,
    "too_much_at_once": 429,
    "rate_limited": 429,
    "database_unavailable": 503,
    "database_busy": 503,
    "query_timed_out": 503,
}


class Answer(Protocol):
    """What became of one line."""

    @property
    def outcome(self) -> ReportOutcome: ...

    def shown(self) -> dict[str, Any]: ...


Report = Callable[[Viewer, Sequence[Any]], Awaitable[Sequence[Answer]]]


def reporting_routes(reporting: Reporting, door: Door | None = None) -> list[BaseRoute]:
    return [lines_route(EVENTS, reporting.report, door or Door())]


def lines_route(path: str, take: Report, door: Door) -> Route:
    """A way in for JSON lines, each of which is answered for itself."""

    async def report(request: Request) -> Response:
        try:
            answers = await _reported(take, request, door)
        except TaskloreError as error:
            return refused(error)
        body = b"".join(orjson.dumps(one.shown()) + b"\n" for one in answers)
        return Response(body, status_of(answers), media_type=LINES)

    return Route(path, report, methods=["POST"])


def status_of(answers: Sequence[Answer]) -> int:
    """200 when all events were taken, or none was sent; 422 when all were rejected; 207 when some were."""
    rejects = sum(one.outcome is ReportOutcome.rejected for one in answers)
    if not rejects:
        return 200
    return 422 if rejects == len(answers) else 207


async def _reported(take: Report, request: Request, door: Door) -> Sequence[Answer]:
    """A line that is no JSON is an event that is refused; the others are taken."""
    viewer = viewer_of(request)
    lines = _told(await door.body(request))
    if len(lines) > MOST_EVENTS:
        raise TooManyEvents(len(lines), MOST_EVENTS)
    async with door.turn(viewer, len(lines)):
        return await take(viewer, [_read(line) for line in lines])


def _told(body: bytes) -> Sequence[Any]:
    """JSON lines; or one list of the same, which is what a library makes of several things."""
    if body.lstrip()[:1] == b"[":
        try:
            return orjson.loads(body)
        except orjson.JSONDecodeError:
            pass  # told for the line where it is
    return [line for line in body.split(b"\n") if line.strip()]


def _read(line: Any) -> Any:
    if not isinstance(line, bytes):
        return line
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError as error:
        return Unread(None, EventUnreadable("invalid_json", "event", f"the line is no JSON: {error}"))


def refused(error: TaskloreError) -> Response:
    told = {"code": error.code, "field": error.field, "remedy": error.remedy, **error.facts}
    body = {"message": error.message, "extensions": {name: one for name, one in told.items() if one is not None}}
    status = _STATUS.get(error.code, 400)
    return Response(
        orjson.dumps({"errors": [body]}), status, RETRY if status in {429, 503} else None, "application/json"
    )
