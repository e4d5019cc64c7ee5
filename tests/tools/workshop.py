"""A workshop with tools: calls that end well or badly, users who ask again, and people who look at it."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from embeddings import EmbeddingQueue
from service import clock
from service.access.viewer import Viewer
from service.graph.database import Database
from service.memory.reporting.commands import Reporting
from service.runtime.compose import services_alone
from service.tools.health import ToolHealth, ToolHealths
from service.tools.recommendations import Evaluations
from service.tools.recommendations.commands import ToolAdvice
from service.tools.reports import AskReports, OutcomeReports
from service.tools.reports.answers import ToolReportAnswer
from tests.routing.office import Office

SOURCE = "shop"
TOOL = "web_fetcher"
POLICY: dict[str, Any] = {"memory_mode": "standard", "data_class": "internal", "matter_ids": []}
REFERRAL = {
    "boundary_axes": ["HTTP ", "parsing"],
    "observed_task_shape": "fetch + extract movie titles",
    "suggested_split": "separate transport from extraction",
    "evidence": "The page came, and the titles did not.",
}


def ago(**span: float) -> str:
    return clock.stamp(datetime.now(UTC) - timedelta(**span))


def outcome(key: str, outcome_type: str = "success", **more: Any) -> dict[str, Any]:
    """An outcome as callers send it. A referral says why."""
    metadata = {"metadata": REFERRAL} if outcome_type == "wrong_tool_boundary" else {}
    told = {"source": SOURCE, "tool": {"key": TOOL}, "occurred_at": ago(hours=1), **metadata}
    return {**told, "event_id": key, "outcome_type": outcome_type, **more}


def ask(key: str, minute: float = 0, **more: Any) -> dict[str, Any]:
    told = {
        "source": SOURCE,
        "user": "ana",
        "session": "s1",
        "asked_at": ago(minutes=60 - minute),
        "capability_pattern": ["http_fetch", "html_extract"],
        "task_shape": "list",
    }
    return {**told, "event_id": key, **more}


@dataclass(frozen=True)
class Workshop(Office):
    async def report(self, *outcomes: Any, viewer: Viewer | None = None) -> list[ToolReportAnswer]:
        return await self.services[OutcomeReports].report(viewer or await self.viewer(), outcomes)

    async def taken(self, *outcomes: Any, viewer: Viewer | None = None) -> list[str]:
        """Ids of the outcomes, all of which are taken."""
        answers = await self.report(*outcomes, viewer=viewer)
        assert [one.outcome.value for one in answers] == ["accepted"] * len(outcomes), answers
        return [str(one.record_id) for one in answers]

    async def asked(self, *asks: Any, viewer: Viewer | None = None) -> list[ToolReportAnswer]:
        answers = await self.services[AskReports].report(viewer or await self.viewer(), asks)
        assert all(one.outcome.value != "rejected" for one in answers), answers
        return answers

    async def ran(self, *events: dict[str, Any], run: str = "run-1", again: bool = False, **policy: Any) -> None:
        shared: dict[str, Any] = {"run": {"source": SOURCE, "key": run}, "policy": {**POLICY, **policy}}
        given = [{**shared, "occurred_at": ago(hours=1), **one} for one in events]
        answers = await self.services[Reporting].report(await self.viewer(), given)
        taken = {"accepted", *(["duplicate"] if again else [])}
        assert {one.outcome.value for one in answers} <= taken, answers

    async def tool(self, key: str = TOOL, source: str = SOURCE) -> str:
        row = await self.database.read_one(
            "MATCH (t:Tool {source: $source, source_key: $key}) RETURN t.id AS id", source=source, key=key
        )
        assert row
        return row["id"]

    async def health(self, viewer: Viewer | None = None, key: str = TOOL, source: str = SOURCE) -> ToolHealth:
        return await self.services[ToolHealths].of(viewer or await self.viewer(), await self.tool(key, source))

    async def evaluate(self, viewer: Viewer | None = None) -> list[ToolAdvice]:
        return (await self.services[Evaluations].evaluate(viewer or await self.viewer()))[1]

    async def corrections(self) -> set[tuple[str, str]]:
        """The asks that were asked again, each with the one that did."""
        rows = await self.database.read(
            "MATCH (later:Ask)<-[:MADE_BY]-(:UserCorrection)-[:CORRECTS]->(earlier:Ask) "
            "RETURN earlier.source_key AS earlier, later.source_key AS later"
        )
        return {(row["earlier"].removeprefix("ask/"), row["later"].removeprefix("ask/")) for row in rows}


@pytest.fixture
def workshop(database: Database) -> Workshop:
    return Workshop(database, services_alone(database))


@pytest.fixture
def reading_workshop(indexed: Database, database: Database, queue: EmbeddingQueue) -> Workshop:
    """One with a model that reads."""
    return Workshop(database, services_alone(indexed and database, queue))
