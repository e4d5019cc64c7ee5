"""An executor that asks for more capabilities, and a curator who says what its modules may use."""

from dataclasses import dataclass
from typing import Any

import pytest

from embeddings import EmbeddingQueue
from graph_schema.context.words import ExpansionBasis
from graph_schema.library.words import CapabilityState
from graph_schema.registry import REGISTRY
from service.cards.embedding import embed_behind
from service.commands import Commands, Outcome, RecordRef
from service.context.expansion import (
    ExpandCapabilitiesInput,
    Expansions,
    Finding,
    ModuleCapabilities,
    MountedCapabilities,
)
from service.graph.database import Database
from service.library.capabilities import StateReport
from service.library.commands import Library
from service.memory.reporting.commands import Reporting
from service.records import Records
from service.runtime.compose import hooks
from service.search import Search
from tests.memory.conftest import Executor
from tests.memory.stories import POLICY, Story, at, step
from tests.search.conftest import embedder, indexed, queue
from tests.viewers import viewer_of

__all__ = ["Bench", "bench", "embedder", "indexed", "queue"]

TASK = "legal-research"
RUN = RecordRef(kind="Run", source="exec", key="run-1")
NEED = "Check the PACER docket for Marex filings."
LONG_AGO = "2020-01-01T00:00:00.000Z"


@dataclass(frozen=True)
class Bench:
    database: Database
    executor: Executor
    records: Records
    library: Library
    expansions: Expansions
    mounted: MountedCapabilities
    queue: EmbeddingQueue

    async def begin(self, key: str = "run-1", **policy: Any) -> str:
        """A run in which A has spoken and B is at work; the id of B's module."""
        story = Story({"source": "exec", "key": key}, {**POLICY, **policy}, task_key=TASK)
        story.tell("run_started").tell("activation_completed", **step("A"))
        story.tell("artifact_produced", artifact_key=f"{key}-said", artifact_kind="text_output", name="What A said",
                   summary=NEED, **step("A"))  # fmt: skip
        story.tell("activation_started", **step("B"), triggered_by=[step("A")])
        assert set(await self.executor.told(story.events)) == {"accepted"}
        return (await self.executor.one("Module", task_key=TASK, module_key="B"))["id"]

    async def new(self, label: str, **values: Any) -> str:
        return (await self.records.save(await viewer_of(self.database), label, values)).result["id"]

    async def capability(self, name: str, **values: Any) -> str:
        return await self.new("Capability", **{"name": name, "capability_kind": "tool", **values})

    async def policy(self, **values: Any) -> str:
        given = {"name": "Policy", "policy_kind": "capability", "valid_from": LONG_AGO, **values}
        return await self.new("Policy", **given)

    async def link(self, tail: str, kind: str, head: str) -> None:
        await self.records.link(await viewer_of(self.database), RecordRef(id=tail), kind, RecordRef(id=head), {})

    async def state(self, capability: str, state: CapabilityState, as_of: str, generation: int = 0) -> None:
        told = StateReport(state, as_of, generation)
        await self.library.report_capability_state(await viewer_of(self.database), RecordRef(id=capability), told)

    async def ask(self, *capabilities: str, viewer: dict[str, Any] | None = None, **more: Any) -> Outcome:
        command_id = more.pop("command_id", None)
        given: dict[str, Any] = {
            "run": RUN,
            "module_key": "B",
            "activation_seq": 1,
            "detected_need": NEED,
            "basis": ExpansionBasis.upstream_prompt_detected,
            **more,
        }
        wish = ExpandCapabilitiesInput(**given, capabilities=tuple(RecordRef(id=one) for one in capabilities))
        return await self.expansions.expand(
            await viewer_of(self.database, **(viewer or {})), wish, command_id=command_id
        )

    async def results(self, *capabilities: str, **more: Any) -> list[str]:
        outcome = await self.ask(*capabilities, **more)
        return [one["code"] or one["result"] for one in outcome.result["outcomes"]]

    async def has(self, **viewer: Any) -> dict[str, str]:
        """What B has, by name, and how it came by it."""
        found = await self.capabilities(**viewer)
        return {one.name: one.by.value for one in found.mounted}

    async def capabilities(self, **viewer: Any) -> ModuleCapabilities:
        return await self.mounted.of(await viewer_of(self.database, **viewer), RUN, "B", 1)

    async def decide(self, gate_key: str, status: str) -> None:
        """A person decides, and the executor tells."""
        event = {
            "event_id": f"gate-{status}-{gate_key}",
            "kind": "gate_decided",
            "occurred_at": at(50),
            "run": {"source": "exec", "key": "run-1"},
            "gate_key": gate_key,
            "status": status,
            "decided_by": "will",
            **step("B"),
        }
        assert await self.executor.told([event]) == ["accepted"]

    async def embed(self) -> None:
        await embed_behind(self.database, self.queue, 1_000)


@pytest.fixture
def bench(indexed: Database, database: Database, queue: EmbeddingQueue) -> Bench:
    del indexed
    commands = Commands(database, REGISTRY, lambda _new: None)
    return Bench(
        database,
        Executor(database, Reporting(database, REGISTRY, lambda _new: None)),
        Records(commands, hooks()),
        Library(commands),
        Expansions(commands, Finding(database, Search(database, queue, REGISTRY))),
        MountedCapabilities(database),
        queue,
    )
