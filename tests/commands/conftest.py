"""A firm on the test graph."""

import pytest

from service.graph.database import Database
from tests.commands.world import Firm


@pytest.fixture
def firm(database: Database) -> Firm:
    return Firm(database)
