"""Decides about a session, and keeps what came of it: a trace always, directives where the mode allows them."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import orjson

from graph_schema.attention.words import DirectiveState
from graph_schema.model.fields import LIST_LENGTH, NAME_LENGTH, OPAQUE_LENGTH, TEXT_LENGTH, DataClass
from service import clock
from service.access.audience import Access
from service.access.viewer import KeyScope, Viewer
from service.attention.deciding import cypher
from service.attention.deciding.read import MOST_EVENTS, facts_of, kept_facts, spans_of
from service.attention.errors import OwnerNeeded, SessionUnknown
from service.attention.inbox.session import INBOX, INBOX_ACCESS, inbox_of
from service.attention.inbox.waits import InboxWaits, mark_of
from service.attention.pipeline.decide import Decision, decide
from service.attention.pipeline.facts import AttentionLimits, Facts, Heard
from service.attention.pipeline.gates import is_open
from service.attention.pipeline.output import Output
from service.attention.rules.policies import our_rules
from service.commands import Commands, Outcome, RecordRef, Request, State, Work
from service.commands.errors import InputInvalid
from service.graph.database import Database, Row, Transaction
from service.routing.times import moment

HEALTH = "agent.system_health"
REMINDED = "agent.attention_requested"
_ENDED = "attention.directive_expired"


class NotDue(Exception):
    """Somebody else has decided meanwhile."""


class Attention:
    def __init__(self, commands: Commands, database: Database, limits: AttentionLimits, waits: InboxWaits) -> None:
        self._commands = commands
        self._database = database
        self._limits = limits
        self._waits = waits

    async def decide(
        self, viewer: Viewer, session: RecordRef, at: str | None = None, *, command_id: str | None = None
    ) -> Outcome:
        """Decide for a moment, now if none is told."""
        if (session.source, session.key) == INBOX:
            viewer = await self._with_inbox(viewer)
        session_id = await self.session_of(viewer, session)
        return await self._decided(viewer, session_id, at, command_id, by_itself=False)

    async def decide_due(self, viewer: Viewer, session_id: str) -> Outcome:
        """What nobody asked for: the session has changed, or its time has come."""
        whose = await self._database.read_one(cypher.WHOSE, session=session_id)
        if whose and (whose["source"], whose["key"]) == INBOX:
            await self._check_changed(viewer, session_id)
        return await self._decided(viewer, session_id, None, None, by_itself=True)

    async def _check_changed(self, viewer: Viewer, session_id: str) -> None:
        """Of an inbox in which the same waits as before nothing is decided anew, and no trace kept."""
        seen = await self._waits.mark(viewer)
        at = clock.stamp(clock.parse(clock.now()) + self._limits.inbox_look)

        async def later(transaction: Transaction) -> Row | None:
            return await transaction.one(cypher.LOOK_LATER, session=session_id, seen=seen, at=at)

        if await self._database.write(later) is not None:
            raise NotDue

    async def session_of(self, viewer: Viewer, ref: RecordRef) -> str:
        """A session is named by its id, or by what the owner's system calls it."""
        ref.check("session", "AttentionSession")
        if ref.id is not None:
            return ref.id
        row = await self._database.read_one(
            cypher.SESSION_OF, owner=viewer.principal_id, source=ref.source, key=ref.key, audiences=viewer.audiences
        )
        if row is None:
            raise SessionUnknown(str(ref))
        return row["id"]

    async def _with_inbox(self, viewer: Viewer) -> Viewer:
        """Whoever asks, once they have an inbox: it may be the first record of its access that there is."""

        async def plan(work: Work) -> dict[str, Any]:
            return {"id": (await inbox_of(work)).id}

        request = Request(
            "decideAttention", KeyScope.report, {"opens": INBOX}, command_id=f"inbox {viewer.principal_id}"
        )
        await self._commands.execute(viewer, request, plan)
        own = INBOX_ACCESS.audience
        if own in viewer.audiences or not viewer.may_see(INBOX_ACCESS):
            return viewer
        return replace(viewer, audiences=(*viewer.audiences, own))

    async def _decided(
        self, viewer: Viewer, session_id: str, at: str | None, command_id: str | None, *, by_itself: bool
    ) -> Outcome:
        ref = RecordRef(id=session_id)
        when = moment(at, "at")

        async def plan(work: Work) -> dict[str, Any]:
            session = owned(work, ref, "session", "AttentionSession")
            row = await work.transaction.one(
                cypher.DECISION_FACTS,
                session=session_id,
                at=when,
                most=MOST_EVENTS,
                few=self._limits.first_time_sessions,
                audiences=work.viewer.audiences,
            )
            if row is None:
                raise SessionUnknown(session_id)
            if by_itself and (row["session"]["due_at"] is None or row["session"]["due_at"] > when):
                raise NotDue
            is_inbox = (row["session"]["session_source"], row["session"]["session_key"]) == INBOX
            if is_inbox and at is not None:
                raise InputInvalid("at", "is not for an inbox, which is decided about as it is now")
            waits = await self._waits.to_decide(work.viewer) if is_inbox else None
            facts = facts_of(row, clock.parse(when), our_rules(), self._limits, waits)
            kept = _Keeping(work, session, row, facts, decide(facts))
            return await kept.keep(by_itself=by_itself)

        content = {"session": session_id, "at": at}
        request = Request("decideAttention", KeyScope.report, content, changes=[ref], command_id=command_id)
        return await self._commands.execute(viewer, request, plan)


