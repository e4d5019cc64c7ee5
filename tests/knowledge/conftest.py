"""The desk of knowledge, on an empty graph."""

import pytest

from service.graph.database import Database
from service.runtime.compose import services_alone
from tests.knowledge.desk import Desk


@pytest.fixture
async def desk(database: Database) -> Desk:
    made = Desk(database, services_alone(database))
    await made.catalogue()
    return made
