"""A curator's desk with the commands of the library, on an empty graph."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pytest

from graph_schema.learning.design_words import CreationMode
from graph_schema.model.fields import DataClass
from graph_schema.registry import REGISTRY
from service import clock
from service.access.audience import audience_of
from service.access.viewer import Viewer
from service.commands import Commands, RecordRef
from service.graph.database import Database
from service.ids import new_id
from service.learning.creation.commands import TrackedTasks
from service.learning.creation.inputs import TrackedTaskInput
from service.library.commands import Library
from service.library.graphs import CableInput, GraphInput, ModuleInput
from service.records import Records
from service.routing.agent.read import AgentProfiles
from service.runtime.compose import hooks
from tests.viewers import viewer_of


@dataclass(frozen=True)
class Desk:
    database: Database
    records: Records
    library: Library

    async def viewer(self, **options: Any) -> Viewer:
        return await viewer_of(self.database, **options)

    async def new(self, label: str, **values: Any) -> str:
        return (await self.records.save(await self.viewer(), label, values)).result["id"]

    async def save(self, label: str, record_id: str, **values: Any) -> dict[str, Any]:
        outcome = await self.records.save(await self.viewer(), label, values, record_id=record_id)
        return outcome.result

    async def link(self, tail: str, kind: str, head: str) -> None:
        await self.records.link(await self.viewer(), RecordRef(id=tail), kind, RecordRef(id=head), {})

    async def graph(self, of: str, graph: GraphInput, **options: Any) -> dict[str, Any]:
        outcome = await self.library.save_graph(await self.viewer(), RecordRef(id=of), graph, **options)
        return outcome.result

    async def match(
        self, outcome: str = "nothing_fits", matters: Sequence[str] = (), by: str = "agent", **told: Any
    ) -> RecordRef:
        """A match that a principal has kept, as an agent names it."""
        kind, at = REGISTRY.types["MatchDecision"], clock.now()
        texts = ("request_details", "explanation", "answer", "ranker", "embedding_model")
        values = {
            **dict.fromkeys(texts, "-"),
            **dict.fromkeys(("created_at", "updated_at", "matched_at"), at),
            **dict.fromkeys(("data_class", "own_data_class"), DataClass.internal),
            "matter_ids": list(matters),
            "own_matter_ids": list(matters),
            "audience": audience_of(DataClass.internal, matters),
            "id": new_id(kind.prefix),
            "name": "Match",
            "asset_kind": "Template",
            "request": "Review the complaint.",
            "outcome": outcome,
            "confidence": 0.9,
            "recommended_action": "create_new_blank",
            **told,
        }
        whole = kind.model.model_validate(values).properties()
        event = {
            "event_id": new_id("evt"),
            "kind": "matchdecision.created",
            "at": at,
            "about": whole["id"],
            "audience": whole["audience"],
            "principal_id": by,
        }
        await self.database.run_alone(
            "CREATE (n:MatchDecision:Record) SET n = $whole CREATE (e:Event:Unnumbered) SET e = $event",
            whole=whole,
            event=event,
        )
        return RecordRef(id=whole["id"])

    async def proposed(self, *ids: str, by: str = "agent") -> None:
        """Make these drafts that an agent has proposed, whoever made them. Tasks among them have their receipts."""
        for one in ids:
            if one.startswith("task_"):
                await self.receipted(one)
        await self.database.run_alone(
            "MATCH (n:Record) WHERE n.id IN $ids SET n.lifecycle_state = 'draft' "
            "WITH n MATCH (e:Event {about: n.id}) SET e.principal_id = $by",
            ids=list(ids),
            by=by,
        )

    async def receipted(self, task: str) -> None:
        """Give a task the receipt without which an agent may not touch it."""
        commands = Commands(self.database, REGISTRY, lambda _new: None)
        tracked = TrackedTasks(commands, hooks(), AgentProfiles(self.database))
        given = TrackedTaskInput(
            task=RecordRef(id=task),
            creation_mode=CreationMode.user_authored,
            reason_for_task_mode="It is needed.",
            user_visible_description="It does it.",
        )
        await tracked.track(await self.viewer(), given)

    async def stored(self, record_id: str) -> dict[str, Any]:
        row = await self.database.read_one("MATCH (n:Record {id: $id}) RETURN properties(n) AS p", id=record_id)
        assert row
        return row["p"]

    async def rows(self, query: Any, **values: Any) -> list[Mapping[str, Any]]:
        return [*await self.database.read(query, **values)]


@pytest.fixture
def desk(database: Database) -> Desk:
    commands = Commands(database, REGISTRY, lambda _new: None)
    return Desk(database, Records(commands, hooks()), Library(commands))


def module(key: str, kind: str = "step.agent_task", **values: Any) -> ModuleInput:
    return ModuleInput(key, kind, **values)


def chain(*keys: str, **values: Any) -> GraphInput:
    """Modules one after another."""
    cables = [CableInput(one, other, "out", "in") for one, other in pairwise(keys)]
    ports: dict[str, Any] = {"input_ports": ("in",), "output_ports": ("out",)}
    return GraphInput([module(key, **ports) for key in keys], cables, **values)
