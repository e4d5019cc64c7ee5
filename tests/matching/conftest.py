"""Assets and requests for matching: some without a database and without a model, some with both."""

from collections.abc import AsyncGenerator
from datetime import UTC, datetime
from functools import cache
from typing import Any

import pytest

from embeddings import Embedder, EmbeddingQueue
from graph_schema.registry import REGISTRY
from service.commands import Commands
from service.graph.database import Database
from service.matching.assets import Asset, Likeness
from service.matching.calibration import Calibration, calibration_for
from service.matching.request import Asked, MatchRequest, asked
from service.records import Records
from service.runtime.compose import hooks
from service.runtime.runtime import load_second
from service.settings import load_settings
from tests.matching.world import Shelf
from tests.search.conftest import embedder, indexed

__all__ = ["embedder", "indexed"]

NOW = datetime(2026, 11, 16, tzinfo=UTC)
MODEL = "bge_small_en_v1_5_q1"
BOTH = f"{MODEL}+all_minilm_l6_v2_q1"

CLOSE = Likeness(cosine=0.9, nearest=0.92, lexical=0.7, members=11, cohesion=0.75)
MIDDLING = Likeness(cosine=0.82, nearest=0.8, lexical=0.2, members=11, cohesion=0.75)
FAR = Likeness(cosine=0.5, nearest=0.5, lexical=0.0, members=11, cohesion=0.75)


def ask(text: str = "audit this complaint", viewer_id: str = "", **given: Any) -> Asked:
    return asked(MatchRequest(text, **given), NOW, viewer_id)


def asset(id: str = "tpl_1", likeness: Likeness = CLOSE, **given: Any) -> Asset:
    named: dict[str, Any] = {"kind": "Template", "name": id} | given
    return Asset(id=id, likeness=likeness, **named)


@pytest.fixture(scope="session")
def fitted() -> Calibration:
    return calibration_for(MODEL)


@cache
def _second() -> Embedder:
    found = load_second(load_settings(), lambda _line: None)
    assert found is not None
    return found


@pytest.fixture(scope="session")
def second() -> Embedder:
    return _second()


@pytest.fixture(scope="session")
async def queue(embedder: Embedder) -> AsyncGenerator[EmbeddingQueue]:
    """With both models, as the service has them."""
    queue = EmbeddingQueue(embedder, second=_second())
    yield queue
    await queue.aclose()


@pytest.fixture
def shelf(indexed: Database, database: Database, queue: EmbeddingQueue) -> Shelf:
    return Shelf(database, queue, Records(Commands(database, REGISTRY, lambda _new_audience: None), hooks()))
