"""Packets on an empty graph with the real embedding model."""

from pathlib import Path

import pytest

from embeddings import EmbeddingQueue
from service.graph.database import Database
from tests.context.packets.world import Bench
from tests.matching.conftest import embedder, indexed, queue

__all__ = ["embedder", "indexed", "queue"]


@pytest.fixture
def bench(indexed: Database, database: Database, queue: EmbeddingQueue, tmp_path: Path) -> Bench:
    del indexed
    return Bench(database, queue, tmp_path)
