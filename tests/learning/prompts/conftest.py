import pytest

from service.graph.database import Database
from service.runtime.compose import services_alone
from tests.learning.prompts_desk import PromptDesk


@pytest.fixture
async def desk(database: Database) -> PromptDesk:
    return PromptDesk(database, services_alone(database))
