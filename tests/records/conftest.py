"""The commands on records, on an empty graph."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from graph_schema.registry import REGISTRY
from service.commands import Commands, Outcome, RecordRef
from service.graph.database import Database
from service.records import Records
from service.runtime.compose import hooks
from tests.viewers import viewer_of


@dataclass(frozen=True)
class Desk:
    """An administrator at work. Looks at their access before each command, as every request does."""

    database: Database
    records: Records

    async def save(self, label: str, values: Mapping[str, Any], **options: Any) -> Outcome:
        return await self.records.save(await viewer_of(self.database), label, values, **options)

    async def link(self, tail: str, kind: str, head: str, properties: Mapping[str, Any] | None = None) -> Outcome:
        viewer = await viewer_of(self.database)
        return await self.records.link(viewer, RecordRef(id=tail), kind, RecordRef(id=head), properties or {})

    async def new(self, label: str, **values: Any) -> str:
        """Save a new record; return its id."""
        return (await self.save(label, values)).result["id"]

    async def stored(self, record_id: str) -> dict[str, Any]:
        row = await self.database.read_one(
            "MATCH (n:Record {id: $id}) RETURN properties(n) AS p, labels(n) AS labels", id=record_id
        )
        assert row
        return {**row["p"], "labels": sorted(row["labels"])}

    async def count(self, label: str) -> int:
        rows = await self.database.read("MATCH (n:$($label)) RETURN count(n) AS count", label=label)
        return rows[0]["count"]


@pytest.fixture
def records(database: Database) -> Records:
    return Records(Commands(database, REGISTRY, lambda _new_audience: None), hooks())


@pytest.fixture
def desk(database: Database, records: Records) -> Desk:
    return Desk(database, records)
