"""GraphQL over HTTP: JSON on a short path of its own; WebSocket, SSE and multipart through Strawberry."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from typing import Any, cast

import orjson
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket
from strawberry.asgi import GraphQL
from strawberry.subscriptions import GRAPHQL_SSE_PROTOCOL, GRAPHQL_TRANSPORT_WS_PROTOCOL
from strawberry.types import ExecutionResult
from strawberry.types.graphql import OperationType

from resolvers.engine.context import Context
from resolvers.engine.errors import OperationNotAllowed, code_of
from resolvers.engine.execution import BOOKMARK, ReadSchema, bookmark_of
from resolvers.engine.introspection import SchemaAnswer
from service.access.errors import CallerGone, TooManyOpen, TooMuchWaiting
from service.graph.bookmarks import HEADER as BOOKMARK_HEADER
from service.graph.errors import DatabaseBusy, DatabaseUnavailable
from service.observe.compression import MOST_PLAIN_BYTES, accepts_gzip

GREETING_S = 10
MOST_ON_A_SOCKET = 50
RETRY_S = 1
JSON = "application/json"
GRAPHQL_JSON = "application/graphql-response+json"

ContextFor = Callable[[HTTPConnection], Awaitable[Context]]
"""Makes the context of a request, or of a WebSocket's connection."""

_STREAMED = ("text/event-stream", "multipart/mixed")
_METHODS = ("GET", "POST")
_BY_GET = (OperationType.QUERY,)


class GraphQLApp(GraphQL[Context, None]):
    """The endpoint, as an ASGI application."""

    schema: ReadSchema

    def __init__(self, schema: ReadSchema, context_for: ContextFor, *, allowed_origins: Sequence[str] = ()) -> None:
        super().__init__(
            schema,
            graphql_ide=None,
            subscription_protocols=(GRAPHQL_TRANSPORT_WS_PROTOCOL, GRAPHQL_SSE_PROTOCOL),
            allowed_origins=allowed_origins,
            connection_init_wait_timeout=timedelta(seconds=GREETING_S),
            max_subscriptions_per_connection=MOST_ON_A_SOCKET,
        )
        self._context_for = context_for

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await super().__call__(scope, receive, send)
            return
        request = Request(scope, receive)
        accept = request.headers.get("accept", "")
        if any(kind in accept for kind in _STREAMED):
            await super().__call__(scope, receive, send)
            return
        response = await self._respond(request, GRAPHQL_JSON if GRAPHQL_JSON in accept else JSON)
        await response(scope, receive, send)

    async def _respond(self, request: Request, media_type: str) -> Response:
        if request.method not in _METHODS:
            return _failed("GraphQL is asked by POST, or by GET for queries.", 405, media_type)
        if request.headers.get("content-encoding", "identity") != "identity":
            return _failed("The body of a request is sent as it is, not compressed.", 415, media_type)
        asked = await _asked(request)
        if isinstance(asked, str):
            return _failed(asked, 400, media_type)
        text, variables, operation_name, extensions = asked
        bookmark = request.headers.get(BOOKMARK_HEADER) or bookmark_of(extensions)
        allowed = _BY_GET if request.method == "GET" else None
        context = await self._context_for(request)
        answer = await self.schema.answer(text, variables, context, operation_name, allowed, bookmark)
        if isinstance(answer, SchemaAnswer):
            return _kept(answer, request, media_type)
        status = _status(answer, media_type)
        return Response(encoded(answer), status, _RETRIES.get(status), media_type)

    async def asked(
        self,
        request: HTTPConnection,
        text: str,
        variables: dict[str, Any],
        allowed: Sequence[OperationType],
        bookmark: Any = None,
    ) -> ExecutionResult:
        """For whoever comes by another door: the answer to a document, as whoever the guard let in."""
        return await self.schema.execute(
            text,
            variables,
            await self._context_for(request),
            allowed_operation_types=allowed,
            operation_extensions={BOOKMARK: bookmark or request.headers.get(BOOKMARK_HEADER)},
        )

    async def get_context(self, request: Request | WebSocket, response: Response | WebSocket) -> Context:
        del response
        return await self._context_for(request)

    def decode_json(self, data: str | bytes) -> object:
        return orjson.loads(data)

    def encode_json(self, data: object) -> str:
        """Text, not bytes: Strawberry sends bytes as binary WebSocket frames, which clients do not expect."""
        return orjson.dumps(data).decode()


def encoded(result: ExecutionResult) -> bytes:
    answer: dict[str, Any] = {}
    if result.errors:
        answer["errors"] = [error.formatted for error in result.errors]
    if result.data is not None or not result.errors:
        answer["data"] = result.data
    if result.extensions:
        answer["extensions"] = result.extensions
    return orjson.dumps(answer)


def _kept(answer: SchemaAnswer, request: Request, media_type: str) -> Response:
    if len(answer.plain) < MOST_PLAIN_BYTES or not accepts_gzip(request.headers.get("accept-encoding", "")):
        return Response(answer.plain, media_type=media_type)
    headers = {"content-encoding": "gzip", "vary": "Accept-Encoding"}
    return Response(answer.packed, headers=headers, media_type=media_type)


async def _asked(request: Request) -> tuple[str, dict[str, Any], str | None, dict[str, Any]] | str:
    """Document, variables, operation name and extensions of a request, or what is wrong with it."""
    if request.method == "GET":
        asked: Any = dict(request.query_params)
        for name in ("variables", "extensions"):
            if name in asked:
                asked[name] = _parsed(asked[name])
    else:
        asked = _parsed(await request.body())
    if not isinstance(asked, dict):
        return "The request is no JSON object with a query."
    given = cast("dict[str, Any]", asked)
    query, name = given.get("query"), given.get("operationName")
    objects: list[Any] = [given.get("variables") or {}, given.get("extensions") or {}]
    if not isinstance(query, str) or not isinstance(name, str | None) or not all(isinstance(o, dict) for o in objects):
        return "A request has query (text), and may have variables and extensions (objects) and operationName (text)."
    return query, objects[0], name, objects[1]


def _parsed(text: str | bytes) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return None


_STATUSES = {
    OperationNotAllowed.code: 405,
    DatabaseBusy.code: 503,
    DatabaseUnavailable.code: 503,
    TooMuchWaiting.code: TooMuchWaiting.status,
    TooManyOpen.code: TooManyOpen.status,
    CallerGone.code: CallerGone.status,
}
_RETRIES = {status: {"retry-after": str(RETRY_S)} for status in (429, 503)}


def _status(result: ExecutionResult, media_type: str) -> int:
    if not result.errors or _has_data(result):
        return 200
    status = _STATUSES.get(code_of(result.errors[0]) or "")
    if result.data is not None:
        return status or 200
    return status or (400 if media_type == GRAPHQL_JSON else 200)


def _has_data(result: ExecutionResult) -> bool:
    return result.data is not None and any(one is not None for one in result.data.values())


def _failed(message: str, status: int, media_type: str) -> Response:
    error = {"message": message, "extensions": {"code": "invalid_request"}}
    return Response(orjson.dumps({"errors": [error]}), status, media_type=media_type)
