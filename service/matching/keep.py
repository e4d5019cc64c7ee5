"""Kept matches: a match stored with what it weighed, and compared with what matching says of the same request now."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import orjson

from graph_schema.library.words import MatchOutcome
from graph_schema.model.fields import LONG_TEXT_LENGTH, TEXT_LENGTH, DataClass
from service import clock
from service.access.audience import strictest
from service.access.viewer import KeyScope, Viewer
from service.commands import Commands, Outcome, RecordRef, Request, Work
from service.commands.errors import RecordMissing
from service.commands.work import State
from service.graph.database import Database
from service.matching import cypher
from service.matching.answer import MatchAnswer, MatchCandidate, check_shown
from service.matching.directives import taught
from service.matching.errors import MatchTooLarge
from service.matching.read import Matching
from service.matching.request import Asked, MatchRequest, asked
from service.views import Id

MOST_KEPT = 40
MATCHED = "task.agent.template_matches.updated"
_NAME = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchMoved:
    """An asset in a kept match, and in the same match now."""

    id: Annotated[Id, "Id of the asset."]
    name: Annotated[str, "What people call it."]
    kept_score: Annotated[float | None, "Its score then; null when it was not weighed."]
    score: Annotated[float | None, "Its score now; null when it is not weighed."]
    kept_version: Annotated[int | None, "Its version then."]
    version: Annotated[int | None, "Its version now."]

    @property
    def changed(self) -> Annotated[bool, "Whether score or version differ."]:
        return (self.kept_score, self.kept_version) != (self.score, self.version)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchComparison:
    """A kept match beside the same request, matched again."""

    match_id: Annotated[Id, "Id of the kept match."]
    same: Annotated[bool, "Whether outcome, assets, versions and scores are the same."]
    same_ranker: Annotated[bool, "Whether ranker and model are the same; else scores do not compare."]
    kept_outcome: Annotated[MatchOutcome, "What matching came to then."]
    kept_confidence: Annotated[float, "How sure it was then."]
    now: Annotated[MatchAnswer, "What it says now, as of the time of the kept match."]
    moved: Annotated[tuple[MatchMoved, ...], "Every asset of either."]


class KeptMatches:
    def __init__(self, commands: Commands, database: Database, matching: Matching) -> None:
        self._commands = commands
        self._database = database
        self._matching = matching

    async def keep(self, viewer: Viewer, kind: str, request: MatchRequest, *, command_id: str | None = None) -> Outcome:
        """Match, and store the answer with every asset that was weighed."""
        at = clock.now()
        answer = await self._matching.match(viewer, kind, request, at=clock.parse(at))
        weighed = _weighed(answer)
        values = _values(kind, request, answer, at)
        content = {"kind": kind, "request": request.details()}
        refs = [RecordRef(id=candidate.id) for candidate, _ in weighed]
        steered_by = _taught(asked(request, clock.parse(at), viewer.principal_id), weighed)
        about, sources = [RecordRef(id=one) for one in request.entities or ()], _sources(weighed)

        async def plan(work: Work) -> dict[str, Any]:
            states = [work.need(ref, "request") for ref in refs]
            steering = [work.need(ref, "request") for ref in steered_by]
            known = [state for ref in about if (state := work.find(ref, "request"))]
            own = values | _own_access([*known, *(work.need(ref, "request") for ref in sources)])
            match = work.create(work.registry.types["MatchDecision"], own, [*states, *steering])
            if kind == "Template":
                work.event(MATCHED, match)
            for directive in steering:
                work.link(match, "STEERED_BY", directive)
            for rank, ((candidate, reason), state) in enumerate(zip(weighed, states, strict=True), 1):
                work.link(match, "WEIGHED", state, _link(rank, candidate, reason))
            return {"id": match.id, "version": match.version}

        reads = [*refs, *steered_by, *about, *sources]
        command = Request("recordMatch", KeyScope.curate, content, reads=reads, command_id=command_id)
        return await self._commands.execute(viewer, command, plan)

    async def compare(self, viewer: Viewer, match_id: str, *, first: int | None = None) -> MatchComparison:
        """The kept answer and that of today. On an unchanged library they are the same."""
        check_shown(first)
        row = await self._database.read_one(cypher.KEPT, id=match_id, audiences=viewer.audiences)
        if row is None:
            raise RecordMissing(RecordRef(id=match_id), "match")
        kept = row["kept"]
        request = MatchRequest.of_details(orjson.loads(kept["request_details"]))
        now = await self._matching.match(viewer, kept["asset_kind"], request, at=clock.parse(kept["matched_at"]))
        before = orjson.loads(kept["answer"])
        moved = _moved(before["weighed"], _weighed(now))
        return MatchComparison(
            match_id=match_id,
            same=not any(one.changed for one in moved) and before["outcome"] == now.outcome.value,
            same_ranker=kept["ranker"] == _ranker(now) and kept["embedding_model"] == now.ranker.model,
            kept_outcome=MatchOutcome(kept["outcome"]),
            kept_confidence=kept["confidence"],
            now=now.showing(first),
            moved=moved,
        )


def _weighed(answer: MatchAnswer) -> list[tuple[MatchCandidate, str]]:
    won = [(one, one.explanation) for one in answer.recommended]
    return [*won, *((one.candidate, one.message) for one in answer.losers)][:MOST_KEPT]


def _taught(question: Asked, weighed: Sequence[tuple[MatchCandidate, str]]) -> list[RecordRef]:
    """The directives that held: the reasons quote them."""
    held = [taught(question, candidate.asset) for candidate, _ in weighed]
    ids = {one.id for each in held for one in (*each.prefers, *each.avoids, *each.confirms)}
    return [RecordRef(id=id_) for id_ in sorted(ids)]


def _sources(weighed: Sequence[tuple[MatchCandidate, str]]) -> list[RecordRef]:
    """What the answer was read from beside the assets: it tells of blueprints and counts runs, and has their access."""
    audiences = {audience: id_ for candidate, _ in weighed for audience, id_ in candidate.asset.sources}
    return [RecordRef(id=id_) for id_ in sorted(audiences.values())]


def _own_access(sources: Sequence[State]) -> dict[str, Any]:
    """Its own, not inherited: no link leads to these, and what is inherited is reckoned anew when a source changes."""
    read = [one.properties for one in sources]
    data_class = strictest([DataClass.internal, *(one["data_class"] for one in read)])
    return {"data_class": data_class.value, "matter_ids": sorted({one for each in read for one in each["matter_ids"]})}


def _values(kind: str, request: MatchRequest, answer: MatchAnswer, at: str) -> dict[str, Any]:
    details = orjson.dumps(request.details()).decode()
    if len(details) > LONG_TEXT_LENGTH:
        raise MatchTooLarge(LONG_TEXT_LENGTH, len(details))
    return {
        "name": _shortened(request.text.strip() or "(empty request)", _NAME),
        "asset_kind": kind,
        "request": request.text,
        "request_details": details,
        "outcome": answer.outcome.value,
        "confidence": answer.confidence,
        "recommended_action": answer.recommended_action.value,
        "explanation": _shortened(answer.explanation, TEXT_LENGTH),
        "answer": orjson.dumps(_told(answer)).decode(),
        "ranker": _ranker(answer),
        "embedding_model": answer.ranker.model,
        "matched_at": at,
    }


def _told(answer: MatchAnswer) -> dict[str, Any]:
    """What a comparison needs. Sentences are made again by the same ranker from the same request."""
    return {
        "outcome": answer.outcome.value,
        "confidence": answer.confidence,
        "recommended": [one.id for one in answer.recommended],
        "weighed": [_scores(one) for one, _ in _weighed(answer)],
        "left_out": max(0, len(answer.weighed) - MOST_KEPT),
    }


def _scores(one: MatchCandidate) -> dict[str, Any]:
    return {
        "id": one.id,
        "name": _shortened(one.name, _NAME),
        "version": one.version,
        "score": one.scores.overall_score,
        "probability": one.scores.probability,
        "parts": [part.score for part in one.parts],
        "vetoes": [veto.kind.value for veto in one.hard_vetoes],
    }


def _moved(before: Sequence[Mapping[str, Any]], now: Sequence[tuple[MatchCandidate, str]]) -> tuple[MatchMoved, ...]:
    kept = {one["id"]: one for one in before}
    found = {one.id: one for one, _ in now}
    return tuple(_moved_one(id_, kept.get(id_), found.get(id_)) for id_ in dict.fromkeys([*kept, *found]))


def _moved_one(id_: str, kept: Mapping[str, Any] | None, now: MatchCandidate | None) -> MatchMoved:
    return MatchMoved(
        id=id_,
        name=now.name if now else str(kept["name"] if kept else ""),
        kept_score=kept["score"] if kept else None,
        score=now.scores.overall_score if now else None,
        kept_version=kept["version"] if kept else None,
        version=now.version if now else None,
    )


def _link(rank: int, candidate: MatchCandidate, reason: str) -> dict[str, Any]:
    return {
        "rank": rank,
        "score": candidate.scores.overall_score,
        "version": candidate.version,
        "vetoed": candidate.vetoed,
        "reason": _shortened(reason, TEXT_LENGTH),
    }


def _ranker(answer: MatchAnswer) -> str:
    return f"{answer.ranker.name} {answer.ranker.version}"


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