def owned(work: Work, ref: RecordRef, field: str, label: str) -> State:
    """A record of whoever asks. Of somebody else's that they see, they are told whose it is not."""
    state = work.find(ref, field, [label])
    if state is None:
        raise SessionUnknown(str(ref), field)
    if state.properties["owner_id"] != work.viewer.principal_id:
        raise OwnerNeeded(f"The {field}", field)
    return state


class _Keeping:
    """What is kept of one decision."""

    def __init__(self, work: Work, session: State, row: Row, facts: Facts, decision: Decision) -> None:
        self._work = work
        self._session = session
        self._row = row
        self._facts = facts
        self._decision = decision
        self._evidence: dict[str, Row] = {}

    async def keep(self, *, by_itself: bool) -> dict[str, Any]:
        heard = {one.id: one for each in self._decision.moments for one in each.evidence}
        await self._load(heard)
        trace = self._trace(heard.values(), by_itself=by_itself)
        directives = [self._directive(trace, one) for one in self._decision.emitted]
        if self._decision.withheld:
            self._work.event(HEALTH, trace)
        await self._settle()
        self._look_again()
        return {
            "id": trace.id,
            "version": trace.version,
            "directives": [one.id for one in directives],
            "withheld": len(self._decision.withheld),
        }

    async def _load(self, heard: Iterable[str]) -> None:
        """Who may see the evidence, and what it is about. Of a plain event both are known: it is its session's."""
        ids = sorted(heard)[:LIST_LENGTH]
        plain = {one[1] for one in self._row["events"] if not one[8]}
        access = {name: self._session.properties[name] for name in ("data_class", "matter_ids")}
        self._evidence = {one: {"id": one, "heard": True, "records": [], **access} for one in ids if one in plain}
        more = [one for one in ids if one not in plain]
        if more:
            rows = await self._work.transaction.run(cypher.EVIDENCE, ids=more, audiences=self._work.viewer.audiences)
            self._evidence |= {row["id"]: row for row in rows}

    def _trace(self, heard: Iterable[Heard], *, by_itself: bool) -> State:
        decision, facts = self._decision, self._facts
        values = {
            "name": _named(decision)[:NAME_LENGTH],
            "data_class": DataClass.public.value,
            "session_id": self._session.id,
            "owner_id": self._session.properties["owner_id"],
            "decided_at": clock.stamp(facts.at),
            "mode": decision.mode.value,
            "by_itself": by_itself,
            "events_count": len(facts.events),
            "moments": [one.kind.value for one in decision.moments][:LIST_LENGTH],
            "intervention_class": decision.intervention_class.value,
            "emitted_count": len(decision.emitted),
            "withheld_count": len(decision.withheld),
            "suppressed": [f"{one.draft.moment.kind.value}: {one.reason.value}" for one in decision.held][:LIST_LENGTH],
            "rules_fired": [*decision.rules_fired],
            "rules_version": facts.rules.version,
            "answer": orjson.dumps(decision.answer()).decode(),
            "facts": _fitting(kept_facts(facts)),
            "places": spans_of(one[0] for one in self._row["events"]),
        }
        evidence = [self._evidence[one.id] for one in heard if one.id in self._evidence]
        trace = self._new("PolicyTrace", values, evidence)
        self._work.link(trace, "DECIDED_IN", self._session)
        self._rest_on(trace, "READ", evidence)
        return trace

    def _directive(self, trace: State, output: Output) -> State:
        draft = output.draft
        evidence = [self._evidence[one.id] for one in draft.moment.evidence if one.id in self._evidence]
        values = {
            "name": draft.summary[:NAME_LENGTH],
            "data_class": DataClass.public.value,
            "session_id": self._session.id,
            "owner_id": self._session.properties["owner_id"],
            "surface": draft.moment.component,
            "subject": draft.moment.subject,
            "moment": draft.moment.kind.value,
            "intervention_class": draft.intervention_class.value,
            "action": output.action.value,
            "mode": output.mode.value,
            "summary": draft.summary,
            "detail": output.text,
            "verbosity": self._decision.gates.verbosity.value,
            "focus_type": draft.focus_type,
            "focus_id": draft.focus_id,
            "highlight_region": _region(draft.highlight_region),
            "urgency": draft.urgency,
            "confidence": draft.confidence,
            "critical": draft.critical,
            "evidence_refs": [one[:TEXT_LENGTH] for one in draft.evidence_refs][:LIST_LENGTH],
            "options": [*draft.options],
            "options_left_out": draft.options_left_out,
            "view_commands": [orjson.dumps(one).decode() for one in output.view_commands],
            "rule_id": draft.rule_id,
            "raised_at": clock.stamp(self._facts.at),
            "expires_at": clock.stamp(self._facts.at + self._facts.limits.life),
        }
        made = self._new("AttentionDirective", values, evidence)
        self._work.link(made, "RAISED_IN", self._session)
        self._rest_on(made, "BECAUSE_OF", evidence)
        self._work.link(trace, "EMITTED", made)
        return made

    def _new(self, label: str, values: Mapping[str, Any], evidence: Iterable[Row]) -> State:
        """As closed as its session and all that it rests on."""
        kind = self._work.registry.types[label]
        event = self._work.registry.types["AgentEvent"]
        sources = [self._session, *(State(event, ("AgentEvent",), one) for one in evidence)]
        return self._work.create(kind, {name: one for name, one in values.items() if one is not None}, sources)

    def _rest_on(self, made: State, kind: str, evidence: Iterable[Row]) -> None:
        """On events, and so on what they are about."""
        records: dict[str, Access] = {}
        for one in evidence:
            self._work.link_id(made, kind if one["heard"] else "POINTS_AT", one["id"], access=Access.of(one))
            for record, data_class, matters in one["records"]:
                records[record] = Access.of({"data_class": data_class, "matter_ids": matters})
        for record, access in records.items():
            self._work.link_id(made, "POINTS_AT", record, access=access)

    async def _settle(self) -> None:
        """What comes back after it was put off, and what holds no longer."""
        back = {one.id for one in self._decision.back}
        over = {one.id for one in self._decision.over}
        ids = sorted(one for one in back | over if one)
        if not ids:
            return
        rows = await self._work.transaction.run(cypher.DIRECTIVES, ids=ids, audiences=self._work.viewer.audiences)
        kind = self._work.registry.types["AttentionDirective"]
        for row in rows:
            state = State(kind, tuple(row["labels"]), row["properties"])
            if state.id in over:
                self._work.update(state, {"directive_state": DirectiveState.expired.value}, event=_ENDED)
            else:
                open_ = {"directive_state": DirectiveState.open.value, "snoozed_until": None}
                self._work.update(state, open_, event=REMINDED)

    def _asked(self) -> list[str]:
        """What the owner of an inbox is asked about from now on."""
        over = {one.id for one in self._decision.over}
        still = [one for one in self._facts.raised if one.id and one.id not in over and is_open(one, self._facts.at)]
        return [*(one.subject for one in still), *(one.draft.moment.subject for one in self._decision.emitted)]

    def _look_again(self) -> None:
        """When the service looks at the session next by itself. Of an inbox also what was seen in it, and when."""
        look_at, waits = self._decision.look_at, self._facts.waits
        values = {"due_at": clock.stamp(look_at) if look_at else None}
        if waits is not None:
            values |= {"seen": mark_of(waits, self._asked()), "last_event_at": clock.stamp(self._facts.at)}
        self._work.changes.updates.append({"id": self._session.id, "keep": False, "properties": values})


def _named(decision: Decision) -> str:
    if decision.context.ended:
        return "The session had ended"
    found = ", ".join(dict.fromkeys(one.kind.value for one in decision.moments)) or "nothing"
    return f"{decision.mode.value}: {found}"


def _region(given: Any) -> str | None:
    """A part that takes too many words to tell is not told."""
    text = orjson.dumps(given).decode() if given else ""
    return text if 0 < len(text) <= TEXT_LENGTH else None


def _fitting(kept: dict[str, Any]) -> str:
    """Rules of domains that are too long to be kept are left out, and the decision cannot be done again in full."""
    text = orjson.dumps(kept).decode()
    return text if len(text) <= OPAQUE_LENGTH else orjson.dumps({**kept, "rules": None}).decode()
