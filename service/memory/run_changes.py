"""Following one run: each event about it, with what of the run changed, as it stands when it is told."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from graph_schema.model.registry import Registry
from service.events import Events, RecordEvent, ViewerNow
from service.graph.database import Database
from service.memory.reporting import cypher


@dataclass(frozen=True, slots=True)
class Part:
    """A record of the run that changed."""

    id: str
    kind: str
    key: str | None
    name: str
    status: str | None
    version: int
    module_key: str | None
    activation_seq: int | None


@dataclass(frozen=True, slots=True)
class RunChange:
    """Without an event it only says where the run stands, and from where to go on."""

    cursor: str
    run_id: str
    status: str
    version: int
    parts: list[Part]
    event: RecordEvent | None = None


class RunChanges:
    def __init__(self, database: Database, registry: Registry, events: Events) -> None:
        self._database = database
        self._registry = registry
        self._events = events

    async def changes(
        self, viewer_now: ViewerNow, run_id: str, *, after: str | None = None, kinds: Sequence[str] = ()
    ) -> AsyncGenerator[RunChange]:
        """Without end. Of a run that is hidden there is nothing, as of one that is not there."""
        if after is None:
            # The place in the log is taken before the run is read: what happens between is told twice, not never.
            page = await self._events.page(viewer_now, about=run_id, first=1)
            after = page.head
            opening = await self._change(viewer_now, run_id, after, None)
            if opening is not None:
                yield opening
        source = self._events.follow(viewer_now, after=after, kinds=kinds, about=run_id)
        async with aclosing(source) as found:
            async for event in found:
                change = await self._change(viewer_now, run_id, event.cursor, event)
                if change is not None:
                    yield change

    async def _change(
        self, viewer_now: ViewerNow, run_id: str, cursor: str, event: RecordEvent | None
    ) -> RunChange | None:
        viewer = await viewer_now()
        row = await self._database.read_one(
            cypher.RUN_CHANGE, run=run_id, event=event.event_id if event else None, audiences=viewer.audiences
        )
        if row is None:
            return None
        parts = [self._part(one) for one in row["parts"]]
        return RunChange(cursor, run_id, row["status"], row["version"], parts, event)

    def _part(self, row: dict[str, Any]) -> Part:
        kind = self._registry.type_of_id(row["id"])
        return Part(kind=kind.label if kind else "", **row)
