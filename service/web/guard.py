"""The guard in front of everything: host, origin, key, rate and size. Plain ASGI, since it costs on every request."""

import asyncio
import math
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any

import orjson
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from graph_schema.model.names import api_name, api_text
from service.access.access import Access
from service.access.caller import Caller
from service.access.errors import (
    AccessRefused,
    BodyTooLarge,
    BodyTooSlow,
    HostNotAllowed,
    KeysUnavailable,
    NotAForm,
    OriginNotAllowed,
    RateLimited,
    Unauthenticated,
)
from service.access.perimeter import FORMS, KEYLESS_BODY_BYTES, Patience
from service.access.socket import GuardedSocket, log_denied, take_turn
from service.access.viewer import Viewer
from service.errors import TaskloreError
from service.observe.logs import log
from service.observe.requests import current_request_id
from service.principals.pages import how_to_sign_in
from service.web.presence import Presence

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
SENT_BY_FORMS = frozenset({b"application/x-www-form-urlencoded", b"multipart/form-data", b"text/plain"})
OUR_FORMS = b"application/x-www-form-urlencoded"
METRICS = "/metrics"
DRAIN_BYTES = 50_000_000
DRAIN_SECONDS = 5.0
REFUSED_SOCKET = 1008
PREFLIGHT = {
    "access-control-allow-methods": "GET, POST, OPTIONS",
    "access-control-allow-headers": "authorization, content-type, x-request-id, tasklore-bookmark",
    "access-control-max-age": "600",
}

StillAllowed = Callable[[], Awaitable[Viewer]]


class Guard:
    """Lets through what may pass, with `request.state.viewer` set: a Viewer, or None where no key is needed.

    `request.state.current_viewer` is for answers that last: awaited, it gives the viewer as of this second, or raises
    Unauthenticated when the key has died since.
    """

    def __init__(self, app: ASGIApp, access: Callable[[], Access]) -> None:
        """`access` is called for each request: what it gives is opened after the application is made."""
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        state: dict[str, Any] = scope.setdefault("state", {})
        state["viewer"] = None
        access, caller = self._access(), Caller(scope)
        if caller.origin and access.perimeter.names(caller.origin):
            send = _readable_by(caller.origin, send)
        enter = _enter_by_socket if scope["type"] == "websocket" else _enter
        try:
            _check_host(access, caller)
            if caller.is_preflight:
                await _preflight(access, caller)(scope, receive, send)
                return
            key = await enter(access, caller, state)
        except TaskloreError as error:
            await _refuse(access, caller, error, receive, send)
        else:
            await self._pass(access, caller, key, receive, send)

    async def _pass(self, access: Access, caller: Caller, key: str | None, receive: Receive, send: Send) -> None:
        if caller.scope["type"] == "websocket":
            await GuardedSocket(access, caller, receive, send).run(self._app, key)
            return
        check = partial(access.viewers.of_key, key) if key else None
        exchange = _Exchange(receive, send, _most_bytes(access, key), access.patience, check)
        caller.scope["state"]["awaited"] = Presence(receive).awaited
        if error := await exchange.run(self._app, caller.scope):
            await _refuse(access, caller, error, receive, send)


