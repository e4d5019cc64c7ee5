"""A desk: a user with a component, on the real server."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import pytest

from graph_schema.attention.words import OperatingMode
from service import clock
from service.access.viewer import KeyScope, PrincipalKind, Viewer
from service.attention.answers import AttentionAnswers
from service.attention.background import decide_due
from service.attention.deciding.commands import Attention
from service.attention.deciding.replay import AttentionReplay, AttentionTraces
from service.attention.deciding.view import AttentionDecision
from service.attention.reporting.answers import AgentEventAnswer
from service.attention.reporting.commands import AgentEvents
from service.attention.users import UserModelNow, UserModels
from service.capability import Services
from service.commands import RecordRef
from service.graph.database import Database
from service.records import Records
from service.runtime.compose import services_alone
from tests.viewers import viewer_of

SOURCE = "studio"
ANALYZER = "tap_tone_analyzer"
NUMBERS = count()


@dataclass(frozen=True)
class Desk:
    database: Database
    services: Services

    async def viewer(self, principal_id: str = "prin_luthier", **given: Any) -> Viewer:
        known: dict[str, Any] = {"scopes": (KeyScope.read, KeyScope.report), **given}
        return await viewer_of(self.database, principal_id, **known)

    async def admin(self) -> Viewer:
        return await viewer_of(self.database)

    async def agent(self) -> Viewer:
        return await self.viewer("prin_tool", kind=PrincipalKind.agent)

    async def principal(self, principal_id: str = "prin_luthier", **given: Any) -> None:
        """Known to the service, so that it can act for them."""
        values = {"id": principal_id, "name": principal_id, "kind": "person", "clearance": "internal", **given}
        await self.database.run_alone(
            "MERGE (p:Principal {id: $values.id}) SET p += $values",
            values={"all_matters": True, "matter_ids": [], **values},
        )

    async def report(self, events: Sequence[Any], viewer: Viewer | None = None) -> list[AgentEventAnswer]:
        return await self.services[AgentEvents].report(viewer or await self.viewer(), events)

    async def tell(self, *events: dict[str, Any], viewer: Viewer | None = None) -> str:
        """Report what has to be taken. Returns the id of the session."""
        answers = await self.report(events, viewer)
        assert {one.outcome.value for one in answers} == {"accepted"}, answers
        assert answers[0].session_id
        return answers[0].session_id

    async def decide(self, session: str, at: float = 0, viewer: Viewer | None = None) -> AttentionDecision:
        """Decide for so many seconds after the base of all times."""
        who = viewer or await self.viewer()
        outcome = await self.services[Attention].decide(who, RecordRef(id=session), based(-at))
        found = await self.services[AttentionTraces].decision(await self.admin(), outcome.result["id"])
        assert found
        return found

    async def decide_due(self) -> int:
        return await decide_due(self.database, self.services[Attention])

    async def replay(self, trace: str, viewer: Viewer | None = None) -> AttentionReplay:
        return await self.services[AttentionTraces].replay(viewer or await self.admin(), trace)

    async def mode(self, mode: OperatingMode, surface: str | None = None, viewer: Viewer | None = None) -> None:
        await self.services[AttentionAnswers].set_mode(viewer or await self.viewer(), surface, mode, None)

    async def model(self, viewer: Viewer | None = None) -> UserModelNow:
        return await self.services[UserModels].own(viewer or await self.viewer())

    async def new(self, label: str, **values: Any) -> str:
        saved = await self.services[Records].save(await self.admin(), label, {"name": label, **values})
        return saved.result["id"]

    async def stored(self, record_id: str) -> dict[str, Any]:
        row = await self.database.read_one("MATCH (n:Record {id: $id}) RETURN properties(n) AS p", id=record_id)
        assert row
        return row["p"]

    async def count(self, label: str) -> int:
        row = await self.database.read_one(
            "MATCH (n:Record) WHERE $label IN labels(n) RETURN count(n) AS c", label=label
        )
        return row["c"] if row else 0


def event(kind: str, seconds: float = 0, *, key: str = "s1", component: str = ANALYZER, **given: Any) -> dict[str, Any]:
    """An event of so many seconds before the base; its payload is what is not the envelope's."""
    envelope = {name: given.pop(name) for name in _ENVELOPE if name in given}
    return {
        "event_id": f"e{next(NUMBERS)}",
        "event_type": kind,
        "occurred_at": based(seconds),
        "session": {"source": SOURCE, "key": key},
        "component": component,
        "payload": given,
        **envelope,
    }


_ENVELOPE = ("event_id", "user", "records", "data_class", "matter_ids", "ends_session", "session", "occurred_at")


BASE = datetime.now(UTC)
"""All events are told from here, so that a slow machine changes nothing."""


def based(seconds: float) -> str:
    return clock.stamp(BASE - timedelta(seconds=seconds))


def ago(seconds: float) -> str:
    return clock.stamp(datetime.now(UTC) - timedelta(seconds=seconds))


def undos(number: int = 3, **more: Any) -> Iterable[dict[str, Any]]:
    return [event("user_action", 5 - one, action="undo", **more) for one in range(number)]


@pytest.fixture
def desk(database: Database) -> Desk:
    return Desk(database, services_alone(database))
