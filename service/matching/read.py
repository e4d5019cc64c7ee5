"""Matching against the graph. A query: it stores nothing, and the same request on the same library gives the same."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime

from embeddings import EmbeddingError, EmbeddingQueue
from graph_schema.library.words import MatchOutcome
from service.access.viewer import Viewer
from service.commands import RecordRef
from service.commands.errors import RecordMissing
from service.graph.database import Database
from service.matching import cypher
from service.matching.calibration import calibration_for
from service.matching.decide import decide
from service.matching.load import KINDS, NOTHING, Asked, Library, library, named
from service.matching.matched import Matched, Reuse, Wanted
from service.matching.records import NoteCode, Request
from service.search.errors import SearchModelUnavailable
from service.search.watch import Watch


class Matching:
    def __init__(self, database: Database, queue: EmbeddingQueue) -> None:
        self._database = database
        self._queue = queue

    async def match(self, viewer: Viewer, kind: str, wanted: Wanted, now: datetime | None = None) -> Matched:
        """Which asset of a kind fits. `now` is what recency is counted from; a replay gives the time of the first."""
        watch = Watch()
        asked = await self._asked(viewer, wanted, now)
        watch.lap("embedding")
        return await self._matched(asked, kind, watch)

    async def reuse(self, viewer: Viewer, wanted: Wanted) -> Reuse:
        """What there is to be used again, in the order in which one looks for it. A blank task asks for none of it."""
        watch = Watch()
        asked = await self._asked(viewer, wanted, None)
        watch.lap("embedding")
        if wanted.blank:
            return _blank(await self._matched(asked, KINDS[0], watch))
        sections = await asyncio.gather(*(self._matched(asked, kind, Watch()) for kind in KINDS))
        return _reuse(sections)

    async def explain(self, viewer: Viewer, wanted: Wanted, ref: RecordRef) -> Matched:
        """How one asset does for a request, whatever else there is."""
        ref.check("asset")
        watch = Watch()
        asked = await self._asked(viewer, wanted, None)
        watch.lap("embedding")
        found = await named(self._database, asked, [ref])
        if not found:
            raise RecordMissing(ref, "asset")
        watch.lap("candidates")
        return _decided(asked, found[0].kind, Library(found), watch)

    async def ids_of(self, viewer: Viewer, refs: Sequence[RecordRef]) -> tuple[str, ...]:
        """Ids of what a request is about. What is unknown or hidden keeps its name, and is bound to nothing."""
        for ref in refs:
            ref.check("entities")
        keyed = [{"source": ref.source, "key": ref.key} for ref in refs if ref.id is None]
        known: dict[tuple[str | None, str | None], str] = {}
        if keyed:
            [row] = await self._database.read(cypher.IDS, refs=keyed, audiences=viewer.audiences)
            known = {(source, key): found for source, key, found in row["found"]}
        return tuple(ref.id or known.get((ref.source, ref.key), str(ref)) for ref in refs)

    async def _matched(self, asked: Asked, kind: str, watch: Watch) -> Matched:
        found = await library(self._database, asked, kind) if asked.request.said.compared else NOTHING
        watch.lap("candidates")
        return _decided(asked, kind, found, watch)

    async def _asked(self, viewer: Viewer, wanted: Wanted, now: datetime | None) -> Asked:
        fitted = calibration_for(self._queue.embedder.key)
        request = wanted.request(now or datetime.now(UTC), viewer.principal_id)
        return Asked(request, await self._embedded(request), viewer, fitted)

    async def _embedded(self, request: Request) -> Sequence[float]:
        if not request.said.compared:
            return [1.0] + [0.0] * (self._queue.embedder.dimensions - 1)  # nothing is compared with it
        try:
            return await self._queue.embed_query(request.said.compared)
        except EmbeddingError as error:
            raise SearchModelUnavailable(error) from error


def _decided(asked: Asked, kind: str, found: Library, watch: Watch) -> Matched:
    answer = decide(asked.request, found.assets, asked.fitted, behind=found.behind)
    watch.lap("scoring")
    return Matched(kind, answer, watch.timings())


def _blank(templates: Matched) -> Reuse:
    code = NoteCode.template_match_available_but_new_graph_requested
    note = next((one for one in templates.answer.notes if one.code is code), None)
    return Reuse(
        sections=(templates,) if note else (),
        best=None,
        skipped=True,
        passed_over=note,
        explanation=note.message if note else "A blank task was asked for, and no template is a strong match.",
    )


def _reuse(sections: Sequence[Matched]) -> Reuse:
    """The first kind that has a match; else the first for which the user is to be asked, rather about one."""
    for outcome in (MatchOutcome.match, MatchOutcome.ask, MatchOutcome.several_close):
        for one in sections:
            if one.answer.outcome is outcome:
                return Reuse(tuple(sections), one, False, None, one.answer.explanation)
    return Reuse(tuple(sections), None, False, None, "Nothing that there is fits: make something new.")
