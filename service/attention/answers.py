"""What users make of directives and of what waits for them, and how far they let agents go. Only they may say so."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from graph_schema.attention.relations import WAITED_FOR
from graph_schema.attention.words import DirectiveState, OperatingMode
from graph_schema.model.times import TimeUnreadable, read_time
from service import clock
from service.access.viewer import KeyScope, Viewer
from service.attention import cypher
from service.attention.deciding.commands import owned
from service.attention.errors import DirectiveSettled, OptionUnknown
from service.attention.inbox import cypher as inboxes
from service.attention.inbox.session import inbox_of
from service.attention.pipeline.facts import EVERY_SURFACE, WAITING_ON
from service.commands import Commands, Outcome, RecordRef, Request, State, Work
from service.commands.errors import InputInvalid, RecordMissing, TimeInvalid

_WAITING = frozenset({DirectiveState.open.value, DirectiveState.snoozed.value})
MOST_MINUTES = 24 * 60
SNOOZE_MINUTES = 10


class AttentionAnswers:
    def __init__(self, commands: Commands, wake: Callable[[], None]) -> None:
        self._commands = commands
        self._wake = wake

    async def dismiss(
        self, viewer: Viewer, directive: RecordRef, note: str | None, *, command_id: str | None = None
    ) -> Outcome:
        """It is not raised again in its session."""
        said = {"directive_state": DirectiveState.dismissed.value, "answer_note": note}
        return await self._answered("dismissDirective", viewer, directive, said, command_id)

    async def act(
        self,
        viewer: Viewer,
        directive: RecordRef,
        option: str | None,
        note: str | None,
        *,
        command_id: str | None = None,
    ) -> Outcome:
        """The user did what was asked for, or chose an option."""
        said = {"directive_state": DirectiveState.acted.value, "chosen_option": option, "answer_note": note}
        return await self._answered("actOnDirective", viewer, directive, said, command_id)

    async def snooze(
        self, viewer: Viewer, directive: RecordRef, until: str | None, *, command_id: str | None = None
    ) -> Outcome:
        """It is put off, and comes back when the time has come and its session goes on."""
        said = {"directive_state": DirectiveState.snoozed.value, "snoozed_until": _until(until)}
        return await self._answered("snoozeDirective", viewer, directive, said, command_id)

    async def set_mode(
        self,
        viewer: Viewer,
        surface: str | None,
        mode: OperatingMode,
        reason: str | None,
        *,
        command_id: str | None = None,
    ) -> Outcome:
        """How far an agent may go for whoever says so, on a surface or on all."""
        where = EVERY_SURFACE if surface is None else surface

        async def plan(work: Work) -> dict[str, Any]:
            values = {"mode": mode.value, "reason": reason}
            kind = work.registry.types["AttentionMode"]
            row = await work.transaction.one(
                cypher.MODE, owner=viewer.principal_id, surface=where, audiences=work.viewer.audiences
            )
            if row is not None:
                after = work.update(State(kind, tuple(row["labels"]), row["properties"]), values)
            else:
                named = {"name": f"{mode.value} on {where}"[:200], "owner_id": viewer.principal_id, "surface": where}
                given = {name: one for name, one in {**named, **values}.items() if one is not None}
                after = work.create(kind, given)
            if where in (EVERY_SURFACE, *WAITING_ON):
                await _look_into_inbox(work, is_due=mode is not OperatingMode.shadow)
            return {"id": after.id, "version": after.version}

        content = {"surface": where, "mode": mode.value, "reason": reason}
        request = Request("setAttentionMode", KeyScope.report, content, command_id=command_id)
        return await self._commands.execute(viewer, request, plan)

    async def _answered(
        self, name: str, viewer: Viewer, ref: RecordRef, said: dict[str, Any], command_id: str | None
    ) -> Outcome:
        ref.check("directive", "AttentionDirective", *WAITED_FOR)

        async def plan(work: Work) -> dict[str, Any]:
            found = work.find(ref, "directive", ["AttentionDirective", *WAITED_FOR])
            if found is None:
                raise RecordMissing(ref, "directive")
            if found.type.label != "AttentionDirective":
                return await _set_aside(work, found, said)
            state = owned(work, ref, "directive", "AttentionDirective")
            _check(state, said, work.at)
            answered = said["directive_state"]
            values = {"snoozed_until": None, **said, "answered_at": work.at}
            after = work.update(state, values, event=f"attention.directive_{answered}")
            await work.transaction.run(cypher.LOOK_SOON, session=state.properties["session_id"], at=work.at)
            return {"id": after.id, "version": after.version, "about": after.properties["subject"], "state": answered}

        content = {"directive": str(ref), **said}
        request = Request(name, KeyScope.report, content, changes=[ref], command_id=command_id)
        outcome = await self._commands.execute(viewer, request, plan)
        self._wake()
        return outcome


async def _set_aside(work: Work, about: State, said: dict[str, Any]) -> dict[str, Any]:
    """Something in the inbox is answered: kept with it, and by the directives that ask about it, if there are any."""
    inbox = await inbox_of(work)
    asked = await _asked_about(work, inbox, about)
    for one in asked:
        _check(one, said, work.at)
    if not asked and said.get("chosen_option") is not None:
        raise OptionUnknown([])
    answer = said["directive_state"]
    told = {
        "answer": answer,
        "answered_at": work.at,
        "until": said.get("snoozed_until"),
        "note": said.get("answer_note"),
    }
    work.link(inbox, "SET_ASIDE", about, {name: one for name, one in told.items() if one is not None})
    work.event(f"attention.item_{answer}", inbox)
    after = [
        work.update(one, {"snoozed_until": None, **said, "answered_at": work.at}, event=f"attention.directive_{answer}")
        for one in asked
    ]
    due = work.at if inbox.properties.get("due_at") else None
    values = {"due_at": due, "last_event_at": work.at}
    work.changes.updates.append({"id": inbox.id, "keep": False, "properties": values})
    directive = {"id": after[0].id, "version": after[0].version} if after else {}
    return {**directive, "about": about.id, "state": answer}


async def _asked_about(work: Work, inbox: State, about: State) -> list[State]:
    rows = await work.transaction.run(
        inboxes.ASKED_ABOUT, session=inbox.id, about=about.id, now=work.at, audiences=work.viewer.audiences
    )
    kind = work.registry.types["AttentionDirective"]
    return [State(kind, tuple(row["labels"]), row["properties"]) for row in rows]


async def _look_into_inbox(work: Work, *, is_due: bool) -> None:
    """What waits is looked at anew, by what holds from now on."""
    inbox = await inbox_of(work)
    due = work.at if is_due or inbox.properties.get("due_at") else None
    values = {"due_at": due, "seen": None}
    work.changes.updates.append({"id": inbox.id, "keep": False, "properties": values})


def _check(state: State, said: dict[str, Any], at: str) -> None:
    values = state.properties
    if values["directive_state"] not in _WAITING:
        raise DirectiveSettled(values["directive_state"])
    if values["expires_at"] <= at:
        raise DirectiveSettled(DirectiveState.expired.value)
    option = said.get("chosen_option")
    if option is not None and option not in values["options"]:
        raise OptionUnknown(values["options"])


def _until(given: str | None) -> str:
    now = clock.parse(clock.now())
    if given is None:
        return clock.stamp(now + timedelta(minutes=SNOOZE_MINUTES))
    try:
        found = read_time(given)
    except TimeUnreadable as error:
        raise TimeInvalid("until", error) from None
    if not clock.stamp(now) < found <= clock.stamp(now + timedelta(minutes=MOST_MINUTES)):
        raise InputInvalid("until", "lies in the past, or more than a day ahead")
    return found
