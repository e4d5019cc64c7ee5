"""What a request's headers say about who sent it. Nothing here is believed yet."""

from ipaddress import ip_address
from typing import Any

from starlette.types import Scope

from service.access.perimeter import loggable

COOKIE = "tasklore_session"

_COOKIE = COOKIE.encode() + b"="
_FORWARDED = (b"forwarded", b"x-forwarded-for")
_PATH_LENGTH = 200


class Caller:
    __slots__ = ("client", "headers", "host", "method", "origin", "path", "scheme", "scope")

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.headers: dict[bytes, bytes] = dict(scope["headers"])
        self.host = self.headers.get(b"host", b"")
        self.origin = self.headers.get(b"origin")
        self.method: str = scope.get("method", "WEBSOCKET")
        self.path: str = scope["path"]
        self.scheme: str = scope.get("scheme", "http")
        client = scope.get("client")
        self.client: str = client[0] if client else ""

    @property
    def bearer(self) -> str | None:
        """The key of the Authorization header. A header of another kind is a key that fits nothing."""
        header = self.headers.get(b"authorization")
        return None if header is None else bearer_in(header.decode("latin-1"))

    @property
    def cookie(self) -> str | None:
        for pair in self.headers.get(b"cookie", b"").split(b";"):
            stripped = pair.strip()
            if stripped.startswith(_COOKIE):
                return stripped[len(_COOKIE) :].decode("latin-1")
        return None

    @property
    def is_same_origin(self) -> bool:
        """What browsers say of a request that has no Origin header."""
        return self.headers.get(b"sec-fetch-site") == b"same-origin"

    @property
    def is_preflight(self) -> bool:
        return self.method == "OPTIONS" and b"access-control-request-method" in self.headers and bool(self.origin)

    @property
    def wants_page(self) -> bool:
        return self.method == "GET" and b"text/html" in self.headers.get(b"accept", b"")

    @property
    def is_on_this_machine(self) -> bool:
        """A proxy on this machine speaks for others, and says so."""
        return _is_loopback(self.client) and not any(name in self.headers for name in _FORWARDED)

    @property
    def body_bytes(self) -> int:
        """As announced; a body that is sent in chunks announces nothing."""
        length = self.headers.get(b"content-length", b"")
        return int(length) if length.isdigit() and len(length) < 20 else 0

    def facts(self) -> dict[str, Any]:
        """For the access log. Never the query, which may hold a token, nor the secret of a link."""
        return {"method": self.method, "path": loggable(self.path)[:_PATH_LENGTH]}


def bearer_in(text: str) -> str:
    scheme, _, key = text.partition(" ")
    return key.strip() if scheme.lower() == "bearer" else ""


def _is_loopback(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False
