"""The access log: who was refused, which keys are used, what was administered. It never holds a key."""

import os
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import orjson

from service import clock
from service.access.buckets import Buckets
from service.access.viewer import Viewer
from service.observe.logs import log
from service.observe.requests import current_request_id

CHANNEL = "access"
USE_SECONDS = 3600.0
MOST_KEYS = 10_000
DENIED_A_SECOND = 1.0
DENIED_AT_ONCE = 50
REMEMBERED = 500
"""Lines that a process remembers of its own, for whoever looks."""
TAIL_BYTES = 250_000


class AccessLog:
    """Lines with `channel=access` among the others, and as JSON in a file of their own where one is named."""

    def __init__(
        self, file: Path | None = None, *, stream: bool = True, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        """`stream`: whether the lines also go to the process's ordinary log."""
        self._file = file.expanduser() if file else None
        self._stream = stream
        self._monotonic = monotonic
        self._used: dict[str, float] = {}
        self._denied = Buckets(DENIED_A_SECOND, DENIED_AT_ONCE, monotonic)
        self._unwritten: dict[str, int] = {}
        self._last: deque[dict[str, Any]] = deque(maxlen=REMEMBERED)

    def denied(self, code: str, client: str, **facts: Any) -> None:
        """A request that was refused. A flood from one address is counted, not written line by line."""
        if self._denied.take(client):
            self._count(client)
            return
        if more := self._unwritten.pop(client, 0):
            facts["not_written_before"] = more
        self._write("denied", code=code, client=client, **facts)

    def used(self, viewer: Viewer, client: str) -> None:
        """A key that was used; written once an hour for each key and process."""
        now = self._monotonic()
        key = viewer.key_id or viewer.name
        if now < self._used.get(key, 0.0):
            return
        if len(self._used) >= MOST_KEYS:
            self._used.clear()
        self._used[key] = now + USE_SECONDS
        self._write("key used", key=viewer.key_id, principal=viewer.principal_id, client=client)

    def administered(self, kind: str, viewer: Viewer, about: str, **facts: Any) -> None:
        """A change of principals or keys. The event in the graph is the lasting record of it."""
        self._write("administered", kind=kind, by=viewer.principal_id, about=about, **facts)

    def last(self, most: int) -> list[dict[str, Any]]:
        """The newest lines first: of the file, which all processes share; without one, what this process wrote."""
        lines = self._tail() if self._file else [*self._last]
        return [dict(one) for one in lines[::-1][: max(most, 0)]]

    def _tail(self) -> list[dict[str, Any]]:
        assert self._file is not None  # noqa: S101 - the caller looked
        found: list[Any] = []
        try:
            with self._file.open("rb") as file:
                file.seek(max(0, file.seek(0, os.SEEK_END) - TAIL_BYTES))
                lines = file.read().splitlines()
        except OSError:
            return found
        for line in lines:
            with suppress(orjson.JSONDecodeError):  # the first one may be cut
                found.append(orjson.loads(line))
        return [one for one in found if isinstance(one, dict) and {"time", "event"} <= {*one}]

    def _count(self, client: str) -> None:
        if client in self._unwritten or len(self._unwritten) < MOST_KEYS:
            self._unwritten[client] = self._unwritten.get(client, 0) + 1

    def _write(self, event: str, **facts: Any) -> None:
        known = {name: value for name, value in facts.items() if value is not None}
        if self._stream:
            log.info(event, channel=CHANNEL, **known)
        line = {"time": clock.now(), "event": event, "request_id": current_request_id(), **known}
        self._last.append(line)
        if self._file:
            self._append(line)

    def _append(self, line: dict[str, Any]) -> None:
        """One write to a file opened anew: whole lines from several processes, and free to be rotated at any time."""
        assert self._file is not None  # noqa: S101 - the caller looked
        try:
            handle = os.open(self._file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            try:
                os.write(handle, orjson.dumps(line, default=str) + b"\n")
            finally:
                os.close(handle)
        except OSError as error:
            log.error("the access log cannot be written", channel=CHANNEL, file=str(self._file), reason=error.strerror)
