"""Runs that are reported, records that they are about, and scopes that are opened for them."""

from dataclasses import dataclass
from typing import Any

import pytest

from embeddings import EmbeddingQueue
from graph_schema.context.words import TriggerKind
from graph_schema.registry import REGISTRY
from service.cards.embedding import embed_behind
from service.commands import Commands, Outcome, RecordRef
from service.context.scope import EmailEvidenceInput, RunScope, RunScopeInput, RunScopes, Scopes, TriggerEvidenceInput
from service.graph.database import Database
from service.memory.reporting.commands import Reporting
from service.records import Records
from service.runtime.compose import hooks
from service.search import Search
from tests.memory.stories import Story
from tests.search.conftest import embedder, indexed, queue
from tests.viewers import viewer_of

__all__ = ["embedder", "indexed", "queue"]


@dataclass(frozen=True)
class Office:
    """Where runs are started, by somebody who sees everything unless the viewer's values say otherwise."""

    database: Database
    queue: EmbeddingQueue
    records: Records
    reporting: Reporting
    commands: Commands

    @property
    def scopes(self) -> Scopes:
        return Scopes(self.commands, self.database, Search(self.database, self.queue, REGISTRY))

    async def save(self, label: str, /, **values: Any) -> str:
        return (await self.records.save(await viewer_of(self.database), label, values)).result["id"]

    async def entity(self, name: str, kind: str = "organisation", **values: Any) -> str:
        return await self.save("Entity", name=name, kind=kind, **values)

    async def link(self, tail: str, kind: str, head: str, **properties: Any) -> None:
        viewer = await viewer_of(self.database)
        await self.records.link(viewer, RecordRef(id=tail), kind, RecordRef(id=head), properties)

    async def run(self, key: str = "r1", matters: tuple[str, ...] = (), mode: str = "standard", **values: Any) -> str:
        policy = {"memory_mode": mode, "data_class": "internal", "matter_ids": list(matters)}
        story = Story({"source": "exec", "key": key}, policy).tell("run_started", **values)
        [answer] = await self.reporting.report(await viewer_of(self.database), story.events)
        assert answer.run_id, answer
        return answer.run_id

    async def end(self, key: str = "r1") -> None:
        policy: dict[str, Any] = {"memory_mode": "standard", "data_class": "internal", "matter_ids": []}
        events = Story({"source": "exec", "key": key}, policy).tell("run_started").tell("run_completed").events[1:]
        [answer] = await self.reporting.report(await viewer_of(self.database), events)
        assert answer.code is None

    async def embed(self) -> None:
        await embed_behind(self.database, self.queue, 1_000)

    async def open(
        self, run: str, /, viewer: dict[str, Any] | None = None, command_id: str | None = None, **asked: Any
    ) -> Outcome:
        given = RunScopeInput(RecordRef(id=run), **asked)
        return await self.scopes.open(await viewer_of(self.database, **(viewer or {})), given, command_id=command_id)

    async def read(self, run: str, /, **viewer: Any) -> RunScope:
        scope = await RunScopes(self.database).of_run(await viewer_of(self.database, **viewer), RecordRef(id=run))
        assert scope is not None
        return scope

    async def bound(self, run: str) -> dict[str, tuple[str, str]]:
        """Names of what is in the scope, each with how it was bound and whether it holds."""
        rows = await self.database.read(
            "MATCH (:Run {id: $run})-[:HAS_SCOPE]->(:ScopeEnvelope)-[b:BINDS]->(x) RETURN x.name AS n, b AS b", run=run
        )
        return {row["n"]: (row["b"]["via"], row["b"]["status"]) for row in rows}

    async def count(self, *labels: str) -> int:
        rows = await self.database.read(
            "MATCH (n) WHERE any(one IN labels(n) WHERE one IN $labels) RETURN count(n) AS n", labels=labels
        )
        return rows[0]["n"]


def refs(*ids: str) -> tuple[RecordRef, ...]:
    return tuple(RecordRef(id=one) for one in ids)


def email(
    subject: str = "News", summary: str | None = None, attachments: tuple[str, ...] = (), **mail: Any
) -> TriggerEvidenceInput:
    told: dict[str, Any] = {"account": "office@example.com", "message_id": "m-1", **mail}
    evidence = EmailEvidenceInput(subject=subject, attachments=refs(*attachments), **told)
    return TriggerEvidenceInput(TriggerKind.email, payload_summary=summary, email=evidence)


@pytest.fixture
def office(indexed: Database, database: Database, queue: EmbeddingQueue) -> Office:
    assert indexed is database
    commands = Commands(database, REGISTRY, lambda _new: None)
    return Office(
        database, queue, Records(commands, hooks()), Reporting(database, REGISTRY, lambda _new: None), commands
    )
