"""Kept matches: a match stored with what it weighed, and compared with what matching says of the same request now."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from graph_schema.model.fields import LONG_TEXT_LENGTH, TEXT_LENGTH, DataClass
from service import clock
from service.access.audience import strictest
from service.access.viewer import KeyScope, Viewer
from service.commands import Commands, Outcome, RecordRef, Request, Work
from service.commands.errors import RecordMissing
from service.commands.work import State
from service.graph.database import Database
from service.matching import cypher
from service.matching.directives import taught
from service.matching.errors import MatchTooLarge
from service.matching.matched import Matched, Wanted
from service.matching.read import Matching
from service.matching.records import Answer, Candidate
from service.matching.records import Request as Asked

MOST_KEPT = 40
_NAME = 120


@dataclass(frozen=True, slots=True)
class Moved:
    """One asset in the kept match and now. None: it was not weighed then, or is not now."""

    id: str
    name: str
    kept_score: float | None
    score: float | None
    kept_version: int | None
    version: int | None

    @property
    def changed(self) -> bool:
        return (self.kept_score, self.kept_version) != (self.score, self.version)


@dataclass(frozen=True, slots=True)
class Compared:
    """A kept match beside the same request, matched again as of the time of the first."""

    match_id: str
    kept: Mapping[str, Any]
    now: Matched
    same: bool
    same_ranker: bool
    moved: tuple[Moved, ...]


class KeptMatches:
    def __init__(self, commands: Commands, database: Database, matching: Matching) -> None:
        self._commands = commands
        self._database = database
        self._matching = matching

    async def keep(self, viewer: Viewer, kind: str, wanted: Wanted, *, command_id: str | None = None) -> Outcome:
        """Match, and store the answer with every asset that was weighed."""
        at = clock.now()
        answer = (await self._matching.match(viewer, kind, wanted, clock.parse(at))).answer
        weighed = _weighed(answer)
        values = _values(kind, wanted, answer, at)
        content = {"kind": kind, "request": wanted.details()}
        refs = [RecordRef(id=candidate.asset.id) for candidate, _ in weighed]
        steered_by = _taught(wanted.request(clock.parse(at), viewer.principal_id), weighed)
        about, sources = [RecordRef(id=one) for one in wanted.entities or ()], _sources(weighed)

        async def plan(work: Work) -> dict[str, Any]:
            states = [work.need(ref, "request") for ref in refs]
            steering = [work.need(ref, "request") for ref in steered_by]
            known = [state for ref in about if (state := work.find(ref, "request"))]
            own = values | _own_access([*known, *(work.need(ref, "request") for ref in sources)])
            match = work.create(work.registry.types["MatchDecision"], own, [*states, *steering])
            for directive in steering:
                work.link(match, "STEERED_BY", directive)
            for rank, ((candidate, reason), state) in enumerate(zip(weighed, states, strict=True), 1):
                work.link(match, "WEIGHED", state, _link(rank, candidate, reason))
            return {"id": match.id, "version": match.version}

        request = Request(
            "recordMatch", KeyScope.curate, content, reads=[*refs, *steered_by, *about, *sources], command_id=command_id
        )
        return await self._commands.execute(viewer, request, plan)

    async def compare(self, viewer: Viewer, match_id: str) -> Compared:
        """The kept answer and that of today. On an unchanged library they are the same."""
        row = await self._database.read_one(cypher.KEPT, id=match_id, audiences=viewer.audiences)
        if row is None:
            raise RecordMissing(RecordRef(id=match_id), "match")
        kept = row["kept"]
        wanted = Wanted.of_details(orjson.loads(kept["request_details"]))
        now = await self._matching.match(viewer, kept["asset_kind"], wanted, clock.parse(kept["matched_at"]))
        before = orjson.loads(kept["answer"])
        moved = _moved(before["weighed"], _weighed(now.answer))
        same_ranker = kept["ranker"] == _ranker(now.answer) and kept["embedding_model"] == now.answer.model
        same = not any(one.changed for one in moved) and before["outcome"] == now.answer.outcome.value
        return Compared(match_id, kept, now, same, same_ranker, moved)


def _weighed(answer: Answer) -> list[tuple[Candidate, str]]:
    won = [(one, one.explanation) for one in answer.recommended]
    return [*won, *((one.candidate, one.reason) for one in answer.losers)][:MOST_KEPT]


def _taught(asked: Asked, weighed: Sequence[tuple[Candidate, str]]) -> list[RecordRef]:
    """The directives that held: the reasons quote them."""
    held = [taught(asked, candidate.asset) for candidate, _ in weighed]
    ids = {one.id for each in held for one in (*each.prefers, *each.avoids, *each.confirms)}
    return [RecordRef(id=id_) for id_ in sorted(ids)]


def _sources(weighed: Sequence[tuple[Candidate, str]]) -> list[RecordRef]:
    """What the answer was read from beside the assets: it tells of blueprints and counts runs, and has their access."""
    audiences = {audience: id_ for candidate, _ in weighed for audience, id_ in candidate.asset.sources}
    return [RecordRef(id=id_) for id_ in sorted(audiences.values())]


def _own_access(sources: Sequence[State]) -> dict[str, Any]:
    """Its own, not inherited: no link leads to these, and what is inherited is reckoned anew when a source changes."""
    read = [one.properties for one in sources]
    data_class = strictest([DataClass.internal, *(one["data_class"] for one in read)])
    return {"data_class": data_class.value, "matter_ids": sorted({one for each in read for one in each["matter_ids"]})}


def _values(kind: str, wanted: Wanted, answer: Answer, at: str) -> dict[str, Any]:
    details = orjson.dumps(wanted.details()).decode()
    if len(details) > LONG_TEXT_LENGTH:
        raise MatchTooLarge(LONG_TEXT_LENGTH, len(details))
    return {
        "name": _shortened(wanted.text.strip() or "(empty request)", _NAME),
        "asset_kind": kind,
        "request": wanted.text,
        "request_details": details,
        "outcome": answer.outcome.value,
        "confidence": answer.confidence,
        "recommended_action": answer.action.value,
        "explanation": _shortened(answer.explanation, TEXT_LENGTH),
        "answer": orjson.dumps(_told(answer)).decode(),
        "ranker": _ranker(answer),
        "embedding_model": answer.model,
        "matched_at": at,
    }


def _told(answer: Answer) -> dict[str, Any]:
    """What a comparison needs. Sentences are made again by the same ranker from the same request."""
    return {
        "outcome": answer.outcome.value,
        "confidence": answer.confidence,
        "recommended": [one.asset.id for one in answer.recommended],
        "weighed": [_scores(one) for one, _ in _weighed(answer)],
        "left_out": max(0, len(answer.recommended) + len(answer.losers) - MOST_KEPT),
    }


def _scores(one: Candidate) -> dict[str, Any]:
    return {
        "id": one.asset.id,
        "name": _shortened(one.asset.name, _NAME),
        "version": one.asset.version,
        "score": one.overall,
        "probability": one.probability,
        "parts": [part.value for part in one.parts],
        "vetoes": [veto.kind.value for veto in one.vetoes],
    }


def _moved(before: Sequence[Mapping[str, Any]], now: Sequence[tuple[Candidate, str]]) -> tuple[Moved, ...]:
    kept = {one["id"]: one for one in before}
    found = {one.asset.id: one for one, _ in now}
    return tuple(_moved_one(id_, kept.get(id_), found.get(id_)) for id_ in dict.fromkeys([*kept, *found]))


def _moved_one(id_: str, kept: Mapping[str, Any] | None, now: Candidate | None) -> Moved:
    return Moved(
        id=id_,
        name=now.asset.name if now else str(kept["name"] if kept else ""),
        kept_score=kept["score"] if kept else None,
        score=now.overall if now else None,
        kept_version=kept["version"] if kept else None,
        version=now.asset.version if now else None,
    )


def _link(rank: int, candidate: Candidate, reason: str) -> dict[str, Any]:
    return {
        "rank": rank,
        "score": candidate.overall,
        "version": candidate.asset.version,
        "vetoed": candidate.vetoed,
        "reason": _shortened(reason, TEXT_LENGTH),
    }


def _ranker(answer: Answer) -> str:
    return f"{answer.ranker} {answer.version}"


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
