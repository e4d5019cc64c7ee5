"""Cursors: where a page ended, as an opaque word that stays right while records are added.

A cursor holds the place in the order, `[order, value, record id, link]`, and no position: records that arrive before
or after it do not move it.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any, NamedTuple

import orjson

from service.graph.reads.errors import CursorInvalid

_MAX_LENGTH = 8_000


class Place(NamedTuple):
    """The value that the list is ordered by, and what breaks ties: the record's id, then the link's."""

    value: Any
    id: str
    link: str | None


def encode(tag: str, value: Any, record_id: str, link: str | None) -> str:
    return urlsafe_b64encode(orjson.dumps((tag, value, record_id, link))).rstrip(b"=").decode()


def decode(cursor: str, tag: str, *, field: str, linked: bool, nullable: bool) -> Place:
    try:
        if len(cursor) > _MAX_LENGTH:
            raise CursorInvalid(field)
        parts: Any = orjson.loads(urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        found, value, record_id, link = parts
    except (ValueError, TypeError):
        raise CursorInvalid(field) from None
    fits = found == tag and isinstance(record_id, str) and isinstance(link, str if linked else type(None))
    if not fits or not isinstance(value, str | int | float | None) or (value is None and not nullable):
        raise CursorInvalid(field)
    return Place(value, record_id, link)
