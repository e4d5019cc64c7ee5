"""A run with a scope and records around it, for packets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from embeddings import EmbeddingQueue
from embeddings.tokens import Counters
from graph_schema.registry import REGISTRY
from service.access.viewer import KeyScope, Viewer
from service.cards.embedding import embed_behind
from service.commands import Commands, RecordRef, Request, Work
from service.context.packets import ContextPacketInput, PacketReads, Packets
from service.context.packets.inputs import ModuleConfigInput
from service.context.packets.packet import Packet
from service.graph.database import Database
from service.memory.reporting.commands import Reporting
from service.records import Records
from service.runtime.compose import hooks
from tests.memory.stories import Story, step
from tests.viewers import viewer_of

SCOPE: dict[str, Any] = {
    "launch_surface": "email_trigger",
    "surface_context_policy": "not_applicable",
    "policy_source": "The default.",
    "visibility_ceiling": "internal",
    "task_type": "complaint_evaluation",
    "domains": ["legal"],
    "request_hash": "h",
    "rules": "test",
}
CONFIG = ModuleConfigInput(
    instruction="Evaluate the complaint against the exhibits.", output_contract="An issue matrix."
)


@dataclass(frozen=True)
class Bench:
    """Where packets are assembled in tests."""

    database: Database
    queue: EmbeddingQueue
    tokenizers: Path

    @cached_property
    def counters(self) -> Counters:
        return Counters(self.tokenizers)

    @property
    def commands(self) -> Commands:
        return Commands(self.database, REGISTRY, lambda _new: None)

    @property
    def records(self) -> Records:
        return Records(self.commands, hooks())

    @property
    def packets(self) -> Packets:
        return Packets(self.commands, PacketReads(self.database, self.queue, self.counters))

    async def viewer(self, **given: Any) -> Viewer:
        return await viewer_of(self.database, **given)

    async def add(self, label: str, name: str, **values: Any) -> str:
        return (await self.records.save(await self.viewer(), label, {"name": name, **values})).result["id"]

    async def matter(self, name: str) -> str:
        return await self.add("Entity", name, kind="matter")

    async def link(self, tail: str, kind: str, head: str, **facts: Any) -> None:
        await self.records.link(await self.viewer(), RecordRef(id=tail), kind, RecordRef(id=head), facts)

    async def embed(self) -> None:
        await embed_behind(self.database, self.queue, 10_000)

    async def run(
        self, key: str = "run-1", *, modules: Sequence[str] = ("draft",), trigger_kind: str | None = None, **policy: Any
    ) -> str:
        """A run whose modules are at work, reported by its executor."""
        held: dict[str, Any] = {"memory_mode": "standard", "data_class": "internal", "matter_ids": [], **policy}
        story = Story({"source": "exec", "key": key}, held)
        began = {"trigger_kind": trigger_kind} if trigger_kind else {}
        story.tell("run_started", task_key="evaluate", task_name="Evaluate complaint", **began)
        for module in modules:
            story.tell("activation_started", **step(module), module_type="step.agent_task")
        await self.report(story.events)
        row = await self.database.read_one("MATCH (r:Run {source_key: $key}) RETURN r.id AS id", key=key)
        assert row
        return row["id"]

    async def earlier(
        self, key: str, *, ended: bool = True, hour: int = 9, task: str = "evaluate", **policy: Any
    ) -> None:
        """Another run, which began in this hour of the day; those of `run` begin at ten."""
        held: dict[str, Any] = {"memory_mode": "standard", "data_class": "internal", "matter_ids": [], **policy}
        summary = held.pop("workflow_summary", None)
        story = Story({"source": "exec", "key": key}, held)
        story.tell("run_started", task_key=task, **({"workflow_summary": summary} if summary else {}))
        if ended:
            story.tell("run_completed")
        await self.report(
            [{**one, "occurred_at": one["occurred_at"].replace("T10", f"T{hour:02d}")} for one in story.events]
        )

    async def report(self, events: Sequence[dict[str, Any]]) -> None:
        reporting = Reporting(self.database, REGISTRY, lambda _new: None)
        answers = await reporting.report(await self.viewer(), list(events))
        assert [one.code for one in answers] == [None] * len(answers), answers

    async def scope(
        self,
        run: str,
        bound: Mapping[str, str] | None = None,
        excluded: Sequence[str] = (),
        reaches: Sequence[str] = (),
        **values: Any,
    ) -> str:
        """The scope of a run that binds these records, each in a way, keeps those out, and looks at others."""
        ids = [run, *(bound or {}), *excluded, *reaches]

        async def plan(work: Work) -> dict[str, Any]:
            states = {one: work.need(RecordRef(id=one), "x") for one in ids}
            given = {**SCOPE, "name": "Scope", "run_id": run, "data_class": "public", **values}
            envelope = work.create(REGISTRY.types["ScopeEnvelope"], given, [states[run]])
            snapshot = {"name": "Policies", "run_id": run, "snapshot_key": "scope", "data_class": "public"}
            held = work.create(REGISTRY.types["Snapshot"], snapshot, [states[run]])
            work.link(states[run], "HAS_SCOPE", envelope)
            work.link(envelope, "HELD_UNDER", held)
            for one, via in (bound or {}).items():
                status = "candidate" if via == "doubtful" else "bound"
                how = "trigger_resolved" if via == "doubtful" else via
                facts = {"via": how, "evidence": "The test says so.", "confidence": 1.0, "status": status}
                work.link(envelope, "BINDS", states[one], facts)
            for one in excluded:
                work.link(envelope, "EXCLUDES", states[one])
            for one in reaches:
                work.link(envelope, "REACHES", states[one])
            return {"id": envelope.id}

        refs = [RecordRef(id=one) for one in ids]
        request = Request("test", KeyScope.report, {}, reads=refs)
        return (await self.commands.execute(await self.viewer(), request, plan)).result["id"]

    async def assemble(self, asked: ContextPacketInput, viewer: Viewer | None = None) -> Packet:
        return (await self.packets.assemble(viewer or await self.viewer(), asked))[0]

    async def preview(self, asked: ContextPacketInput, viewer: Viewer | None = None) -> Packet:
        return await self.packets.reads.preview(viewer or await self.viewer(), asked)


def asking(run: str, **given: Any) -> ContextPacketInput:
    return replace(ContextPacketInput(run=RecordRef(id=run), module_key="draft", config=CONFIG), **given)


def given(packet: Packet) -> list[str]:
    return [one.name for one in packet.items]


def why(packet: Packet) -> dict[str, str]:
    return {one.name: one.code for one in packet.excluded}
