"""Keeps what users asked for, and which of it corrects what they had asked for before."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from graph_schema.model.fields import NAME_LENGTH
from service import clock
from service.access.audience import Access
from service.commands import State, Work
from service.notices import Notice
from service.tools.limits import ReaskLimits
from service.tools.reports import cypher
from service.tools.reports.answers import AxisSaid
from service.tools.reports.corrections import RULES, Asked, Correction, corrections
from service.tools.reports.events import AskReport, Read
from service.tools.reports.names import check_matters, known_run, named_by_ask
from service.tools.vocabulary import Vocabulary
from service.tools.vocabulary.load import normal

Row = dict[str, Any]


class Asks:
    """The plan of one batch."""

    def __init__(self, work: Work, words: Vocabulary, limits: ReaskLimits) -> None:
        self._work = work
        self._words = words
        self._limits = limits
        self._kind = work.registry.types["Ask"]
        self._new: dict[str, State] = {}

    def keep(self, one: Read[AskReport], access: dict[str, Any], stub: State | None) -> State:
        """`stub`: an outcome named the ask before it was told."""
        work, named = self._work, named_by_ask(one)
        run = known_run(work, named.run)
        check_matters(work, named)
        work.find(named.session, "session", ["AskSession"])
        session = work.need(named.session, "session", ["AskSession"])
        values = {**self._values(one, session), "source": named.own.source, "source_key": named.own.key, **access}
        made = work.update(stub, values) if stub else work.create(self._kind, values, [run] if run else ())
        work.link(made, "ASKED_IN", session)
        if run is not None:
            work.link(made, "BEGAN", run)
        self._new[made.id] = made
        return made

    def _values(self, one: Read[AskReport], session: State) -> dict[str, Any]:
        given = one.given
        shape = f" ({given.task_shape})" if given.task_shape else ""
        values = {
            "name": f"{given.user} asked{shape}"[:NAME_LENGTH],
            "session_id": session.id,
            "user_key": given.user,
            "asked_at": given.asked_at,
            "capability_pattern": sorted({word for said in given.capability_pattern if (word := normal(said))}),
            "task_shape": normal(given.task_shape) or None if given.task_shape else None,
            "top_level": given.top_level,
            "phrase_rules": self._words.corrections(given.text),
            "reported_by": self._work.viewer.principal_id,
            "content_hash": one.hash,
        }
        return {name: value for name, value in values.items() if value is not None}

    def warnings(self, given: AskReport) -> tuple[Notice, ...]:
        del given
        return ()

    def axes(self, given: AskReport) -> tuple[AxisSaid, ...]:
        del given
        return ()

    async def close(self) -> None:
        """Settle which asks of these sessions are corrections, and which are so no more."""
        if not self._new:
            return
        states, known = await self._around()
        found = corrections([_asked(one) for one in states.values()], self._limits)
        for ask_id in self._touched(states.values()):
            before, after = known.get(ask_id), found.get(ask_id)
            if before is not None and (after is None or not _is_same(before, after)):
                self._work.changes.removes.append(before["id"])
                before = None
            if after is not None and before is None:
                self._make(after, states)

    async def _around(self) -> tuple[dict[str, State], dict[str, Row]]:
        """The asks of the sessions, as far as they can bear on each other, and the corrections that there are."""
        times: dict[str, list[str]] = defaultdict(list)
        for one in self._new.values():
            times[one.properties["session_id"]].append(one.properties["asked_at"])
        rows = [
            {
                "session_id": session,
                "since": clock.stamp(clock.parse(min(moments)) - self._limits.window),
                "until": clock.stamp(clock.parse(max(moments)) + self._limits.window),
            }
            for session, moments in sorted(times.items())
        ]
        told = await self._work.transaction.run(cypher.SESSION_ASKS, rows=rows)
        states = {row["properties"]["id"]: State(self._kind, tuple(row["labels"]), row["properties"]) for row in told}
        known = {row["properties"]["id"]: row["correction"] for row in told if row["correction"]}
        return {**states, **self._new}, known

    def _touched(self, states: Iterable[State]) -> list[str]:
        """Those that a new ask can have made a correction, or none any more: from the first new one of a session on."""
        first: dict[str, str] = {}
        for one in self._new.values():
            session, at = one.properties["session_id"], one.properties["asked_at"]
            first[session] = min(first.get(session, at), at)
        own = [one for one in states if one.properties["asked_at"] >= first[one.properties["session_id"]]]
        return sorted(one.id for one in own)

    def _make(self, one: Correction, states: dict[str, State]) -> None:
        later, earlier = states[one.later.id], states[one.earlier.id]
        values = {
            "name": f"asked again after {one.seconds} seconds",
            "corrected_at": later.properties["asked_at"],
            "seconds_between": one.seconds,
            "likeness": one.likeness,
            "shared_pattern": sorted(one.later.pattern & one.earlier.pattern),
            "task_shape": one.later.shape,
            "by_phrase": [*one.by_phrase],
            "rules": RULES,
        }
        kind = self._work.registry.types["UserCorrection"]
        given = {name: value for name, value in values.items() if value is not None}
        # It has no access of its own: it is as closed as the two asks.
        made = self._work.create(kind, {**given, "data_class": "public"}, [later, earlier])
        self._work.link(made, "CORRECTS", earlier)
        self._work.link(made, "MADE_BY", later)


def _asked(state: State) -> Asked:
    told = state.properties
    return Asked(
        id=state.id,
        key=f"{told['source']} {told['source_key']}",
        session=told["session_id"],
        at=clock.parse(told["asked_at"]),
        pattern=frozenset(told.get("capability_pattern") or ()),
        shape=told.get("task_shape"),
        top_level=told.get("top_level", True),
        access=Access.of(told),
        phrases=tuple(told.get("phrase_rules") or ()),
    )


def _is_same(known: Row, found: Correction) -> bool:
    return (
        known["earlier"] == found.earlier.id
        and known["likeness"] == found.likeness
        and tuple(known["by_phrase"] or ()) == found.by_phrase
    )
