"""The door for components: a list of events in, an answer for each out, in one transaction."""

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any, LiteralString, cast

from graph_schema.attention.relations import POINTED_AT
from service import clock
from service.access.audience import Access, audience_row
from service.access.viewer import KeyScope, Viewer
from service.attention.errors import UserUnknown
from service.attention.reporting import cypher, models
from service.attention.reporting.answers import AgentEventAnswer, rejected
from service.attention.reporting.events import HeardEvent, understood
from service.attention.reporting.sessions import Handle, SessionState, begun, handle_of
from service.commands.cypher import CREATE_EVENTS
from service.commands.errors import InputInvalid, NotAllowed
from service.commands.ground import event_row
from service.errors import TaskloreError
from service.graph.database import Database, Transaction
from service.memory.reporting import cypher as reports
from service.memory.reporting.answers import ReportOutcome
from service.memory.reporting.commands import FEW_EVENTS, MOST_EVENTS
from service.memory.reporting.errors import EventIdReused, RefMissing, TooManyEvents
from service.memory.reporting.events import Unread, latest_at
from service.memory.reporting.tries import carried_out

REPORTED = "attention.events_reported"
TOLD = "attention.user_model_updated"
Values = dict[str, Any]


class AgentEvents:
    def __init__(self, database: Database, changed: Callable[[bool], None], wake: Callable[[], None]) -> None:
        """`changed` is told after each report that changed something; `wake` that there may be something to decide."""
        self._database = database
        self._changed = changed
        self._wake = wake

    async def report(self, viewer: Viewer, events: Sequence[Any]) -> list[AgentEventAnswer]:
        """Take events, each for itself. The answers are in the order of the events."""
        if KeyScope.report not in viewer.scopes:
            raise NotAllowed(KeyScope.report, viewer.scopes)
        if len(events) > MOST_EVENTS:
            raise TooManyEvents(len(events), MOST_EVENTS)
        work = partial(self._taken, viewer, events)
        answers, batch = await (self._database.apart(work) if len(events) > FEW_EVENTS else work(self._database))
        if batch and batch.changed:
            self._changed(batch.new_audiences)
            self._wake()
        return sorted(answers, key=lambda answer: answer.index)

    async def _taken(
        self, viewer: Viewer, events: Sequence[Any], database: Database
    ) -> tuple[list[AgentEventAnswer], "_Batch | None"]:
        read, answers = _read(events, viewer.defaults.source)
        if not read:
            return answers, None
        more, batch = await carried_out(database, lambda: _Batch(viewer, read))
        return answers + more, batch


def _read(events: Sequence[Any], source: str | None) -> tuple[list[HeardEvent], list[AgentEventAnswer]]:
    latest = latest_at(datetime.now(UTC))
    read: list[HeardEvent] = []
    answers: list[AgentEventAnswer] = []
    for index, raw in enumerate(events):
        if isinstance(raw, Unread):
            answers.append(rejected(index, raw.event_id, raw.error))
            continue
        try:
            read.append(understood(index, raw, latest, source))
        except TaskloreError as error:
            named: Any = cast("Values", raw).get("event_id") if isinstance(raw, dict) else None
            answers.append(rejected(index, named, error))
    return read, answers


