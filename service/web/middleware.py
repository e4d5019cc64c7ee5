"""Around every request: its id, its log line, its figures. Plain ASGI, since each layer costs on every request."""

import time
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.access.perimeter import loggable
from service.graph.bookmarks import HEADER as BOOKMARK_HEADER
from service.graph.bookmarks import Trail, following
from service.observe import Metrics, log
from service.observe.requests import HEADER, begin_request
from service.web.headers import safe

UNMATCHED = "(no route)"
SWITCHED_PROTOCOLS = 101
SERVER_ERROR = 500
_ANSWER = "http.response.start"
_STARTS = (_ANSWER, "websocket.accept", "websocket.http.response.start")


class Observed:
    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        request_id = begin_request(scope["headers"])
        status = 0

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"] in _STARTS:
                status = message.get("status", SWITCHED_PROTOCOLS)
                headers = [*message.get("headers", ()), (HEADER, request_id.encode()), *_bookmark(trail)]
                message["headers"] = safe(headers) if message["type"] == _ANSWER else headers
            await send(message)

        try:
            with following() as trail:
                await self._app(scope, receive, send_with_id)
        except Exception as error:
            log.error("request failed", path=loggable(scope["path"]), exc_info=error)
            if not status:
                raise
        finally:
            self._record(scope, status or SERVER_ERROR, time.perf_counter() - started)

    def _record(self, scope: Scope, status: int, seconds: float) -> None:
        method = scope.get("method", "WEBSOCKET")
        route = _route_of(scope)
        self._metrics.request(method, route, status)
        if scope["type"] == "http":  # how long a subscription stays open is no latency
            self._metrics.answered(route, seconds)
        log.info("request", method=method, route=route, status=status, ms=round(seconds * 1000, 2))


def _bookmark(trail: Trail) -> list[tuple[bytes, bytes]]:
    """Of what the request has written before its answer begins."""
    return [(BOOKMARK_HEADER.encode(), trail.bookmark.encode())] if trail.bookmark else []


def _route_of(scope: Scope) -> str:
    """The route's pattern, never the path itself: paths are without number, and each would be a new time series."""
    route: Any = scope.get("route")
    return getattr(route, "path", None) or UNMATCHED
