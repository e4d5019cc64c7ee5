"""The sample world in the graph, loaded once for all tests of this folder: they only look at it."""

import pytest

from service.graph.database import Database
from service.seeding import Loaded, seed
from tests.conftest import empty


@pytest.fixture(scope="package")
async def loaded(migrated: Database) -> Loaded:
    await empty(migrated)
    return await seed(migrated, lambda _line: None)


@pytest.fixture(scope="package")
async def told(migrated: Database, loaded: Loaded) -> Database:
    return migrated
