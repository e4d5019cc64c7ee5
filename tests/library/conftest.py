"""A curator's desk with the commands of the library, on an empty graph."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pytest

from graph_schema import REGISTRY
from service.access.viewer import Viewer
from service.commands import Commands, RecordRef
from service.graph.database import Database
from service.library.commands import Library
from service.library.graphs import CableInput, GraphInput, ModuleInput
from service.records import Records
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

    async def stored(self, record_id: str) -> dict[str, Any]:
        row = await self.database.read_one("MATCH (n:Record {id: $id}) RETURN properties(n) AS p", id=record_id)
        assert row
        return row["p"]

    async def rows(self, query: Any, **values: Any) -> list[Mapping[str, Any]]:
        return [*await self.database.read(query, **values)]


@pytest.fixture
def desk(database: Database) -> Desk:
    commands = Commands(database, REGISTRY, lambda _new: None)
    return Desk(database, Records(commands), Library(commands))


def module(key: str, kind: str = "step.agent_task", **values: Any) -> ModuleInput:
    return ModuleInput(key, kind, **values)


def chain(*keys: str, **values: Any) -> GraphInput:
    """Modules one after another."""
    cables = [CableInput(one, other, "out", "in") for one, other in pairwise(keys)]
    ports: dict[str, Any] = {"input_ports": ("in",), "output_ports": ("out",)}
    return GraphInput([module(key, **ports) for key in keys], cables, **values)
