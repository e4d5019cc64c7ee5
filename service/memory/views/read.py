"""Runs as their read models show them."""

from collections.abc import Collection

from service import clock
from service.access.viewer import Viewer
from service.graph.database import Database
from service.memory.views.facts import Part
from service.memory.views.index import RunIndex
from service.memory.views.load import load_run
from service.memory.views.paging import StepPages
from service.memory.views.steps import RunSteps, StepsRequest, is_whole, steps


class Runs:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def index(self, viewer: Viewer, run_id: str, parts: Collection[Part]) -> RunIndex | None:
        """A run as of now, or None when there is none that the viewer may see."""
        found = await load_run(self._database, viewer, run_id, parts)
        return RunIndex(found, clock.now()) if found else None

    async def steps(self, viewer: Viewer, index: RunIndex, request: StepsRequest) -> RunSteps:
        """The steps that were asked for: from what is at hand if that is all of them, else page by page."""
        request.check()
        if is_whole(index):
            return steps(index, request)
        return await StepPages(self._database, viewer, index).page(request)
