"""Matching against the graph. A query: it stores nothing, and the same request on the same library gives the same."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from embeddings import EmbeddingError, EmbeddingQueue
from graph_schema.library.words import MatchOutcome
from service.access.viewer import Viewer
from service.commands import RecordRef
from service.commands.errors import RecordMissing
from service.graph.database import Database
from service.matching import cypher
from service.matching.answer import MatchAnswer, NoticeCode, ReuseAnswer, check_shown
from service.matching.assets import KINDS
from service.matching.calibration import Calibration, Models, calibration_for
from service.matching.decide import decide
from service.matching.load import NOTHING, Library, library, named
from service.matching.request import Asked, MatchRequest, asked
from service.matching.vocabulary import asks_for_words, check_words
from service.notices import Notice
from service.search.errors import SearchModelUnavailable
from service.search.watch import Watch

Advise = Callable[[Viewer, Iterable[str]], Awaitable[tuple[Notice, ...]]]
"""What is known of what assets require, beyond what they say: it is told, and weighs nothing."""


async def _nothing_known(_viewer: Viewer, _ids: Iterable[str]) -> tuple[Notice, ...]:
    return ()


class Matching:
    def __init__(self, database: Database, queue: EmbeddingQueue, advise: Advise = _nothing_known) -> None:
        self._database = database
        self._queue = queue
        self._advise = advise

    async def match(
        self,
        viewer: Viewer,
        kind: str,
        request: MatchRequest,
        *,
        first: int | None = None,
        at: datetime | None = None,
    ) -> MatchAnswer:
        """Which asset of a kind fits, with the first of those that lost. `at`: a replay gives the time of the first."""
        check_shown(first)
        watch = Watch()
        question = await self._asked(viewer, request, at)
        watch.lap("embedding")
        return (await self._matched(viewer, question, kind, watch)).showing(first)

    async def reuse(self, viewer: Viewer, request: MatchRequest, *, first: int | None = None) -> ReuseAnswer:
        """What there is to be used again, in the order in which one looks for it. A blank task asks for none of it."""
        check_shown(first)
        watch = Watch()
        question = await self._asked(viewer, request)
        watch.lap("embedding")
        if request.blank:
            return _blank((await self._matched(viewer, question, KINDS[0], watch)).showing(first))
        found = await asyncio.gather(*(self._matched(viewer, question, kind, Watch()) for kind in KINDS))
        return _reuse([one.showing(first) for one in found])

    async def explain(self, viewer: Viewer, request: MatchRequest, ref: RecordRef) -> MatchAnswer:
        """How one asset does for a request, whatever else there is."""
        ref.check("asset")
        watch = Watch()
        question = await self._asked(viewer, request)
        watch.lap("embedding")
        found = await named(self._database, viewer, question, [ref], self._models)
        if not found:
            raise RecordMissing(ref, "asset")
        watch.lap("candidates")
        return await self._decided(viewer, question, found[0].kind, Library(found), watch)

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

    async def check_words(self, viewer: Viewer, request: MatchRequest) -> None:
        """Refuse side effects and capabilities that nothing has which the viewer may see: they are misspelt."""
        if asks_for_words(request):
            rows = await self._database.read(cypher.KNOWN_WORDS, audiences=viewer.audiences)
            check_words(request, {row["kind"]: row["words"] for row in rows})

    async def _matched(self, viewer: Viewer, question: Asked, kind: str, watch: Watch) -> MatchAnswer:
        found = NOTHING
        if question.compared:
            found = await library(self._database, viewer, question, kind, self._models)
        watch.lap("candidates")
        return await self._decided(viewer, question, kind, found, watch)

    async def _decided(self, viewer: Viewer, question: Asked, kind: str, found: Library, watch: Watch) -> MatchAnswer:
        answer = decide(question, found.assets, self._fitted, behind=found.behind)
        watch.lap("scoring")
        told = await self._advise(viewer, [one.asset.id for one in answer.recommended if one.asset.requires])
        return replace(answer, kind=kind, warnings=(*answer.warnings, *told), timings=watch.timings())

    async def _asked(self, viewer: Viewer, request: MatchRequest, at: datetime | None = None) -> Asked:
        """The request as it is compared, with its vector."""
        question = asked(request, at, viewer.principal_id)
        second = _embedded(self._queue.second, question.compared) if self._queue.second else _nothing()
        vector, beside = await asyncio.gather(_embedded(self._queue, question.compared), second)
        return replace(question, vector=vector, second=beside)

    @property
    def _models(self) -> Models:
        second = self._queue.second
        return Models(self._queue.embedder.key, second.embedder.key if second else None)

    @property
    def _fitted(self) -> Calibration:
        return calibration_for(self._models.key)


async def _embedded(queue: EmbeddingQueue, text: str) -> Sequence[float]:
    if not text:
        return [1.0] + [0.0] * (queue.embedder.dimensions - 1)  # nothing is compared with it
    try:
        return await queue.embed_query(text)
    except EmbeddingError as error:
        raise SearchModelUnavailable(error) from error


async def _nothing() -> None:
    return None


def _blank(templates: MatchAnswer) -> ReuseAnswer:
    code = NoticeCode.template_match_available_but_new_graph_requested
    passed_over = tuple(one for one in templates.warnings if one.code == code)
    return ReuseAnswer(
        sections=(templates,) if passed_over else (),
        best=None,
        skipped=True,
        warnings=passed_over,
        explanation=passed_over[0].message
        if passed_over
        else "A blank task was asked for, and no template is a strong match.",
    )


def _reuse(sections: Sequence[MatchAnswer]) -> ReuseAnswer:
    """The first kind that has a match; else the first for which the user is to be asked, rather about one."""
    wanted = (MatchOutcome.match, MatchOutcome.ask, MatchOutcome.several_close)
    best = next((one for outcome in wanted for one in sections if one.outcome is outcome), None)
    return ReuseAnswer(
        sections=tuple(sections),
        best=best,
        skipped=False,
        warnings=(),
        explanation=best.explanation if best else "Nothing that there is fits: make something new.",
    )