class _Batch:
    """One report in its transaction; run again from the start when the transaction is retried."""

    def __init__(self, viewer: Viewer, events: list[HeardEvent]) -> None:
        self._viewer = viewer
        self._events = events
        self.changed = False
        self.new_audiences = False

    async def in_transaction(self, transaction: Transaction) -> list[AgentEventAnswer]:
        self._at = clock.now()
        self._sessions: dict[Handle, SessionState] = {}
        self._links: list[Values] = []
        self._told: list[models.Told] = []
        await self._look(transaction)
        answers = [self._answer(one) for one in self._events]
        if any(one.outcome is ReportOutcome.accepted for one in answers):
            await self._write(transaction)
            self.changed = True
        return answers

    async def _look(self, transaction: Transaction) -> None:
        """All that the events name, each kind of it by one statement, and only where there is some."""
        viewer, values = self._viewer, [one.values for one in self._events]
        handles = sorted({handle_of(one, viewer.principal_id) for one in self._events})
        rows = await transaction.run(cypher.LOCK_SESSIONS, refs=[_ref(place, one) for place, one in enumerate(handles)])
        for row in rows:
            self._sessions[handles[row["place"]]] = SessionState(row["properties"], is_new=False)
        users = {one["user"] for one in values if "user" in one} - {viewer.principal_id}
        self._users = {*await _found(transaction, cypher.USERS, rows=sorted(users))} | {viewer.principal_id}
        matters = {matter for one in values for matter in one.get("matter_ids", ())}
        self._matters = {*await _found(transaction, reports.MATTERS, rows=sorted(matters))}
        self._known = await self._known_events(transaction)
        self._records = await self._named(transaction)

    async def _known_events(self, transaction: Transaction) -> dict[tuple[str, str], str]:
        asked: list[list[str]] = []
        for one in self._events:
            state = self._sessions.get(handle_of(one, self._viewer.principal_id))
            if state:
                asked.append([state.id, one.event_id])
        found = await _found(transaction, cypher.KNOWN_EVENTS, rows=asked)
        return {(session, event): digest for session, event, digest in found}

    async def _named(self, transaction: Transaction) -> dict[str, tuple[str, Access]]:
        refs = {_name(ref, one): ref | {"source": _source(ref, one)} for one in self._events for ref in _refs(one)}
        rows = [{"name": name, "id": None, "key": None, **ref} for name, ref in sorted(refs.items())]
        found = await _found(
            transaction, cypher.NAMED_RECORDS, rows=rows, labels=[*POINTED_AT], audiences=self._viewer.audiences
        )
        return {
            name: (record, Access.of({"data_class": data_class, "matter_ids": matters}))
            for name, record, data_class, matters in found
        }

    def _answer(self, event: HeardEvent) -> AgentEventAnswer:
        try:
            state, is_new = self._taken(event)
        except TaskloreError as error:
            return rejected(event.index, event.event_id, error)
        outcome = ReportOutcome.accepted if is_new else ReportOutcome.duplicate
        return AgentEventAnswer(index=event.index, event_id=event.event_id, outcome=outcome, session_id=state.id)

    def _taken(self, event: HeardEvent) -> tuple[SessionState, bool]:
        viewer, handle = self._viewer, handle_of(event, self._viewer.principal_id)
        user = event.values.get("user")
        if user is not None and user not in self._users:
            raise UserUnknown(user)
        for matter in event.values.get("matter_ids", ()):
            if matter not in self._matters:
                raise InputInvalid("matter_ids", f"{matter} is not a matter")
        state = self._sessions.get(handle) or begun(event, handle, viewer, self._at)
        state.check(viewer, event)
        known = self._known.get((state.id, event.event_id))
        if known is not None:
            if known != event.hash:
                raise EventIdReused(event.event_id)
            return state, False
        models.check_owner(event, state.owner, viewer.principal_id)
        records = self._pointed(event)
        row = state.take(event, state.access.joined(*(access for _, access in records)), viewer, self._at)
        self._sessions[handle] = state
        self._known[state.id, event.event_id] = event.hash
        self._link(row["id"], "HEARD_IN", state.id)
        for record, _ in records:
            self._link(row["id"], "POINTS_AT", record)
        if (told := models.told_of(event, state.owner, row)) is not None:
            self._told.append(told)
        return state, True

    def _pointed(self, event: HeardEvent) -> list[tuple[str, Access]]:
        found: dict[str, Access] = {}
        for ref in _refs(event):
            name = _name(ref, event)
            if name not in self._records:
                raise RefMissing("records", ref.get("id") or f"{_source(ref, event)}: {ref['key']}")
            record, access = self._records[name]
            found[record] = access
        return [*found.items()]

    def _link(self, tail: str, kind: str, head: str, **properties: Any) -> None:
        self._links.append({"tail": tail, "type": kind, "head": head, "properties": properties})

    async def _write(self, transaction: Transaction) -> None:
        changed = [one for one in self._sessions.values() if one.rows]
        creates, updates, heard = _rows(changed, self._viewer, self._at)
        more = await self._models(transaction)
        writes: tuple[tuple[LiteralString, list[Values]], ...] = (
            (reports.CREATE_AUDIENCES, self._new_audiences([*creates, *more["creates"]])),
            (reports.CREATE_RECORDS, [*creates, *more["creates"]]),
            (reports.KEEP_FORMER, more["formers"]),
            (reports.UPDATE_RECORDS, [*updates, *more["updates"]]),
            (reports.CREATE_LINKS, self._links),
            (CREATE_EVENTS, [*heard, *more["events"]]),
        )
        for query, rows in writes:
            if rows:
                await transaction.run(query, rows=rows)

    def _new_audiences(self, creates: Iterable[Values]) -> list[Values]:
        rows = {one["properties"]["audience"]: audience_row(one["properties"]) for one in creates}
        new = [rows[one] for one in sorted(rows.keys() - {*self._viewer.audiences})]
        self.new_audiences = bool(new)
        return new

    async def _models(self, transaction: Transaction) -> dict[str, list[Values]]:
        """What becomes of user models. Who tells nothing of themselves has none."""
        found: dict[str, list[Values]] = {"creates": [], "updates": [], "formers": [], "events": []}
        owners = sorted({one.owner for one in self._told})
        if not owners:
            return found
        known = {one["owner_id"]: one for one in await _found(transaction, cypher.LOCK_MODELS, owners=owners)}
        for owner in owners:
            told = [one for one in self._told if one.owner == owner]
            values, changed = models.folded(known.get(owner), told, owner, self._at)
            for one in told:
                self._link(values["id"], "TOLD_IN", one.event["id"], **one.link())
            if not changed:
                continue
            if owner in known:
                found["formers"].append({"id": values["id"], "at": self._at})
                found["updates"].append({"id": values["id"], "properties": values})
            else:
                found["creates"].append({"labels": ["UserModel", "Record"], "properties": values})
            found["events"].append(_event(TOLD, "UserModel", values, self._viewer))
        return found


