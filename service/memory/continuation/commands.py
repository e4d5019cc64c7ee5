"""The commands after a run. Each is one transaction, once, with an event."""

from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from typing import Any

from service.access.viewer import KeyScope, Viewer
from service.commands import Commands, Outcome, RecordRef, Request
from service.commands.errors import SourceKeyTaken
from service.memory.continuation.consults import RecordConsult, own_refs
from service.memory.continuation.follow_ups import RecordFollowUp
from service.memory.continuation.forks import RequestFork
from service.memory.continuation.inputs import (
    ConsultInput,
    FollowUpInput,
    ForkInput,
    InterventionInput,
    StepName,
    ThreadInput,
)
from service.memory.continuation.interventions import RecordIntervention
from service.memory.continuation.threads import OpenThread


class Continuation:
    def __init__(self, commands: Commands) -> None:
        self._commands = commands

    async def request_fork(self, viewer: Viewer, asked: ForkInput, *, command_id: str | None = None) -> Outcome:
        """Ask for part of a run to be run again. The executor carries it out and reports the child run."""
        own = asked.own_ref()
        request = Request(
            "requestFork",
            KeyScope.curate,
            _content(asked),
            reads=_refs(("run", asked.step.run), ("takes", asked.takes)),
            changes=[own] if own else [],
            command_id=command_id,
        )
        try:
            return await self._commands.execute(viewer, request, RequestFork(asked))
        except SourceKeyTaken:
            # A child run may have named the fork at this very moment; then it is found now.
            return await self._commands.execute(viewer, request, RequestFork(asked))

    async def record_follow_up(self, viewer: Viewer, asked: FollowUpInput, *, command_id: str | None = None) -> Outcome:
        artifacts = (("artifacts", one.ref) for one in asked.artifacts)
        others = (("conversation", asked.conversation), ("thread", asked.thread), ("fork", asked.fork))
        reads = _refs(("run", asked.step.run), *artifacts, *others)
        request = Request("recordFollowUp", KeyScope.curate, _content(asked), reads=reads, command_id=command_id)
        return await self._commands.execute(viewer, request, RecordFollowUp(asked))

    async def record_intervention(
        self, viewer: Viewer, asked: InterventionInput, *, command_id: str | None = None
    ) -> Outcome:
        """Under the lock of the run, so that it cannot end between the check and the record."""
        run = _refs(("run", asked.step.run))
        request = Request("recordIntervention", KeyScope.curate, _content(asked), changes=run, command_id=command_id)
        return await self._commands.execute(viewer, request, RecordIntervention(asked))

    async def open_thread(self, viewer: Viewer, asked: ThreadInput, *, command_id: str | None = None) -> Outcome:
        reads = _refs(("task", asked.task), *_run(asked.step), ("artifact", asked.artifact))
        request = Request("openThread", KeyScope.curate, _content(asked), reads=reads, command_id=command_id)
        return await self._commands.execute(viewer, request, OpenThread(asked))

    async def record_consult(self, viewer: Viewer, asked: ConsultInput, *, command_id: str | None = None) -> Outcome:
        others = (("thread", asked.thread), ("decision", asked.decision))
        reads = _refs(("task", asked.task), *_run(asked.step), *others, *own_refs(asked.values))
        request = Request("recordConsult", KeyScope.curate, _content(asked), reads=reads, command_id=command_id)
        return await self._commands.execute(viewer, request, RecordConsult(asked))


def _run(step: StepName | None) -> Iterable[tuple[str, RecordRef | None]]:
    return [("run", step.run)] if step else []


def _refs(*named: tuple[str, RecordRef | None]) -> list[RecordRef]:
    """The references that are given, each once, each well formed."""
    found: dict[str, RecordRef] = {}
    for field, ref in named:
        if ref is not None:
            ref.check(field)
            found[str(ref)] = ref
    return list(found.values())


def _content(asked: Any) -> Any:
    """All that makes a command this one and no other."""
    if isinstance(asked, RecordRef):
        return str(asked)
    if is_dataclass(asked):
        return {one.name: _content(getattr(asked, one.name)) for one in fields(asked)}
    if isinstance(asked, tuple):
        return [_content(one) for one in asked]  # pyright: ignore[reportUnknownVariableType]
    return asked
