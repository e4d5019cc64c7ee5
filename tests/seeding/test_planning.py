"""What is planned ahead after a start is really asked: each capability finds in the sample world what it needs."""

from typing import Any, LiteralString

import pytest

from embeddings import EmbeddingQueue
from graph_schema.capabilities import parts_of
from graph_schema.model.fields import DataClass
from service.access.viewer import KeyScope, Viewer
from service.graph.database import Database
from service.runtime.compose import services_alone
from service.runtime.planning import AUDIENCES
from tests.matching.conftest import embedder, queue

__all__ = ["embedder", "queue"]


@pytest.mark.slow
async def test_every_capability_plans_its_statements_ahead(told: Database, queue: EmbeddingQueue) -> None:
    row = await told.read_one(AUDIENCES)
    assert row
    viewer = Viewer(
        "prin_start",
        "start",
        frozenset({KeyScope.read}),
        DataClass.local_only,
        frozenset(),
        True,
        tuple(row["audiences"]),
    )
    asked: list[str] = []

    class Listening(Database):
        async def read_one(self, query: LiteralString, **parameters: Any) -> Any:
            asked.append(query)
            return await super().read_one(query, **parameters)

        async def read(self, query: LiteralString, **parameters: Any) -> Any:
            asked.append(query)
            return await super().read(query, **parameters)

    services = services_alone(Listening(told.driver, told.name), queue)
    for part in parts_of("service", module="planning"):
        asked.clear()
        await part.plan_ahead(services, viewer)
        assert any("$audiences" in text for text in asked), part.__name__
