"""Keeping a match with all that it weighed; deciding it again from that, and comparing it with what is said today."""

from collections.abc import Sequence
from typing import Any

from graph_schema.model.fields import TEXT_LENGTH, DataClass
from service import clock
from service.access.audience import strictest
from service.access.viewer import KeyScope, Viewer
from service.commands import Commands, Outcome, RecordRef, Request, Work
from service.commands.errors import RecordMissing
from service.commands.work import State
from service.graph.database import Database
from service.matching import cypher
from service.matching.answer import MatchAnswer, MatchCandidate, check_shown
from service.matching.assets import Asset
from service.matching.comparison import MatchComparison, compare
from service.matching.frozen import frozen, written
from service.matching.kept import MOST_KEPT, Kept, Question, kept_of, shortened, values_of, waits_for_vectors
from service.matching.read import Matching
from service.matching.replay import MatchReplay, replay
from service.matching.request import MatchRequest, asked

MATCHED = "task.agent.template_matches.updated"


class KeptMatches:
    def __init__(self, commands: Commands, database: Database, matching: Matching) -> None:
        self._commands = commands
        self._database = database
        self._matching = matching

    async def keep(self, viewer: Viewer, kind: str, request: MatchRequest, *, command_id: str | None = None) -> Outcome:
        """Match, and store the answer with every asset that was weighed."""
        keeping = await self.prepare(viewer, kind, request)
        content = {"kind": kind, "request": request.details()}
        command = Request("recordMatch", KeyScope.curate, content, reads=keeping.reads, command_id=command_id)
        return await self._commands.execute(viewer, command, keeping.plan)

    async def prepare(self, viewer: Viewer, kind: str, request: MatchRequest) -> "Keeping":
        """A match that is on its way, for a command that keeps it with more."""
        at = clock.now()
        found = await self._matching.match(viewer, kind, request, at=clock.parse(at))
        return Keeping(viewer, Question(kind, request, at, found.ranker.model, waits_for_vectors(found)), found)

    async def replay(self, viewer: Viewer, match_id: str, *, first: int | None = None) -> MatchReplay:
        """The match, decided again from the facts that it keeps, whatever has become of the library."""
        check_shown(first)
        return replay(await self._kept(viewer, match_id), first)

    async def compare(self, viewer: Viewer, match_id: str, *, first: int | None = None) -> MatchComparison:
        """The kept answer and that of today. On an unchanged library they are the same."""
        check_shown(first)
        kept = await self._kept(viewer, match_id)
        question, at = kept.question, clock.parse(kept.question.at)
        now = await self._matching.match(viewer, question.kind, question.request, at=at)
        return compare(kept, asked(question.request, at, viewer.principal_id), now, first)

    async def _kept(self, viewer: Viewer, match_id: str) -> Kept:
        row = await self._database.read_one(cypher.KEPT, id=match_id, audiences=viewer.audiences)
        if row is None:
            raise RecordMissing(RecordRef(id=match_id), "match")
        return kept_of(row)


class Keeping:
    """A match on its way into the graph. What is stored is decided from the facts that are stored: so a replay says
    the same, word by word."""

    def __init__(self, viewer: Viewer, question: Question, found: MatchAnswer) -> None:
        read = [one.asset for one in found.weighed[:MOST_KEPT]]
        asking = asked(question.request, clock.parse(question.at), viewer.principal_id)
        facts = [frozen(asking, one) for one in read]
        self.found = found
        answer = question.answer(facts)
        self._values = values_of(question, answer, left_out=len(found.weighed) - len(read))
        self._weighed = _weighed(answer)
        self._refs = [RecordRef(id=candidate.id) for candidate, _ in self._weighed]
        self._steered_by = _steering(facts)
        self._about = [RecordRef(id=one) for one in question.request.entities or ()]
        self._sources = _sources(read)

    @property
    def reads(self) -> list[RecordRef]:
        return [*self._refs, *self._steered_by, *self._about, *self._sources]

    async def plan(self, work: Work) -> dict[str, Any]:
        match = await self.kept(work)
        return {"id": match.id, "version": match.version}

    async def kept(self, work: Work) -> State:
        """The match, as part of a command that has read what it was weighed from."""
        states = [work.need(ref, "request") for ref in self._refs]
        steering = [work.need(ref, "request") for ref in self._steered_by]
        known = [state for ref in self._about if (state := work.find(ref, "request"))]
        own = self._values | _own_access([*known, *(work.need(ref, "request") for ref in self._sources)])
        match = work.create(work.registry.types["MatchDecision"], own, [*states, *steering])
        if own["asset_kind"] == "Template":
            work.event(MATCHED, match)
        for directive in steering:
            work.link(match, "STEERED_BY", directive)
        for rank, ((candidate, reason), state) in enumerate(zip(self._weighed, states, strict=True), 1):
            work.link(match, "WEIGHED", state, _link(rank, candidate, reason))
        return match


def _weighed(answer: MatchAnswer) -> list[tuple[MatchCandidate, str]]:
    won = [(one, one.explanation) for one in answer.recommended]
    return [*won, *((one.candidate, one.message) for one in answer.losers)]


def _steering(facts: Sequence[Asset]) -> list[RecordRef]:
    """The directives that held: the reasons quote them."""
    return [RecordRef(id=id_) for id_ in sorted({one.id for each in facts for one in each.directives})]


def _sources(read: Sequence[Asset]) -> list[RecordRef]:
    """What the answer was read from beside the assets: it tells of blueprints and counts runs, and has their access."""
    audiences = {audience: id_ for asset in read for audience, id_ in asset.sources}
    return [RecordRef(id=id_) for id_ in sorted(audiences.values())]


def _own_access(sources: Sequence[State]) -> dict[str, Any]:
    """Its own, not inherited: no link leads to these, and what is inherited is reckoned anew when a source changes."""
    read = [one.properties for one in sources]
    data_class = strictest([DataClass.internal, *(one["data_class"] for one in read)])
    return {"data_class": data_class.value, "matter_ids": sorted({one for each in read for one in each["matter_ids"]})}


def _link(rank: int, candidate: MatchCandidate, reason: str) -> dict[str, Any]:
    return {
        "rank": rank,
        "score": candidate.scores.overall_score,
        "version": candidate.version,
        "vetoed": candidate.vetoed,
        "reason": shortened(reason, TEXT_LENGTH),
        "facts": written(candidate.asset),
    }
