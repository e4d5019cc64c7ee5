"""Records asked for one by one, read together."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

Read = Callable[[list[str]], Awaitable[list[Any]]]


@dataclass
class _Batch:
    ids: dict[str, None] = field(default_factory=dict[str, None])
    answer: "asyncio.Task[dict[str, Any]] | None" = None


class RecordLoader:
    """Gathers the ids that are asked for at one place. It keeps nothing: what is asked later is read again."""

    def __init__(self) -> None:
        self._batches: dict[object, _Batch] = {}

    async def load(self, place: object, record_id: str, read: Read) -> Any:
        batch = self._batches.setdefault(place, _Batch())
        batch.ids[record_id] = None
        if batch.answer is None:
            batch.answer = asyncio.ensure_future(self._read(place, batch, read))
        return (await batch.answer).get(record_id)

    async def _read(self, place: object, batch: _Batch, read: Read) -> dict[str, Any]:
        await asyncio.sleep(0)  # the siblings of the first field ask before this goes on
        del self._batches[place]
        ids = list(batch.ids)
        return dict(zip(ids, await read(ids), strict=True))
