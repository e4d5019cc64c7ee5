"""What this process has written, so that it reads it again, also from another server of a cluster."""

import threading
from collections.abc import Collection

from neo4j.api import AsyncBookmarkManager


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
        return self._held
