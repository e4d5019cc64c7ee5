"""The sample world in the graph, loaded once for all tests of this folder: they only look at it."""

from pathlib import Path

import pytest

from service.graph.database import Database
from service.seeding import Loaded, seed
from tests.conftest import empty
from tests.slow import mark_slow


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    mark_slow(items, Path(__file__).parent, "loaded", "told")


@pytest.fixture(scope="package")
async def loaded(migrated: Database) -> Loaded:
    await empty(migrated)
    return await seed(migrated, lambda _line: None)


@pytest.fixture(scope="package")
async def told(migrated: Database, loaded: Loaded) -> Database:
    return migrated
