"""Search over everything that has a card: by name, alias, key, words and meaning."""

from collections.abc import Sequence

from embeddings import EmbeddingError, EmbeddingQueue
from graph_schema.model.registry import Registry
from service.access.viewer import Viewer
from service.graph.database import Database, Row
from service.search import cypher, explain, ranker
from service.search.answer import Empty, Ranker, SearchAnswer, SearchHit, SearchWarning
from service.search.candidates import Candidates, Sought, candidates
from service.search.errors import SearchModelUnavailable
from service.search.ranker import THRESHOLD, Asked, Names, Near
from service.search.request import HIDDEN_STATES, Filters, SearchRequest, check, everything
from service.search.watch import Watch


class Search:
    """A query: it stores nothing, and the same request on the same visible records gives the same answer."""

    def __init__(self, database: Database, queue: EmbeddingQueue, registry: Registry) -> None:
        self._database = database
        self._queue = queue
        self._registry = registry

    async def search(self, viewer: Viewer, request: SearchRequest) -> SearchAnswer:
        filters = check(request, self._registry)
        words = ranker.asked(request.text)
        watch = Watch()
        if not words.spoken:
            return self._answer((), False, (), explain.nothing_to_look_for(request.text), watch)
        vector = await self._embedded(request.text) if words.stems else None
        watch.lap("embedding")
        sought = Sought(words, vector, filters, request.first)
        found = await candidates(self._database, self._queue.embedder, viewer, sought)
        watch.lap("candidates")
        ranked = rank(words, found.found, self._queue.embedder.unrelated)
        hits = [hit for hit in ranked if _fits(hit, words)]
        watch.lap("scoring")
        empty = None if hits else await self._why_empty(viewer, request, sought, ranked)
        watch.lap("explanation")
        truncated = len(hits) > request.first
        return self._answer(hits[: request.first], truncated, _warnings(found), empty, watch)

    async def _embedded(self, text: str) -> list[float]:
        try:
            return await self._queue.embed_query(text)
        except EmbeddingError as error:
            raise SearchModelUnavailable(error) from error

    async def _why_empty(
        self, viewer: Viewer, request: SearchRequest, sought: Sought, ranked: Sequence[SearchHit]
    ) -> Empty:
        if not sought.words.stems:
            return explain.nothing_to_look_for(request.text)
        [extent] = await self._database.read(
            cypher.EXTENT,
            audiences=viewer.audiences,
            kinds=sought.filters.kinds,
            hidden_states=sought.filters.hidden_states,
            model=self._queue.embedder.key,
        )
        kept_out = await self._kept_out(viewer, sought) if extent["visible"] else []
        return explain.why_empty(extent, ranked[0] if ranked else None, kept_out)

    async def _kept_out(self, viewer: Viewer, sought: Sought) -> list[SearchHit]:
        """What would be found without the filters; nothing that passes them, or there would have been hits."""
        wider: Filters = everything(self._registry)
        if wider == sought.filters:
            return []
        unfiltered = Sought(sought.words, sought.vector, wider, sought.first)
        found = await candidates(self._database, self._queue.embedder, viewer, unfiltered)
        return [
            hit for hit in rank(sought.words, found.found, self._queue.embedder.unrelated) if _fits(hit, sought.words)
        ]

    def _answer(
        self,
        hits: Sequence[SearchHit],
        truncated: bool,
        warnings: Sequence[SearchWarning],
        empty: Empty | None,
        watch: Watch,
    ) -> SearchAnswer:
        return SearchAnswer(
            hits=tuple(hits),
            ranker=Ranker(name=ranker.NAME, version=ranker.VERSION, model=self._queue.embedder.key),
            threshold=THRESHOLD,
            truncated=truncated,
            warnings=tuple(warnings),
            empty=empty,
            timings=watch.timings(),
        )


def rank(words: Asked, found: Sequence[Row], unrelated: float) -> list[SearchHit]:
    """All candidates, best first; those with the same score in the order of their ids."""
    return sorted((_hit(words, row, unrelated) for row in found), key=lambda hit: (-hit.score, hit.id))


def _hit(words: Asked, row: Row, unrelated: float) -> SearchHit:
    names = Names(row["id"], row["name"], row["aliases"] or (), row["keys"] or ())
    scored = ranker.score(words, names, row["text"], Near.of(row["similarity"], unrelated))
    return SearchHit(
        id=row["id"],
        kind=row["kind"],
        name=row["name"],
        score=scored.score,
        parts=scored.parts,
        terms=scored.terms,
        current=row["current"],
        archived=row["state"] in HIDDEN_STATES,
    )


def _fits(hit: SearchHit, words: Asked) -> bool:
    """A request of common words alone finds only what is called exactly so."""
    return hit.score >= (THRESHOLD if words.stems else ranker.EXACT_FLOOR)


def _warnings(found: Candidates) -> list[SearchWarning]:
    warnings = [explain.behind_warning(found.behind)] if found.behind else []
    return [*warnings, *([explain.unavailable_warning()] if found.index_unavailable else [])]
