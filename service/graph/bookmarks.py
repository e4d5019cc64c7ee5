"""What was written, so that it is read again, also by another process and from another server of a cluster.

Each process reads what it has written itself. A caller whose next request may be answered by another process brings the
bookmark that came with the answer to the write.
"""

import re
import threading
from collections.abc import Collection, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from neo4j.api import AsyncBookmarkManager

from service.graph.errors import BookmarkInvalid

HEADER = "tasklore-bookmark"
MOST_CHARACTERS = 2_000
_FORM = re.compile(r"[\w:+/=.-]+(,[\w:+/=.-]+)*", re.ASCII)


@dataclass
class Trail:
    """What one operation brought with it, and what it has written."""

    brought: frozenset[str] = frozenset()
    outer: "Trail | None" = None
    """Of the request that the operation is a part of."""
    _written: set[str] = field(default_factory=set[str])

    def wrote(self, bookmarks: Collection[str]) -> None:
        self._written.update(bookmarks)
        if self.outer:
            self.outer.wrote(bookmarks)

    @property
    def bookmark(self) -> str | None:
        """To be brought by whoever wants to read what was written here; None where nothing was."""
        return ",".join(sorted(self._written)) or None


_trail: ContextVar[Trail | None] = ContextVar("trail", default=None)


class following:  # noqa: N801 - reads as a word in a with statement
    """Reads in the block see what the bookmark stands for; writes in it leave one. It is whatever a caller sent."""

    __slots__ = ("_bookmark", "_token")

    def __init__(self, bookmark: Any = None) -> None:
        self._bookmark = bookmark

    def __enter__(self) -> Trail:
        trail = Trail(_told(self._bookmark), _trail.get())
        self._token = _trail.set(trail)
        return trail

    def __exit__(self, *_: object) -> None:
        _trail.reset(self._token)


@contextmanager
def untold() -> Generator[None]:
    """Writes in the block leave no bookmark: whoever asks is not to learn from the answer that anything was written."""
    trail = _trail.get()
    token = _trail.set(Trail(trail.brought if trail else frozenset()))
    try:
        yield
    finally:
        _trail.reset(token)


def note_written(bookmarks: Collection[str]) -> None:
    if trail := _trail.get():
        trail.wrote(bookmarks)


def _told(bookmark: Any) -> frozenset[str]:
    if bookmark is None or bookmark == "":
        return frozenset()
    if not isinstance(bookmark, str) or len(bookmark) > MOST_CHARACTERS or not _FORM.fullmatch(bookmark):
        raise BookmarkInvalid
    return frozenset(bookmark.split(","))


class Bookmarks(AsyncBookmarkManager):
    """The driver's own belongs to one event loop; these are shared with the lane beside it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: frozenset[str] = frozenset()

    async def update_bookmarks(self, previous_bookmarks: Collection[str], new_bookmarks: Collection[str]) -> None:
        if new_bookmarks:
            with self._lock:
                self._held = (self._held - frozenset(previous_bookmarks)) | frozenset(new_bookmarks)

    async def get_bookmarks(self) -> Collection[str]:
        trail = _trail.get()
        return self._held | trail.brought if trail else self._held
