"""A WebSocket under guard: nothing passes before its key is known, and nothing after its key has died."""

import asyncio
import time
from contextlib import ExitStack
from functools import partial
from typing import Any, cast

import orjson
from starlette.types import ASGIApp, Message, Receive, Send

from service.access.access import Access
from service.access.caller import Caller, bearer_in
from service.access.errors import BodyTooLarge, RateLimited, Unauthenticated
from service.access.perimeter import KEYLESS_BODY_BYTES
from service.access.viewer import Viewer
from service.access.viewers import FRESH_SECONDS
from service.errors import TaskloreError

# Clients of graphql-transport-ws give up at 4401 and try again after 1013.
_CLOSE_CODES = {Unauthenticated.code: 4401, BodyTooLarge.code: 1009}
_TRY_AGAIN = 1013
_NOT_GREETED = 4408


class GuardedSocket:
    def __init__(self, access: Access, caller: Caller, receive: Receive, send: Send) -> None:
        self._access = access
        self._opened_at = time.monotonic()
        self._counted = ExitStack()
        self._caller = caller
        self._scope = caller.scope
        self._receive = receive
        self._send = send
        self._key: str | None = None
        self._greeted = False
        self._closed = False

    async def run(self, app: ASGIApp, key: str | None) -> None:
        """`key` is the one that came with the handshake, and works. Without one `connection_init` must bring it."""
        with self._counted:
            try:
                if key:
                    await self._use(key)
            except TaskloreError as error:
                await self._close(error)
                return
            watcher = asyncio.create_task(self._watch())
            try:
                await app(self._scope, self.receive, self.send)
            finally:
                watcher.cancel()
                await asyncio.gather(watcher, return_exceptions=True)

    async def receive(self) -> Message:
        message = await self._receive()
        if message["type"] != "websocket.receive":
            return message
        try:
            await self._admit(message)
        except TaskloreError as error:
            return await self._close(error)
        return message

    async def send(self, message: Message) -> None:
        if not self._closed and message["type"] == "websocket.send" and self._key:
            try:
                await self._refresh(self._key)
            except TaskloreError as error:  # nothing is sent with a key that could not be checked
                await self._close(error)
        if not self._closed:
            self._closed = message["type"] == "websocket.close"
            await self._send(message)

    async def _admit(self, message: Message) -> None:
        content = message.get("text") or message.get("bytes") or ""
        most = self._access.perimeter.body_bytes if self._key else KEYLESS_BODY_BYTES
        if len(content) > most:
            raise BodyTooLarge(most)
        if not self._greeted:
            self._greeted = True
            if key := _key_of_greeting(content):
                await self._use(key)
        if self._key is None:
            raise Unauthenticated("no key")
        take_turn(self._access, await self._refresh(self._key))

    async def _use(self, key: str) -> None:
        viewer = await self._refresh(key)
        if self._key is None:
            self._counted.enter_context(self._access.sockets.one(viewer.principal_id))
        self._key = key
        self._scope["state"]["current_viewer"] = partial(self._access.viewers.of_key, key)
        self._access.log.used(viewer, self._caller.client)

    async def _refresh(self, key: str) -> Viewer:
        viewer = await self._access.viewers.of_key(key)
        self._scope["state"]["viewer"] = viewer
        return viewer

    async def _watch(self) -> None:
        """A socket on which nothing moves is closed as well, soon after its key has died, or when none came."""
        patience = self._access.patience.greeting
        while not self._closed:
            await asyncio.sleep(FRESH_SECONDS if self._key else min(FRESH_SECONDS, patience))
            try:
                if self._key:
                    await self._refresh(self._key)
                elif time.monotonic() - self._opened_at >= patience:
                    await self._close(Unauthenticated("no greeting"), _NOT_GREETED)
            except Unauthenticated as error:
                await self._close(error)
            except TaskloreError:
                continue  # the database is away; nothing can be read either, and the next turn asks again

    async def _close(self, error: TaskloreError, code: int | None = None) -> Message:
        code = code or _CLOSE_CODES.get(error.code, _TRY_AGAIN)
        if not self._closed:
            self._closed = True
            log_denied(self._access, self._caller, error)
            await self._send({"type": "websocket.close", "code": code, "reason": error.code})
        return {"type": "websocket.disconnect", "code": code, "reason": error.code}


def take_turn(access: Access, viewer: Viewer) -> None:
    """Refuse a key that asks too often."""
    seconds = access.buckets.take(viewer.key_id or viewer.principal_id)
    if seconds:
        raise RateLimited(access.buckets.per_second, seconds)


def log_denied(access: Access, caller: Caller, error: TaskloreError) -> None:
    facts = caller.facts()
    if isinstance(error, Unauthenticated):
        facts |= {"cause": error.cause, "key": error.key_id}
    access.log.denied(error.code, caller.client, **facts)


def _key_of_greeting(content: str | bytes) -> str | None:
    """The key in `{"type": "connection_init", "payload": {"Authorization": "Bearer …"}}`, if it has one."""
    try:
        greeting: Any = orjson.loads(content)
    except orjson.JSONDecodeError:
        return None
    if not isinstance(greeting, dict):
        return None
    message = cast("dict[str, Any]", greeting)
    payload: Any = message.get("payload") if message.get("type") == "connection_init" else None
    if not isinstance(payload, dict):
        return None
    for name, value in cast("dict[str, Any]", payload).items():
        if name.lower() == "authorization" and isinstance(value, str):
            return bearer_in(value)
    return None
