"""A graph that each released version wrote opens in this one: brought up to date, in order, and readable.

`docs/contributing.md` says how the graph of the next version is stored.
"""

from collections.abc import AsyncGenerator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from embeddings import EmbeddingQueue
from graph_schema.registry import REGISTRY
from resolvers.engine.context import Context
from resolvers.schema import build_schema
from service.doctor import Mender, examine
from service.graph.database import Database
from service.graph.migrations import migrate, pending
from tests.graph.conftest import drop_vectors
from tests.graph.test_cards import Hashing
from tests.upgrades.stored import GRAPHS, SUFFIX, put, read, taken
from tests.viewers import viewer_of

MOST_BYTES = 300_000
STORED = sorted(GRAPHS.glob(f"*{SUFFIX}"))

READS = """{
  runs(first: 5) { totalCount nodes { name status activationCount activated { totalCount } } }
  templates(first: 5) { totalCount nodes { name taskType } }
  matters: entities(filter: {kind: {eq: matter}}) { nodes { name } }
}"""


@pytest.fixture(scope="module", params=STORED, ids=lambda file: file.name.removesuffix(SUFFIX))
async def opened(request: pytest.FixtureRequest, migrated: Database) -> AsyncGenerator[Database]:
    """As that version left it, then as this one starts with it."""
    await migrated.run_alone("MATCH (n) WHERE NOT n:TaskloreTestGraph DETACH DELETE n")
    await put(migrated, read(request.param))
    await migrate(migrated, REGISTRY)
    yield migrated
    await drop_vectors(migrated)


@pytest.mark.slow
async def test_it_is_up_to_date_and_nothing_is_wrong_with_it(opened: Database) -> None:
    assert await pending(opened, REGISTRY) == []
    assert await examine(opened, REGISTRY) == []


@pytest.mark.slow
async def test_what_was_in_it_is_read_by_the_api(opened: Database) -> None:
    context = Context(await viewer_of(opened), opened, "request")
    answer = await build_schema().execute(READS, {}, context)
    assert answer.errors is None, answer.errors
    data: dict[str, Any] = answer.data or {}
    assert data["runs"]["totalCount"] > 20
    assert all(one["name"] and one["status"] for one in data["runs"]["nodes"])
    assert data["templates"]["totalCount"] > 5
    assert "Marex" in {one["name"] for one in data["matters"]["nodes"]}


@pytest.mark.slow
async def test_what_is_stored_is_what_comes_back(opened: Database) -> None:
    """So that the next version's can be stored with the same command."""
    lines = [one for one in await taken(opened) if "labels" in one and "Migration" not in one["labels"]]
    [file] = [one for one in STORED if one.name == f"{version('tasklore')}{SUFFIX}"]
    assert lines == [one for one in read(file) if "labels" in one and "Migration" not in one["labels"]]


@pytest.mark.slow
async def test_its_texts_get_their_vectors(opened: Database) -> None:
    """They are not stored with it."""
    queue = EmbeddingQueue(Hashing("upgraded"))
    await migrate(opened, REGISTRY, embedder_key="upgraded_1", dimensions=queue.embedder.dimensions)
    mended, left = await Mender(opened, REGISTRY, queue, lambda _line: None).mend()
    await queue.aclose()
    assert (len(mended), left) == (1, [])


def test_there_is_one_and_all_are_small() -> None:
    assert STORED
    assert all(_size(one) < MOST_BYTES for one in STORED)


def _size(file: Path) -> int:
    return file.stat().st_size
