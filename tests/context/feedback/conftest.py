"""Packets with their receipts, stored through a command of the test's own, and somebody who thinks about them."""

from dataclasses import dataclass
from typing import Any

import pytest

from graph_schema.registry import REGISTRY
from service.access.viewer import KeyScope
from service.commands import Commands, Outcome, RecordRef, Request, Work
from service.context.feedback import Asked, ContextFeedback, ContextFeedbackInput, ContextFigures, ContextStatistics
from service.graph.database import Database
from service.memory.reporting.commands import Reporting
from service.records import Records
from service.runtime.compose import hooks
from tests.memory.conftest import Executor
from tests.memory.stories import POLICY, Story, step
from tests.viewers import viewer_of

PACKET: dict[str, Any] = {
    "name": "Packet",
    "injection_profile": "task_scoped",
    "task_context_binding": "explicit_task_scope",
    "surface_context_policy": "none",
    "surface_context_used": False,
    "requested_tokens": 10,
    "actual_tokens": 10,
    "max_tokens": 100,
    "tokenizer": "words",
    "considered_count": 1,
    "injected_count": 1,
    "excluded_count": 0,
    "inputs_hash": "h",
    "content_hash": "h",
    "packet_generation_id": "g",
    "rules": "r/1",
    "embedding_model": "m",
}
RECEIPT: dict[str, Any] = {"stage": "budget", "explanation": "So it was.", "version": 1}
IN: dict[str, Any] = {**RECEIPT, "layer": "memory_excerpts", "rank": 1, "via": "explicit_task_scope", "tokens": 3}


@dataclass(frozen=True)
class Reader:
    database: Database
    commands: Commands
    executor: Executor
    feedback: ContextFeedback

    async def new(self, label: str, **values: Any) -> str:
        saved = await Records(self.commands, hooks()).save(await viewer_of(self.database), label, values)
        return saved.result["id"]

    async def run(self, key: str = "run-1", **policy: Any) -> str:
        story = Story({"source": "exec", "key": key}, {**POLICY, **policy})
        story.tell("run_started").tell("activation_started", **step("B"))
        await self.executor.told(story.events)
        return (await self.executor.one("Run", source_key=key))["id"]

    async def packet(
        self, run: str, *links: tuple[str, str, dict[str, Any]], module_key: str = "B", **values: Any
    ) -> str:
        """A packet of a run with its receipts: `("INJECTED", id of the record, kind and reason)`."""
        refs = [RecordRef(id=one) for one in dict.fromkeys([run, *(head for _, head, _ in links)])]

        async def plan(work: Work) -> dict[str, Any]:
            whole = work.need(RecordRef(id=run), "run")
            given = {**PACKET, "run_id": run, "module_key": module_key, "activation_seq": 1, **values}
            made = work.create(REGISTRY.types["ContextPacket"], given, [whole])
            work.link(whole, "HAS_PACKET", made)
            for kind, head, facts in links:
                shared = IN if kind == "INJECTED" else {**RECEIPT, "count": 1}
                work.link(made, kind, work.need(RecordRef(id=head), "head"), {**shared, **facts})
            return {"id": made.id}

        request = Request("testPacket", KeyScope.curate, {}, reads=refs)
        return (await self.commands.execute(await viewer_of(self.database), request, plan)).result["id"]

    async def say(
        self, packet: str | None, target_kind: Any, verdict: Any, ref: str | None = None, /, **more: Any
    ) -> Outcome:
        viewer = await viewer_of(self.database, **more.pop("viewer", {}))
        command_id = more.pop("command_id", None)
        named = RecordRef(id=packet) if packet else None
        given = ContextFeedbackInput(target_kind=target_kind, feedback=verdict, target_ref=ref, packet=named, **more)
        return await self.feedback.record(viewer, given, command_id=command_id)

    async def figures(self, viewer: dict[str, Any] | None = None, **asked: Any) -> ContextStatistics:
        who = await viewer_of(self.database, **(viewer or {}))
        return await ContextFigures(self.database).of(who, Asked(**asked))


@pytest.fixture
def reader(database: Database) -> Reader:
    commands = Commands(database, REGISTRY, lambda _new: None)
    executor = Executor(database, Reporting(database, REGISTRY, lambda _new: None))
    return Reader(database, commands, executor, ContextFeedback(commands))
