"""Following one run: each event about it, with what of the run changed, as it stands when it is told."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from graph_schema.memory.words import RunStatus
from graph_schema.model.registry import Registry
from service.events import Events, RecordEvent, ViewerNow
from service.graph.database import Database
from service.memory.reporting import cypher
from service.views import Id, Linked


@dataclass(frozen=True, slots=True, kw_only=True)
class RunChangePart:
    """A record of a run that changed, as it stands now."""

    id: Annotated[Id, "Its id."]
    kind: Annotated[str, "Its type: Activation, Span, Artifact, Delivery, Gate and so on."]
    key: Annotated[str | None, "What the executor calls it, where it has a name of its own."]
    name: Annotated[str, "What people call it."]
    status: Annotated[str | None, "Where it stands, in the words of its type."]
    version: Annotated[int, "How many events have spoken about it, for a client that kept it."]
    module_key: Annotated[str | None, "The module that it belongs to."]
    activation_seq: Annotated[int | None, "Which activation of that module."]
    record: ClassVar = Linked("id", "The record itself.")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunChange:
    """Something that happened in a run."""

    cursor: Annotated[str, "Go on from here with `after`."]
    run_id: Annotated[Id, "Id of the run."]
    status: Annotated[RunStatus, "Where the run stands now."]
    version: Annotated[int, "Version of the run now."]
    event: Annotated[
        RecordEvent | None,
        "What happened. Null in the first item without a cursor, which only says where the run stands.",
    ]
    parts: Annotated[tuple[RunChangePart, ...], "What of the run changed by it and may be seen."]
    run: ClassVar = Linked("run_id", "The run itself.", "Run")


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
        return RunChange(
            cursor=cursor,
            run_id=run_id,
            status=RunStatus(row["status"]),
            version=row["version"],
            event=event,
            parts=tuple(self._part(one) for one in row["parts"]),
        )

    def _part(self, row: dict[str, Any]) -> RunChangePart:
        kind = self._registry.type_of_id(row["id"])
        return RunChangePart(kind=kind.label if kind else "", **row)
