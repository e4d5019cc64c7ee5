"""What a worker out of band does with the queue, and what somebody may put into it."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from graph_schema.memory.extraction import ExtractionReason, ExtractionState
from service import clock
from service.access.viewer import KeyScope, Viewer
from service.commands import Commands, Outcome, RecordRef, Request, Work
from service.commands.errors import InputInvalid
from service.commands.work import State
from service.memory.extraction import cypher
from service.memory.extraction.errors import ExtractionBlocked, ExtractionDone, ExtractionNotYours, ExtractionTaken
from service.memory.reporting.policy import PRIVATE

Values = Mapping[str, Any]
Change = Callable[[Work, State], Values]

LEASE = timedelta(hours=1)
"""Whoever takes an entry and is not heard of for so long loses it to the next one."""

ASKED = (
    ExtractionReason.user_asked_to_keep,
    ExtractionReason.flagged_high_value,
    ExtractionReason.design_session_edited,
)
"""Reasons that no report tells: a person or an agent says so."""


QUEUED = ("Run", "Artifact", "DesignSession")


class Extractions:
    def __init__(self, commands: Commands) -> None:
        self._commands = commands

    async def request(self, viewer: Viewer, ref: RecordRef, given: str, *, command_id: str | None = None) -> Outcome:
        """Queue a run, an artifact or a design. What is queued for the reason already stays as it is."""
        ref.check("record", *QUEUED)
        if given not in ASKED:
            raise InputInvalid("reason", f"must be one of {', '.join(ASKED)}; the others follow from reports")
        reason = ExtractionReason(given)

        async def plan(work: Work) -> dict[str, Any]:
            about = work.existing(ref, "record", QUEUED)
            held = await _held(work, about, reason)
            if held is not None:
                return held
            entry = queue(work, about, reason)
            return {"id": entry.id, "version": entry.version}

        content = {"record": str(ref), "reason": reason}
        request = Request("requestExtraction", KeyScope.curate, content, changes=[ref], command_id=command_id)
        return await self._commands.execute(viewer, request, plan)

    async def take(self, viewer: Viewer, entry_id: str, *, command_id: str | None = None) -> Outcome:
        """Say that one works on an entry. Nobody else takes it within the hour."""

        def taken(work: Work, entry: State) -> Values:
            _check_free(work, entry)
            return {"state": ExtractionState.taken, "taken_by": work.viewer.principal_id, "taken_at": work.at}

        return await self._changed(viewer, "takeExtraction", entry_id, content={}, change=taken, command_id=command_id)

    async def settle(
        self, viewer: Viewer, entry_id: str, *, done: bool, note: str | None, command_id: str | None = None
    ) -> Outcome:
        """Say that an entry is done, or give it back."""

        def settled(work: Work, entry: State) -> Values:
            _check_held(work, entry)
            if done:
                return {"state": ExtractionState.done, "settled_at": work.at, "result_note": note}
            return {"state": ExtractionState.queued, "taken_by": None, "taken_at": None, "result_note": note}

        content = {"done": done, "note": note}
        return await self._changed(
            viewer, "settleExtraction", entry_id, content=content, change=settled, command_id=command_id
        )

    async def _changed(
        self, viewer: Viewer, name: str, entry_id: str, *, content: Values, change: Change, command_id: str | None
    ) -> Outcome:
        ref = RecordRef(id=entry_id)

        async def plan(work: Work) -> dict[str, Any]:
            entry = work.existing(ref, "extraction", ("Extraction",))
            after = work.update(entry, change(work, entry))
            return {"id": after.id, "version": after.version}

        request = Request(
            name, KeyScope.curate, {"extraction": entry_id, **content}, changes=[ref], command_id=command_id
        )
        return await self._commands.execute(viewer, request, plan)


def queue(work: Work, about: State, reason: ExtractionReason) -> State:
    """Queue a record within a command. It must not be queued for this reason yet, nor belong to a private run."""
    values = {
        "name": reason.value.replace("_", " "),
        "about_id": about.id,
        "about_kind": about.type.label,
        "reason": reason,
        "data_class": "public",
    }
    entry = work.create(work.registry.types["Extraction"], values, [about])
    work.link(entry, "EXTRACTS_FROM", about)
    return entry


async def queue_once(work: Work, about: State, reason: ExtractionReason) -> None:
    """Queue a record within a command, unless it is queued for this reason already."""
    if await _held(work, about, reason) is None:
        queue(work, about, reason)


async def _held(work: Work, about: State, reason: ExtractionReason) -> dict[str, Any] | None:
    found = await work.transaction.one(
        cypher.HELD, id=about.id, reason=reason.value, audiences=list(work.viewer.audiences)
    )
    if found and found["memory_mode"] in PRIVATE:
        raise ExtractionBlocked(about.id)
    return {"id": found["entry"], "version": found["version"]} if found and found["entry"] else None


def _check_free(work: Work, entry: State) -> None:
    values = entry.properties
    if values["state"] == ExtractionState.done:
        raise ExtractionDone(entry.id)
    if values["state"] == ExtractionState.taken and values["taken_by"] != work.viewer.principal_id:
        until = clock.stamp(clock.parse(values["taken_at"]) + LEASE)
        if work.at < until:
            raise ExtractionTaken(entry.id, until)


def _check_held(work: Work, entry: State) -> None:
    values = entry.properties
    if values["state"] == ExtractionState.done:
        raise ExtractionDone(entry.id)
    if values.get("taken_by") != work.viewer.principal_id:
        raise ExtractionNotYours(entry.id)