class _Exchange:
    """One request on its way through: its body is counted as it comes, and a long answer ends when its key dies."""

    def __init__(
        self, receive: Receive, send: Send, body_bytes: int, patience: Patience, check: StillAllowed | None
    ) -> None:
        self._receive = receive
        self._send = send
        self._most = body_bytes
        self._patience = patience
        self._check = check
        self._size = 0
        self._deadline = 0.0
        self._received = False
        self._started = False
        self._finished = False
        self._broken: AccessRefused | None = None

    async def run(self, app: ASGIApp, scope: Scope) -> AccessRefused | None:
        """Gives the refusal that is still to be sent, if any."""
        try:
            await app(scope, self.receive, self.send)
        except Exception:
            if self._broken is None:
                raise
        if not self._started:
            return self._broken
        if self._broken and not self._finished:
            await self._send({"type": "http.response.body", "body": b"", "more_body": False})
        return None

    async def receive(self) -> Message:
        if self._broken:
            return {"type": "http.disconnect"}
        message = await (self._receive() if self._received else self._in_time())
        if message["type"] == "http.request":
            self._size += len(message.get("body", b""))
            self._received = not message.get("more_body", False)
            if self._size > self._most:
                self._broken = BodyTooLarge(self._most)
        return {"type": "http.disconnect"} if self._broken else message

    async def _in_time(self) -> Message:
        """The next part of the body. Whoever keeps it back is not waited for."""
        loop, patience = asyncio.get_running_loop(), self._patience
        self._deadline = self._deadline or loop.time() + patience.body
        try:
            async with asyncio.timeout_at(min(self._deadline, loop.time() + patience.pause)):
                return await self._receive()
        except TimeoutError:
            self._broken = BodyTooSlow(patience.body if loop.time() >= self._deadline else patience.pause)
            return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        if message.get("more_body") and self._check and self._started:
            await self._still_allowed(self._check)
        if self._broken is None:
            self._started = True
            self._finished = message["type"] == "http.response.body" and not message.get("more_body")
            await self._send(message)

    async def _still_allowed(self, check: StillAllowed) -> None:
        try:
            await check()
        except TaskloreError as error:
            self._broken = error if isinstance(error, AccessRefused) else KeysUnavailable()
            raise


async def _enter(access: Access, caller: Caller, state: dict[str, Any]) -> str | None:
    """The key that lets a request in; None where none is needed."""
    public = access.perimeter.is_public(caller.path)
    bearer = caller.bearer
    key = caller.cookie if bearer is None else bearer
    if access.perimeter.is_link(caller.path) and bearer is None:
        key = await _living(access, key)
    if caller.method not in SAFE_METHODS and bearer is None and (key or caller.origin):
        _check_origin(access, caller)
    if public or (key is None and _needs_none(access, caller)):
        _check_size(access, caller, None)
        _check_stranger(access, caller)
        return None
    if not key:
        raise Unauthenticated("no key")
    viewer = await _viewer(access, key)
    take_turn(access, viewer)
    _check_size(access, caller, key)
    if caller.method not in SAFE_METHODS and bearer is None:
        _check_type(caller)
    access.log.used(viewer, caller.client)
    state["viewer"] = viewer
    state["current_viewer"] = partial(access.viewers.of_key, key)
    return key


def _check_stranger(access: Access, caller: Caller) -> None:
    """Whoever shows no key reads what is public as often as they like, and posts now and then."""
    seconds = 0.0 if caller.method in SAFE_METHODS else access.strangers.take(caller.client)
    if seconds:
        raise RateLimited(access.strangers.per_second, seconds, "This address")


def _needs_none(access: Access, caller: Caller) -> bool:
    """Figures asked for on this machine; and what somebody has the link of."""
    return (caller.path == METRICS and caller.is_on_this_machine) or access.perimeter.is_link(caller.path)


async def _living(access: Access, cookie: str | None) -> str | None:
    """The session that a browser brings with a link, if it still is one: one that died is no hindrance."""
    try:
        return cookie if cookie and await _viewer(access, cookie) else None
    except Unauthenticated:
        return None


async def _enter_by_socket(access: Access, caller: Caller, state: dict[str, Any]) -> str | None:
    """The key of the handshake. Without one, `connection_init` must bring it; a cookie that died is no hindrance."""
    if caller.origin:
        _check_origin(access, caller)
    bearer, cookie = caller.bearer, caller.cookie
    if bearer is not None:
        state["viewer"] = await _viewer(access, bearer)
        return bearer
    if not cookie or not caller.origin:
        return None
    try:
        state["viewer"] = await _viewer(access, cookie)
    except Unauthenticated:
        return None
    return cookie


async def _viewer(access: Access, key: str) -> Viewer:
    try:
        return await access.viewers.of_key(key)
    except AccessRefused:
        raise
    except TaskloreError as error:
        log.warning("a key could not be checked", code=error.code, reason=error.message)
        raise KeysUnavailable from error


