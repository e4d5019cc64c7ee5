"""The desk of knowledge: on an empty graph, and with the sample catalogue in it, which takes a while to save."""

import pytest

from service.graph.database import Database
from service.runtime.compose import services_alone
from tests.knowledge.desk import Desk


@pytest.fixture
async def bare(database: Database) -> Desk:
    return Desk(database, services_alone(database))


@pytest.fixture
async def desk(bare: Desk) -> Desk:
    await bare.catalogue()
    return bare
