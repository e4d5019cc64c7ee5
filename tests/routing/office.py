"""An office with the services of routing: people who are asked, and what they make of it."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from embeddings import EmbeddingQueue
from graph_schema.model.fields import Field, Kind
from graph_schema.registry import REGISTRY
from graph_schema.routing.decision_words import ExecutionMode, OpportunityLevel
from graph_schema.routing.words import SuggestionKind, SuggestionResponse
from service import clock
from service.access.viewer import KeyScope, PrincipalKind, Viewer
from service.capability import Services
from service.cards.embedding import embed_behind
from service.commands import Outcome, RecordRef, Request, Work
from service.graph.database import Database
from service.records import Records
from service.routing.feedback.commands import SuggestionFeedbacks
from service.routing.feedback.inputs import SuggestionFeedbackInput
from service.routing.feedback.read import RoutingState, RoutingStates
from service.routing.invocations.commands import Invocations
from service.routing.invocations.inputs import InvocationInput
from service.runtime.compose import services_alone
from tests.viewers import viewer_of

CLASS = "complaint/review/legal"
SUGGESTED, REFUSED, ACCEPTED = SuggestionKind.task_suggested, SuggestionResponse.rejected, SuggestionResponse.accepted
_PLAIN = {Kind.string: "-", Kind.integer: 1, Kind.long: 1, Kind.number: 0.5, Kind.boolean: False}


@dataclass(frozen=True)
class Office:
    database: Database
    services: Services

    async def viewer(self, **given: Any) -> Viewer:
        return await viewer_of(self.database, **given)

    async def agent(self, **given: Any) -> Viewer:
        scopes = (KeyScope.read, KeyScope.curate, KeyScope.report)
        return await self.viewer(principal_id="prin_agent", kind=PrincipalKind.agent, scopes=scopes, **given)

    async def new(self, label: str, viewer: Viewer | None = None, **values: Any) -> str:
        saved = await self.services[Records].save(viewer or await self.viewer(), label, {"name": label, **values})
        return saved.result["id"]

    async def save(self, label: str, record_id: str, **values: Any) -> None:
        await self.services[Records].save(await self.viewer(), label, values, record_id=record_id)

    async def matter(self, name: str = "Marex") -> str:
        return await self.new("Entity", kind="matter", name=name)

    async def link(self, tail: str, kind: str, head: str) -> None:
        await self.services[Records].link(await self.viewer(), RecordRef(id=tail), kind, RecordRef(id=head), {})

    async def become(self, record_id: str, state: str, viewer: Viewer | None = None) -> None:
        who = viewer or await self.viewer()
        await self.services[Records].set_lifecycle(who, RecordRef(id=record_id), state, None)

    async def embed(self) -> None:
        await embed_behind(self.database, self.services.ground.embeddings, 10_000)

    async def decision(self, **values: Any) -> str:
        """A kept decision, with what its model asks for."""
        kind = REGISTRY.types["ModeDecision"]
        required = {one.name: _plain(one) for one in kind.fields.values() if one.required and not one.hidden}
        decided = {"selected_mode": "suggest_existing_saved_task", "task_opportunity_level": "high"}
        told = {**required, **decided, "context_class": CLASS, "request": "complaint audit", **values}

        async def plan(work: Work) -> dict[str, Any]:
            return {"id": work.create(kind, told).id}

        request = Request("testDecision", KeyScope.curate, told)
        outcome = await self.services.ground.commands.execute(await self.viewer(), request, plan)
        return outcome.result["id"]

    async def say(
        self,
        response: SuggestionResponse = REFUSED,
        kind: SuggestionKind = SUGGESTED,
        *,
        viewer: Viewer | None = None,
        days: float = 0,
        **given: Any,
    ) -> dict[str, Any]:
        """Feedback of so many days ago."""
        told: dict[str, Any] = {"user_request_ref": "chat://1", "context_class_key": CLASS, **given}
        asked = SuggestionFeedbackInput(suggestion_kind=kind, user_response=response, given_at=ago(days), **told)
        who = viewer or await self.viewer()
        return (await self.services[SuggestionFeedbacks].record(who, asked)).result

    async def trace(self, viewer: Viewer | None = None, **given: Any) -> dict[str, Any]:
        return (await self.traced(viewer, **given)).result

    async def traced(self, viewer: Viewer | None = None, **given: Any) -> Outcome:
        decided: dict[str, Any] = {}
        if "decision" not in given and "trace" not in given:
            decided = {
                "user_request_ref": "chat://1",
                "selected_mode": ExecutionMode.suggest_existing_saved_task,
                "task_opportunity_level": OpportunityLevel.high,
                "context_class": CLASS,
            }
        asked = InvocationInput(**{**decided, **given})
        return await self.services[Invocations].record(viewer or await self.viewer(), asked)

    async def state(self, viewer: Viewer | None = None, context_class: str = CLASS) -> RoutingState:
        return await self.services[RoutingStates].of(viewer or await self.viewer(), context_class)

    async def stored(self, record_id: str) -> dict[str, Any]:
        row = await self.database.read_one("MATCH (n:Record {id: $id}) RETURN properties(n) AS p", id=record_id)
        assert row
        return row["p"]

    async def heads(self, record_id: str, kind: str) -> set[str]:
        rows = await self.database.read(
            "MATCH (:Record {id: $id})-[link]->(n:Record) WHERE type(link) = $kind RETURN n.id AS id",
            id=record_id,
            kind=kind,
        )
        return {row["id"] for row in rows}

    async def events(self, record_id: str) -> set[str]:
        rows = await self.database.read("MATCH (e:Event {about: $id}) RETURN e.kind AS kind", id=record_id)
        return {row["kind"] for row in rows}


def ago(days: float) -> str:
    return clock.stamp(datetime.now(UTC) - timedelta(days=days))


def _plain(one: Field) -> Any:
    if one.enum:
        return next(iter(one.enum)).value
    if one.kind is Kind.timestamp:
        return clock.now()
    return [] if one.many else _PLAIN[one.kind]


@pytest.fixture
def office(database: Database) -> Office:
    return Office(database, services_alone(database))


@pytest.fixture
def reading_office(indexed: Database, database: Database, queue: EmbeddingQueue) -> Office:
    """One with a model that reads."""
    return Office(database, services_alone(indexed and database, queue))
