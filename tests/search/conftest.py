"""A small world to search in: records saved by commands, cards embedded by the real model."""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from embeddings import Embedder, EmbeddingQueue, load
from graph_schema.output.ddl import vector_property
from graph_schema.registry import REGISTRY
from service import clock
from service.access.viewer import Viewer
from service.artifacts import ensure
from service.cards.embedding import embed_behind
from service.commands import Commands, RecordRef
from service.commands.card_text import text_hash
from service.graph.database import Database
from service.graph.migrations import migrate
from service.records import Records
from service.runtime.compose import hooks
from service.search import Search, SearchAnswer, SearchRequest
from service.settings import load_settings
from tests.viewers import viewer_of

_ADD_GOALS = """
UNWIND range(1, $count) AS number
CREATE (goal:Goal:Record {id: $prefix + number, name: $name, goal_statement: $text, audience: $audience,
  lifecycle_state: 'active', created_at: $at, updated_at: $at, version: 1})
CREATE (card:Card:Record {id: 'card_' + goal.id, name: $name, text: $text, text_hash: $hash, embedded_hash: $hash,
  embedding_model: $model, describes_kind: 'Goal', audience: $audience, lifecycle_state: 'active',
  created_at: $at, updated_at: $at, version: 1})-[:DESCRIBES]->(goal)
WITH card CALL db.create.setNodeVectorProperty(card, $property, $vector)
"""


@dataclass(frozen=True)
class World:
    database: Database
    queue: EmbeddingQueue
    records: Records

    @property
    def search(self) -> Search:
        return Search(self.database, self.queue, REGISTRY)

    async def add(self, label: str, **values: Any) -> str:
        """Save a record; return its id. Its card has no vector until `embed`."""
        outcome = await self.records.save(await viewer_of(self.database), label, values)
        return outcome.result["id"]

    async def archive(self, record_id: str) -> None:
        viewer, ref = await viewer_of(self.database), RecordRef(id=record_id)
        await self.records.set_state(viewer, ref, archived=True, command_id=None, if_version=None)

    async def embed(self) -> None:
        await embed_behind(self.database, self.queue, 1_000)

    async def crowd(self, prefix: str, count: int, name: str, text: str, audience: str) -> None:
        """Many goals with the same card at once, current and embedded."""
        vector = await self.queue.embed_query(text)
        await self.database.run_alone(
            _ADD_GOALS,
            prefix=prefix,
            count=count,
            name=name,
            text=text,
            hash=text_hash(text),
            audience=audience,
            at=clock.now(),
            model=self.queue.embedder.key,
            property=vector_property(self.queue.embedder.key),
            vector=vector,
        )

    async def viewer(self, matters: Sequence[str] | None = None) -> Viewer:
        return await viewer_of(self.database, matters=matters)

    async def find(self, text: str, viewer: Viewer | None = None, **options: Any) -> SearchAnswer:
        return await self.search.search(viewer or await self.viewer(), SearchRequest(text, **options))

    async def names(self, text: str, **options: Any) -> list[str]:
        return [hit.name for hit in (await self.find(text, **options)).hits]


@pytest.fixture(scope="session")
def embedder() -> Embedder:
    settings = load_settings()
    return load(settings.embedding_model, lambda group: ensure(group, settings.cache, lambda _line: None)[0])


@pytest.fixture(scope="session")
async def queue(embedder: Embedder) -> AsyncGenerator[EmbeddingQueue]:
    queue = EmbeddingQueue(embedder)
    yield queue
    await queue.aclose()


@pytest.fixture
async def indexed(migrated: Database, embedder: Embedder) -> Database:
    """With the index of the model, which other tests may have dropped."""
    shown = await migrated.read("SHOW VECTOR INDEXES YIELD name RETURN name")
    if not any(row["name"].endswith(embedder.key) for row in shown):
        await migrate(migrated, REGISTRY, embedder_key=embedder.key, dimensions=embedder.dimensions)
    return migrated


@pytest.fixture
def world(indexed: Database, database: Database, queue: EmbeddingQueue) -> World:
    return World(database, queue, Records(Commands(database, REGISTRY, lambda _new_audience: None), hooks()))
