"""The id of a request: taken from the caller when it is harmless, else made here."""

import re
import secrets
from contextvars import ContextVar

HEADER = b"x-request-id"

_SANE = re.compile(rb"[A-Za-z0-9._-]{1,64}")
_request_id: ContextVar[str | None] = ContextVar("request_id", default=None)


def current_request_id() -> str | None:
    """The id of the request that this task serves, if it serves one."""
    return _request_id.get()


def begin_request(headers: list[tuple[bytes, bytes]]) -> str:
    """Choose the id and make it the current one of this task."""
    offered = next((value for name, value in headers if name == HEADER), b"")
    request_id = offered.decode() if _SANE.fullmatch(offered) else secrets.token_hex(8)
    _request_id.set(request_id)
    return request_id
