"""Answers of more than a kilobyte are compressed where the client asks for it; streams of events are left alone.

The size of a compressed answer tells what repeats in it, which gives a secret away where answers hold the same secret
again and again beside something that an attacker chose. Ours do not: a key is told once, by the command that makes it.
"""

from functools import lru_cache

from starlette.middleware.gzip import DEFAULT_EXCLUDED_CONTENT_TYPES, GZipResponder, IdentityResponder
from starlette.types import ASGIApp, Receive, Scope, Send

MOST_PLAIN_BYTES = 1_024
LEVEL = 4
"""9 takes three times as long, for a sixth less."""

IN_LOOP_BYTES = 32 * 1024
"""What is larger, half a millisecond's work, is compressed by a thread; zlib lets go of the interpreter."""

AS_THEY_ARE = (*DEFAULT_EXCLUDED_CONTENT_TYPES, "multipart/mixed")


class Compressed:
    """Starlette's responders, chosen by all that `Accept-Encoding` says: its middleware takes `gzip;q=0` for a yes."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        asked = next((value for name, value in scope["headers"] if name == b"accept-encoding"), b"")
        responder = self._gzip() if asked and accepts_gzip(asked.decode("latin-1")) else self._identity()
        # Set, not handed over: what is handed over is read anew for every request.
        responder.exclude_content_types = AS_THEY_ARE
        await responder(scope, receive, send)

    def _gzip(self) -> IdentityResponder:
        return GZipResponder(
            self._app, MOST_PLAIN_BYTES, LEVEL, thread_minimum_size=IN_LOOP_BYTES, exclude_content_types=()
        )

    def _identity(self) -> IdentityResponder:
        """Nothing is compressed, but a cache on the way is told that it could have been."""
        return IdentityResponder(self._app, MOST_PLAIN_BYTES, exclude_content_types=())


@lru_cache(maxsize=64)
def accepts_gzip(header: str) -> bool:
    """Whether `Accept-Encoding` allows gzip: `gzip, br`, `*`, but not `gzip;q=0`. By name it outweighs the star."""
    weights = dict(_weighed(part) for part in header.lower().split(","))
    return weights.get("gzip", weights.get("x-gzip", weights.get("*", 0.0))) > 0


def _weighed(part: str) -> tuple[str, float]:
    name, _, parameters = part.partition(";")
    key, _, weight = parameters.partition("=")
    if key.strip() != "q":
        return name.strip(), 1.0
    try:
        return name.strip(), float(weight)
    except ValueError:
        return name.strip(), 0.0
