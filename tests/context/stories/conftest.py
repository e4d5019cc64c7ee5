"""The whole API in process, on an empty graph with the real embedding model."""

import pytest

from embeddings import EmbeddingQueue
from resolvers.engine.execution import ReadSchema
from resolvers.schema import build_schema
from service.graph.database import Database
from service.runtime.compose import services_alone
from tests.context.stories.house import House
from tests.search.conftest import embedder, indexed, queue

__all__ = ["embedder", "indexed", "queue"]


@pytest.fixture(scope="module")
def schema() -> ReadSchema:
    return build_schema()


@pytest.fixture
def house(indexed: Database, database: Database, queue: EmbeddingQueue, schema: ReadSchema) -> House:
    return House(database, schema, services_alone(indexed and database, queue), queue)