def _rows(changed: Sequence[SessionState], viewer: Viewer, at: str) -> tuple[list[Values], list[Values], list[Values]]:
    creates: list[Values] = []
    updates: list[Values] = []
    heard: list[Values] = []
    for state in changed:
        if state.is_new:
            creates.append({"labels": ["AttentionSession", "Record"], "properties": state.values})
        else:
            state.values |= {"version": state.values["version"] + 1, "updated_at": max(at, state.values["updated_at"])}
            updates.append({"id": state.id, "properties": state.values})
        creates += [{"labels": ["AgentEvent", "Record"], "properties": one} for one in state.rows]
        heard.append(_event(REPORTED, "AttentionSession", state.values, viewer, changed=sorted(state.kinds)))
    return creates, updates, heard


def _event(kind: str, label: str, values: Values, viewer: Viewer, **more: Any) -> Values:
    by = {"principal_id": viewer.principal_id, "command_id": "reportAgentEvents"}
    return event_row(kind, label, values, **by, run_id=None, **more)


def _ref(place: int, handle: Handle) -> Values:
    if len(handle) == 1:
        return {"place": place, "id": handle[0], "owner": None, "source": None, "key": None}
    return {"place": place, "id": None, "owner": handle[0], "source": handle[1], "key": handle[2]}


def _refs(event: HeardEvent) -> list[Values]:
    return event.values.get("records", [])


def _source(ref: Values, event: HeardEvent) -> str | None:
    return ref.get("source") or event.values["session"].get("source")


def _name(ref: Values, event: HeardEvent) -> str:
    return ref["id"] if "id" in ref else f"{_source(ref, event)}\t{ref['key']}"


async def _found(transaction: Transaction, query: Any, **asked: Any) -> list[Any]:
    """What a statement finds of a list; without a list it is not asked."""
    if not next(iter(asked.values())):
        return []
    row = await transaction.one(query, **asked)
    return row["found"] if row else []
