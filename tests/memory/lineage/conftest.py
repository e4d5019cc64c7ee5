"""Lineage over what executors reported, on an empty graph."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from graph_schema.registry import REGISTRY
from service.access.viewer import Viewer
from service.commands import RecordRef
from service.graph.database import Database
from service.memory.lineage import Impact, Lineage, LineageRequest, Lineages, Provenance
from service.memory.reporting.commands import Reporting
from tests.memory.stories import Event, Story
from tests.viewers import viewer_of


@dataclass(frozen=True)
class Archive:
    """Takes reports, and answers about them."""

    database: Database
    service: Lineages

    async def tell(self, *stories: Story) -> None:
        await self.tell_events([event for story in stories for event in story.events])

    async def tell_events(self, events: Sequence[Event]) -> None:
        reporting = Reporting(self.database, REGISTRY, lambda _new: None)
        answers = await reporting.report(await viewer_of(self.database), events)
        assert [one.code for one in answers if one.code] == []

    async def viewer(self, **viewer: Any) -> Viewer:
        return await viewer_of(self.database, **viewer)

    async def lineage(self, ref: str | RecordRef, viewer: Viewer | None = None, **asked: Any) -> Lineage:
        far: dict[str, Any] = {"depth": 30, **asked}
        request = LineageRequest(_ref(ref), **far)
        return await self.service.lineage(viewer or await self.viewer(), request)

    async def provenance(self, ref: str | RecordRef, viewer: Viewer | None = None) -> Provenance:
        return await self.service.provenance(viewer or await self.viewer(), _ref(ref))

    async def impact(self, ref: str | RecordRef, viewer: Viewer | None = None) -> Impact:
        return await self.service.impact(viewer or await self.viewer(), _ref(ref))

    async def id_of(self, key: str) -> str:
        """The id of the record that the outside calls so, or of the delivery of that key, or of `module#seq`."""
        rows = await self.database.read(
            "MATCH (n:Record) WHERE n.source_key = $key OR n.idempotency_key = $key "
            "OR n:Activation AND n.module_key + '#' + n.activation_seq = $key RETURN n.id AS id",
            key=key,
        )
        [row] = rows
        return row["id"]


def names(answer: Lineage | Impact) -> set[str]:
    return {one.name for one in answer.nodes}


def links(answer: Lineage) -> set[tuple[str, str, str]]:
    """The links by the names of what they link."""
    called = {one.id: one.name for one in answer.nodes}
    return {(called[one.from_], one.type, called[one.to]) for one in answer.edges}


def art(key: str) -> RecordRef:
    return RecordRef(kind="Artifact", source="exec", key=key)


def doc(key: str) -> RecordRef:
    return RecordRef(kind="Entity", source="dms", key=key)


def document(key: str) -> Event:
    return {"kind": "Entity", "source": "dms", "key": key, "name": key.title()}


def sources(*keys: str) -> Sequence[Event]:
    return [{"key": key} for key in keys]


def _ref(ref: str | RecordRef) -> RecordRef:
    return ref if isinstance(ref, RecordRef) else RecordRef(id=ref)


@pytest.fixture
def archive(database: Database) -> Archive:
    return Archive(database, Lineages(database, REGISTRY))
