"""Which capability a need is about: one that the text names, else the one that fits it best. No model but search."""

from collections.abc import Iterable

from service.access.viewer import Viewer
from service.commands import RecordRef
from service.commands.errors import RecordMissing
from service.context.expansion import cypher
from service.context.expansion.errors import NothingFits
from service.context.matters import within
from service.graph.database import Database, Row
from service.search import Search, SearchRequest
from service.words import spoken


class Finding:
    def __init__(self, database: Database, search: Search) -> None:
        self._database = database
        self._search = search

    async def of_need(self, viewer: Viewer, run: RecordRef, need: str) -> list[str]:
        """Ids in the order of their names. What belongs to matters that the run is not about is not looked at."""
        row = await self._database.read_one(
            cypher.MATTERS_OF_RUN, id=run.id, source=run.source, key=run.key, audiences=viewer.audiences
        )
        if row is None:
            raise RecordMissing(run, "run")
        inside = within(viewer, row["matters"])
        known = await self._database.read_one(cypher.CAPABILITY_NAMES, audiences=inside.audiences)
        named = _named(need, known["found"] if known else [])
        if named:
            return named
        answer = await self._search.search(inside, SearchRequest(need, ["Capability"], first=1))
        if not answer.hits:
            raise NothingFits
        return [answer.hits[0].id]


def _named(need: str, known: Iterable[Row]) -> list[str]:
    text = f" {spoken(need)} "
    found = [one for one in known if any(f" {spoken(name)} " in text for name in (one["name"], one["key"]) if name)]
    return [one["id"] for one in sorted(found, key=lambda one: (one["name"], one["id"]))]
