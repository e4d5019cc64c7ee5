"""What users make of directives, and how far they let agents go. Only the user it is about may say so."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from graph_schema.attention.words import DirectiveState, OperatingMode
from graph_schema.model.times import TimeUnreadable, read_time
from service import clock
from service.access.viewer import KeyScope, Viewer
from service.attention import cypher
from service.attention.deciding.commands import owned
from service.attention.errors import DirectiveSettled, OptionUnknown
from service.attention.pipeline.facts import EVERY_SURFACE
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
            return {"id": after.id, "version": after.version}

        content = {"surface": where, "mode": mode.value, "reason": reason}
        request = Request("setAttentionMode", KeyScope.report, content, command_id=command_id)
        return await self._commands.execute(viewer, request, plan)

    async def _answered(
        self, name: str, viewer: Viewer, ref: RecordRef, said: dict[str, Any], command_id: str | None
    ) -> Outcome:
        ref.check("directive", "AttentionDirective")

        async def plan(work: Work) -> dict[str, Any]:
            if work.find(ref, "directive", ["AttentionDirective"]) is None:
                raise RecordMissing(ref, "directive")
            state = owned(work, ref, "directive", "AttentionDirective")
            _check(state, said, work.at)
            values = {"snoozed_until": None, **said, "answered_at": work.at}
            after = work.update(state, values, event=f"attention.directive_{said['directive_state']}")
            await work.transaction.run(cypher.LOOK_SOON, session=state.properties["session_id"], at=work.at)
            return {"id": after.id, "version": after.version}

        content = {"directive": str(ref), **said}
        request = Request(name, KeyScope.report, content, changes=[ref], command_id=command_id)
        outcome = await self._commands.execute(viewer, request, plan)
        self._wake()
        return outcome


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