def _check_host(access: Access, caller: Caller) -> None:
    if not access.perimeter.host_allowed(caller.host):
        raise HostNotAllowed


def _check_origin(access: Access, caller: Caller) -> None:
    if caller.origin is None:
        allowed = caller.is_same_origin
    else:
        allowed = access.perimeter.origin_allowed(caller.origin, caller.host, caller.scheme)
    if not allowed:
        raise OriginNotAllowed


def _check_size(access: Access, caller: Caller, key: str | None) -> None:
    most = _most_bytes(access, key)
    if caller.body_bytes > most:
        raise BodyTooLarge(most)


def _most_bytes(access: Access, key: str | None) -> int:
    """Whoever shows no key may send little, whatever it is for."""
    return access.perimeter.body_bytes if key else min(KEYLESS_BODY_BYTES, access.perimeter.body_bytes)


def _check_type(caller: Caller) -> None:
    """With a cookie alone nothing comes in that a form of another page could send, whatever its origin says.

    But for the forms of our own pages, which bring a token.
    """
    given = caller.headers.get(b"content-type", b"").partition(b";")[0].strip().lower()
    if given == OUR_FORMS and caller.path.startswith(FORMS):
        return
    if not given or given in SENT_BY_FORMS:
        raise NotAForm(given.decode("latin-1"))


def _preflight(access: Access, caller: Caller) -> Response:
    _check_origin(access, caller)
    return Response(status_code=204, headers=PREFLIGHT)


def _readable_by(origin: bytes, send: Send) -> Send:
    """Let pages of this origin read the answer. Its name is echoed because it is on the list, and never a `*`."""
    headers = [
        (b"access-control-allow-origin", origin),
        (b"access-control-allow-credentials", b"true"),
        (b"access-control-expose-headers", b"retry-after, x-request-id, tasklore-bookmark"),
        (b"vary", b"Origin"),
    ]

    async def send_readable(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", ()), *headers]
        await send(message)

    return send_readable


async def _refuse(access: Access, caller: Caller, error: TaskloreError, receive: Receive, send: Send) -> None:
    log_denied(access, caller, error)
    scope = caller.scope
    if scope["type"] == "websocket" and "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": REFUSED_SOCKET, "reason": error.code})
        return
    if isinstance(error, BodyTooLarge):
        await _drain(receive)
    await _answer(error, caller)(scope, receive, send)


async def _drain(receive: Receive) -> None:
    """Take in some of what is still sent: a connection closed on a client that sends loses the answer on its way."""
    size = 0
    with suppress(TimeoutError):
        async with asyncio.timeout(DRAIN_SECONDS):
            while size < DRAIN_BYTES:
                message = await receive()
                size += len(message.get("body", b""))
                if message["type"] != "http.request" or not message.get("more_body"):
                    return


def _answer(error: TaskloreError, caller: Caller) -> Response:
    status = error.status if isinstance(error, AccessRefused) else KeysUnavailable.status
    if isinstance(error, Unauthenticated) and caller.wants_page:
        return how_to_sign_in(status)
    told = {
        "code": error.code,
        "field": error.field,
        "remedy": api_text(error.remedy) if error.remedy else None,
        "request_id": current_request_id(),
        **error.facts,
    }
    extensions = {api_name(name): one for name, one in told.items() if one is not None}
    body = {"message": error.message, "extensions": extensions}
    return Response(orjson.dumps({"errors": [body]}), status, _headers(error), "application/json")


def _headers(error: TaskloreError) -> dict[str, str]:
    headers = {"cache-control": "no-store"}
    if isinstance(error, Unauthenticated):
        headers["www-authenticate"] = 'Bearer realm="tasklore"'
    elif isinstance(error, RateLimited):
        headers["retry-after"] = str(math.ceil(error.seconds))
    elif isinstance(error, KeysUnavailable):
        headers["retry-after"] = "1"
    elif isinstance(error, BodyTooLarge | BodyTooSlow):
        headers["connection"] = "close"  # the rest of the body is not waited for
    return headers
