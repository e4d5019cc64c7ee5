"""One process's share of the service on the test graph: commands, the head of the log and its numberer."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from graph_schema.model.fields import DataClass
from graph_schema.registry import REGISTRY
from service.access.viewer import KeyScope, Viewer
from service.commands import Commands, Outcome, RecordRef, Request, Work
from service.events import Events, Head, Numberer, RecordEvent, RecordEventConnection, ViewerNow
from service.graph.database import Database
from tests.viewers import viewer_of

GOAL: Mapping[str, Any] = {"name": "Goal", "goal_type": "task_outcome_goal", "goal_statement": "Reach it."}


class World:
    """Two worlds on one database share nothing else, as two processes do."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.head = Head(database, lambda: None)
        self.events = Events(database, self.head)
        self.numberer = Numberer(self.head)
        self.commands = Commands(database, REGISTRY, lambda _: self.numberer.notify())

    async def create(self, how_many: int = 1, **values: Any) -> list[str]:
        """Create goals by one command; returns their ids."""

        async def plan(work: Work) -> dict[str, Any]:
            kind = REGISTRY.types["Goal"]
            return {"ids": [work.create(kind, {**GOAL, **values}).id for _ in range(how_many)]}

        return (await self._execute(plan, values)).result["ids"]

    async def update(self, goal: str, **values: Any) -> None:
        ref = RecordRef(id=goal)

        async def plan(work: Work) -> dict[str, Any]:
            return {"id": work.update(work.need(ref, "goal"), values).id}

        await self._execute(plan, values, ref)

    async def number_all(self) -> None:
        while await self.head.advance():
            pass

    def sees(self, clearance: DataClass = DataClass.local_only, matters: tuple[str, ...] | None = None) -> ViewerNow:
        async def now() -> Viewer:
            return await viewer_of(self.database, "prin_reader", clearance=clearance, matters=matters)

        return now

    async def page(self, viewer_now: ViewerNow | None = None, **chosen: Any) -> RecordEventConnection:
        return await self.events.page(viewer_now or self.sees(), **chosen)

    async def read_all(
        self, viewer_now: ViewerNow | None = None, *, first: int = 7, **chosen: Any
    ) -> list[RecordEvent]:
        """All events, page by page."""
        found: list[RecordEvent] = []
        after = chosen.pop("after", None)
        while True:
            page = await self.page(viewer_now, after=after, first=first, **chosen)
            found += page.nodes
            if not page.has_next:
                return found
            after = page.nodes[-1].cursor

    async def _execute(self, plan: Any, content: Mapping[str, Any], *changes: RecordRef) -> Outcome:
        viewer = await viewer_of(self.database, "prin_writer")
        request = Request("saveGoal", KeyScope.curate, {"values": dict(content)}, changes=changes)
        return await self.commands.execute(viewer, request, plan)


@asynccontextmanager
async def numbering(*worlds: World) -> AsyncGenerator[None]:
    """The numberers of these worlds run while the block lasts."""
    tasks = [asyncio.create_task(one.numberer.run()) for one in worlds]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
