from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from strawberry.types import ExecutionResult

from resolvers.capability import Fields
from resolvers.engine.context import Context
from resolvers.engine.execution import ReadSchema
from resolvers.engine.limits import Limits
from resolvers.principals import PrincipalQuery
from resolvers.schema import build_schema
from service.access.viewer import Viewer
from service.graph.database import Database
from tests.resolvers.world import World, make_world, reader

WIDE = Limits(depth=60, aliases=2_000, fragments=2_000, tokens=50_000, cost=10**12)
"""Drawn documents are larger than the service allows."""

Ask = Callable[..., Awaitable[ExecutionResult]]


@pytest.fixture(scope="session")
def schema() -> ReadSchema:
    return build_schema(fields=[Fields(queries=(PrincipalQuery,))], limits=WIDE)


@pytest.fixture
async def world(database: Database) -> World:
    return await make_world(database)


@pytest.fixture
def ask(database: Database, schema: ReadSchema) -> Ask:
    """Run a document as a viewer: `await ask("{ goals { totalCount } }")`."""

    async def run(
        document: str, variables: dict[str, Any] | None = None, viewer: Viewer | None = None
    ) -> ExecutionResult:
        return await schema.execute(document, variables, Context(viewer or reader(), database, "request"))

    return run
