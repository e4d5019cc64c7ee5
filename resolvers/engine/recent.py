"""What was used last, within a number and within so many bytes."""

from collections import OrderedDict
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")

ENTRY = 1_000
"""Bytes that an entry takes beside what its weight says."""


class Recent(Generic[K, V]):
    """A mapping that keeps the entries used last: no more than `size`, and none that weigh more than `room` together.

    What alone weighs more is not kept at all: everything else would have to go for it.
    """

    def __init__(self, size: int, room: int | None = None) -> None:
        self._size = size
        self._room = room
        self._entries: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self.weight = 0

    def get(self, key: K) -> V | None:
        entry = self._entries.get(key)
        if entry is None:
            return None
        self._entries.move_to_end(key)
        return entry[0]

    def put(self, key: K, value: V, weight: int = 0) -> V:
        if self._room is not None and weight + ENTRY > self._room:
            return value
        self._drop(key)
        self._entries[key] = (value, weight + ENTRY)
        self.weight += weight + ENTRY
        while self._is_full():
            self._drop(next(iter(self._entries)))
        return value

    def _is_full(self) -> bool:
        return len(self._entries) > self._size or (self._room is not None and self.weight > self._room)

    def _drop(self, key: K) -> None:
        entry = self._entries.pop(key, None)
        if entry is not None:
            self.weight -= entry[1]

    def __len__(self) -> int:
        return len(self._entries)
