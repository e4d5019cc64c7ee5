"""What every answer tells a browser: guess nothing, keep nothing, show it in no frame, hand it to no other site."""

from collections.abc import Sequence

Headers = list[tuple[bytes, bytes]]

SAFE: tuple[tuple[bytes, bytes], ...] = (
    (b"x-content-type-options", b"nosniff"),
    (b"cache-control", b"no-store"),
    (b"content-security-policy", b"default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
)


_NAMES = frozenset(name for name, _ in SAFE)


def safe(headers: Sequence[tuple[bytes, bytes]]) -> Headers:
    """The headers of an answer, with those that it lacks. What a page says of itself stays: it knows what it loads."""
    named = {name for name, _ in headers}
    if named.isdisjoint(_NAMES):  # nearly all answers are data, and say nothing of it
        return [*headers, *SAFE]
    given = [(name, _unkept(value) if name == b"cache-control" else value) for name, value in headers]
    return [*given, *(one for one in SAFE if one[0] not in named)]


def _unkept(said: bytes) -> bytes:
    """What says how long it may be kept is meant to be; a stream only says that it is not to be changed on its way."""
    return said if b"max-age" in said or b"no-store" in said else said + b", no-store"
