"""What waits for a user beside the events of their sessions, and what they have made of it."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from graph_schema.attention.words import AttentionMoment
from graph_schema.attention.words import DirectiveState as State
from service import clock
from service.access.viewer import Viewer
from service.attention.inbox import cypher
from service.attention.inbox.session import INBOX
from service.attention.inbox.sources import SOURCES, Asking, InboxSource, Waiting
from service.attention.pipeline.facts import Waits
from service.graph.database import Database
from service.learning.review.read import Reviews
from service.tools.health import ToolHealths

MOST_DECIDED = 100
"""Things that wait which one decision looks at."""

LONGEST = 500
_ANSWERED = (State.dismissed, State.acted)
_ORDER = {one: place for place, one in enumerate(AttentionMoment)}


@dataclass(frozen=True, slots=True)
class Held:
    """Something that waits. `put`: what the user made of it; `directive_id`: by which they are asked about it now."""

    source: InboxSource
    waiting: Waiting
    put: State | None
    directive_id: str | None


class InboxWaits:
    def __init__(self, database: Database, healths: ToolHealths, reviews: Reviews, days: int) -> None:
        self._database = database
        self._healths = healths
        self._reviews = reviews
        self._days = days

    async def of(self, viewer: Viewer, sources: Iterable[InboxSource] = SOURCES) -> tuple[list[Held], bool]:
        """All that waits, answered or not, and whether there is more of a source than was looked at."""
        now = clock.now()
        asking = self.asking(viewer, now)
        found = [(one, await SOURCES[one](asking)) for one in sources]
        known = await self._known(viewer, {each.record_id for _, one in found for each in one.waiting})
        held = [_held(source, each, known, now) for source, one in found for each in one.waiting]
        return held, any(one.truncated for _, one in found)

    def asking(self, viewer: Viewer, now: str) -> Asking:
        since = clock.stamp(clock.parse(now) - timedelta(days=self._days))
        return Asking(viewer, now, since, self._database, self._healths, self._reviews)

    async def to_decide(self, viewer: Viewer) -> list[Waits]:
        """As a decision looks at it."""
        return _waits((await self.of(viewer))[0])

    async def mark(self, viewer: Viewer) -> str:
        """What a decision would leave behind as seen, if it changed nothing."""
        held, _ = await self.of(viewer)
        return mark_of(_waits(held), (one.waiting.record_id for one in held if one.directive_id))

    async def _known(self, viewer: Viewer, ids: set[str]) -> Mapping[str, Any]:
        if not ids:
            return {"answers": [], "directives": []}
        source, key = INBOX
        row = await self._database.read_one(
            cypher.SET_ASIDE,
            owner=viewer.principal_id,
            source=source,
            key=key,
            ids=sorted(ids),
            audiences=viewer.audiences,
        )
        return row or {"answers": [], "directives": []}


def _waits(held: Iterable[Held]) -> list[Waits]:
    """Errors and decisions first, and what waits longest first."""
    waits = [
        Waits(
            moment=one.waiting.moment,
            component=one.waiting.component,
            about=one.waiting.record_id,
            since=clock.parse(one.waiting.since),
            type=one.waiting.type,
            payload={name: _short(value) for name, value in one.waiting.payload.items() if value is not None},
            put=one.put,
        )
        for one in held
    ]
    return sorted(waits, key=lambda one: (_ORDER[one.moment], one.since, one.about))[:MOST_DECIDED]


def _held(source: InboxSource, waiting: Waiting, known: Mapping[str, Any], now: str) -> Held:
    """An answer holds for what has waited since before it. What waits anew is another thing."""
    told = [one for one in known["answers"] if one["about"] == waiting.record_id]
    told += [_answer(one) for one in known["directives"] if _is_of(one, waiting) and one["answered_at"]]
    last = max((one for one in told if one["at"] >= waiting.since), key=lambda one: one["at"], default=None)
    put = _put(last, now) if last else None
    open_ = [one for one in known["directives"] if _is_of(one, waiting) and _is_open(one, now)]
    return Held(source, waiting, put, open_[0]["id"] if open_ and put is None else None)


def _is_of(directive: Mapping[str, Any], waiting: Waiting) -> bool:
    return directive["about"] == waiting.record_id and directive["moment"] == waiting.moment


def _is_open(directive: Mapping[str, Any], now: str) -> bool:
    back = directive["state"] == State.snoozed and (directive["until"] or "") <= now
    return (directive["state"] == State.open or back) and directive["expires_at"] > now


def _answer(directive: Mapping[str, Any]) -> dict[str, Any]:
    return {"answer": directive["state"], "at": directive["answered_at"], "until": directive["until"]}


def _put(last: Mapping[str, Any], now: str) -> State | None:
    state = State(last["answer"])
    if state is State.snoozed:
        return state if (last["until"] or "") > now else None
    return state if state in _ANSWERED else None


def _short(value: Any) -> Any:
    return value[:LONGEST] if isinstance(value, str) else value


def mark_of(waits: Iterable[Waits], asked: Iterable[str]) -> str:
    """The same as long as the same waits, its owner has made the same of it, and is asked about the same."""
    told = sorted(f"{one.about} {one.moment} {clock.stamp(one.since)} {one.put}" for one in waits)
    return hashlib.sha256("\n".join([*told, "", *sorted({*asked})]).encode()).hexdigest()
