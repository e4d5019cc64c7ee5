"""Looking at a prompt. A query: it stores nothing."""

from service.access.viewer import Viewer
from service.graph.database import Database
from service.knowledge.prompts.check import PromptCheck, check
from service.knowledge.prompts.load import PromptPlaces, PromptRequest


class PromptChecks:
    def __init__(self, database: Database) -> None:
        self._places = PromptPlaces(database)

    async def check(self, viewer: Viewer, of: str | None, asked: PromptRequest) -> PromptCheck:
        found = await self._places.find(viewer, of, asked)
        return check(found.text, found.place, found.told, asked.mode)
