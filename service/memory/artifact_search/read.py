"""Search for artifacts by name, words and meaning, with the ranker of all searches.

No vector of an artifact is kept in the graph. What may be remembered beyond its run is compared by meaning when it is
asked for; what stays with its run, as all of a private run does, is compared by its words alone.
"""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from embeddings import EmbeddingError, EmbeddingQueue
from graph_schema.model.registry import Registry
from service.access.viewer import Viewer
from service.commands.card_text import card_text
from service.graph.database import Database, Row
from service.memory.artifact_search import cypher
from service.memory.artifact_search.candidates import COMPARED, Candidates, candidates, newest
from service.memory.artifact_search.request import ArtifactFilter, ArtifactSearchRequest
from service.memory.history import BEYOND_RUN
from service.search import explain, ranker
from service.search.answer import (
    Empty,
    Ranker,
    SearchAnswer,
    SearchEmptyReason,
    SearchHit,
    SearchWarning,
    SearchWarningCode,
)
from service.search.errors import SearchModelUnavailable
from service.search.ranker import THRESHOLD, Asked, Names, Near, Scored, ScorePart
from service.search.watch import Watch

NOTHING_THERE = Empty(SearchEmptyReason.no_data, "There is no artifact yet that you may see.")
MOST_REMEMBERED = 4_096
"""Vectors of texts that this process has embedded lately; 1.5 kB each."""


class ArtifactSearch:
    def __init__(self, database: Database, queue: EmbeddingQueue, registry: Registry) -> None:
        self._database = database
        self._queue = queue
        self._type = registry.types["Artifact"]
        self._vectors: OrderedDict[str, Sequence[float]] = OrderedDict()

    async def search(self, viewer: Viewer, request: ArtifactSearchRequest) -> SearchAnswer:
        request.check()
        watch = Watch()
        if not request.text.strip():
            return await self._newest(viewer, request, watch)
        words = ranker.asked(request.text)
        if not words.spoken:
            return self._answer((), False, (), explain.nothing_to_look_for(request.text), watch)
        found = await candidates(self._database, viewer, words, request.filter)
        watch.lap("candidates")
        ranked = await self._ranked(request.text, words, found.found)
        hits = [hit for hit in ranked if _fits(hit, words)]
        watch.lap("scoring")
        empty = None if hits else await self._why_empty(viewer, request, words, ranked)
        watch.lap("explanation")
        return self._answer(hits[: request.first], len(hits) > request.first, _warnings(found), empty, watch)

    async def _newest(self, viewer: Viewer, request: ArtifactSearchRequest, watch: Watch) -> SearchAnswer:
        """Nothing is compared: whatever passes the filters fits."""
        found = await newest(self._database, viewer, request.filter, request.first)
        watch.lap("candidates")
        empty = None if found else await self._nothing_passes(viewer)
        return self._answer([*map(_listed, found[: request.first])], len(found) > request.first, (), empty, watch)

    async def _nothing_passes(self, viewer: Viewer) -> Empty:
        row = await self._database.read_one(cypher.ANY_ARTIFACT, audiences=viewer.audiences)
        if not row or not row["there"]:
            return NOTHING_THERE
        return Empty(SearchEmptyReason.all_filtered, "No artifact that you may see passes the filters.")

    async def _ranked(self, text: str, words: Asked, found: Sequence[Row]) -> list[SearchHit]:
        texts = [card_text(self._type, row) for row in found]
        meant = {one for one, row in zip(texts, found, strict=True) if row["intake_level"] in BEYOND_RUN}
        near = await self._near(text, sorted(meant)) if words.stems and meant else {}
        hits = [
            _hit(words, row, text, near.get(text) if row["intake_level"] in BEYOND_RUN else None)
            for row, text in zip(found, texts, strict=True)
        ]
        return sorted(hits, key=lambda hit: (-hit.score, hit.id))

    async def _near(self, text: str, texts: Sequence[str]) -> dict[str, Near]:
        held = {one: self._vectors[one] for one in texts if one in self._vectors}
        new = [one for one in texts if one not in held]
        try:
            asked = await self._queue.embed_query(text)
            made: list[list[float]] = (await self._queue.embed_texts(new)).tolist() if new else []
        except EmbeddingError as error:
            raise SearchModelUnavailable(error) from error
        held.update(zip(new, made, strict=True))
        self._remember(held)
        unrelated = self._queue.embedder.unrelated
        return {one: Near(_cosine(asked, vector), unrelated) for one, vector in held.items()}

    def _remember(self, vectors: Mapping[str, Sequence[float]]) -> None:
        for text, vector in vectors.items():
            self._vectors[text] = vector
            self._vectors.move_to_end(text)
        while len(self._vectors) > MOST_REMEMBERED:
            self._vectors.popitem(last=False)

    async def _why_empty(
        self, viewer: Viewer, request: ArtifactSearchRequest, words: Asked, ranked: Sequence[SearchHit]
    ) -> Empty:
        row = await self._database.read_one(cypher.ANY_ARTIFACT, audiences=viewer.audiences)
        if not row or not row["there"]:
            return NOTHING_THERE
        if request.filter != ArtifactFilter():
            wider = await candidates(self._database, viewer, words, ArtifactFilter())
            kept_out = [hit for hit in await self._ranked(request.text, words, wider.found) if _fits(hit, words)]
            if kept_out:
                told = f"What fits is kept out by the filters: {len(kept_out)} of what you may see."
                return Empty(SearchEmptyReason.all_filtered, told, ranked[0].score if ranked else None)
        if not ranked:
            return Empty(SearchEmptyReason.below_threshold, "No artifact has a word in common with it.")
        told = f"No artifact reaches the threshold of {THRESHOLD}: the nearest has {ranked[0].score:.3f}."
        return Empty(SearchEmptyReason.below_threshold, told, ranked[0].score)

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


def _hit(words: Asked, row: Row, text: str, near: Near | None) -> SearchHit:
    scored = ranker.score(words, Names(row["id"], row["name"]), text, near)
    if near is None:
        scored = _by_words_alone(scored)
    return SearchHit(
        id=row["id"],
        kind="Artifact",
        name=row["name"],
        score=scored.score,
        parts=scored.parts,
        terms=scored.terms,
        current=near is not None,
    )


def _listed(row: Row) -> SearchHit:
    return SearchHit(id=row["id"], kind="Artifact", name=row["name"], score=1.0, parts=(), terms=(), current=True)


def _by_words_alone(scored: Scored) -> Scored:
    """The same score, with the true reason why meanings were not compared."""
    return replace(scored, parts=tuple(_told(part) for part in scored.parts))


def _told(part: ScorePart) -> ScorePart:
    if part.name != "semantic" or not part.score:
        return part
    return replace(
        part,
        evidence="Not compared by meaning, because it stays with its run: "
        f"the value that texts with such words have on average stands here, {part.score:.2f}.",
    )


def _cosine(one: Sequence[float], other: Sequence[float]) -> float:
    """Vectors of the queue have length 1."""
    return sum(a * b for a, b in zip(one, other, strict=True))


def _fits(hit: SearchHit, words: Asked) -> bool:
    return hit.score >= (THRESHOLD if words.stems else ranker.EXACT_FLOOR)


def _warnings(found: Candidates) -> list[SearchWarning]:
    warnings = [explain.unavailable_warning()] if found.index_unavailable else []
    if found.cut:
        message = f"More artifacts take part than are compared: the {COMPARED} that share most words with the search."
        warnings.append(SearchWarning(SearchWarningCode.candidates_cut, message))
    return warnings
