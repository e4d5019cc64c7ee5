"""What the doors for executors have in common: bodies, compressed or not, and a turn for what they bring."""

import asyncio
import zlib
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field

from starlette.requests import Request

from service.access.errors import BodyTooLarge, Unauthenticated
from service.access.perimeter import DEFAULT_BODY_BYTES
from service.access.turns import Turns
from service.access.viewer import Viewer
from service.errors import TaskloreError

EVENT_COST = 20
"""An event is a command on a few records (see `resolvers.engine.costs`)."""

_GZIP = 16 + zlib.MAX_WBITS


class ContentEncodingUnsupported(TaskloreError):
    code = "unsupported_content_encoding"

    def __init__(self, given: str) -> None:
        super().__init__(
            f"Bodies are not taken with the encoding {given[:100]}.",
            field="Content-Encoding",
            remedy="Send them plain or with gzip.",
        )


class BodyUnreadable(TaskloreError):
    code = "invalid_body"

    def __init__(self, problem: str) -> None:
        super().__init__(f"The body cannot be read: {problem}.", field="body", remedy="Send it plain, or as gzip.")


Unreadable = Callable[[str], TaskloreError]


@dataclass(frozen=True)
class Door:
    """Limits that hold for every body, whatever it is wrapped in."""

    turns: Turns = field(default_factory=Turns)
    most_bytes: int = DEFAULT_BODY_BYTES

    async def body(self, request: Request, unreadable: Unreadable = BodyUnreadable) -> bytes:
        """The body as it was before it was compressed."""
        sent, encoding = await request.body(), request.headers.get("content-encoding", "")
        if not encoding:
            return sent
        return await asyncio.to_thread(unpacked, sent, encoding, self.most_bytes, unreadable)

    def turn(self, viewer: Viewer, events: int) -> AbstractAsyncContextManager[None]:
        """The time to take so many events."""
        return self.turns.one(viewer.principal_id, events * EVENT_COST)


def viewer_of(request: Request) -> Viewer:
    viewer = request.state.viewer
    if viewer is None:
        raise Unauthenticated("missing")
    return viewer


def unpacked(body: bytes, encoding: str, most: int, unreadable: Unreadable = BodyUnreadable) -> bytes:
    """The body as it was before it was compressed; never more than `most` bytes of it."""
    named = encoding.strip().lower()
    if named in {"", "identity"}:
        return body
    if named != "gzip":
        raise ContentEncodingUnsupported(named)
    stream = zlib.decompressobj(_GZIP)
    try:
        plain = stream.decompress(body, most + 1)
    except zlib.error as error:
        raise unreadable(f"it cannot be decompressed: {error}") from error
    if len(plain) > most:
        raise BodyTooLarge(most)
    if not stream.eof or stream.unused_data:
        raise unreadable("it is not one whole gzip member")
    return plain
