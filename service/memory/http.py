"""`POST /v1/events`: events as JSON lines in, answers as JSON lines out, for executors without a GraphQL client."""

from dataclasses import replace
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from service.access.errors import Unauthenticated
from service.errors import TaskloreError
from service.memory.answers import Answer, rejected
from service.memory.errors import EventUnreadable, TooManyEvents
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
        return Response(b"\n".join(orjson.dumps(one.shown()) for one in answers) + b"\n", media_type=LINES)

    return [Route(EVENTS, report, methods=["POST"])]


async def _reported(reporting: Reporting, request: Request) -> list[Answer]:
    """A line that is no JSON is an event that is refused; the others are taken."""
    viewer = request.state.viewer
    if viewer is None:
        raise Unauthenticated("missing")
    lines = [line for line in (await request.body()).split(b"\n") if line.strip()]
    if len(lines) > MOST_EVENTS:
        raise TooManyEvents(len(lines), MOST_EVENTS)
    read, answers = _read(lines)
    taken = await reporting.report(viewer, [event for _, event in read])
    places = [place for place, _ in read]
    moved = [replace(answer, index=places[answer.index]) for answer in taken]
    return sorted([*answers, *moved], key=lambda answer: answer.index)


def _read(lines: list[bytes]) -> tuple[list[tuple[int, Any]], list[Answer]]:
    read: list[tuple[int, Any]] = []
    answers: list[Answer] = []
    for place, line in enumerate(lines):
        try:
            read.append((place, orjson.loads(line)))
        except orjson.JSONDecodeError as error:
            answers.append(
                rejected(place, None, EventUnreadable("invalid_json", "event", f"the line is no JSON: {error}"))
            )
    return read, answers


def refused(error: TaskloreError) -> Response:
    told = {"code": error.code, "field": error.field, "remedy": error.remedy, **error.facts}
    body = {"message": error.message, "extensions": {name: one for name, one in told.items() if one is not None}}
    return Response(
        orjson.dumps({"errors": [body]}),
        status_code=_STATUS.get(error.code, 400),
        media_type="application/json",
    )
