import pytest

from service.graph.database import Database
from tests.events.world import World


@pytest.fixture
async def world(database: Database) -> World:
    return World(database)
