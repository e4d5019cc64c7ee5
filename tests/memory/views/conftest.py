"""The schema with its run views."""

import pytest

from resolvers.engine.execution import ReadSchema
from resolvers.schema import build_schema


@pytest.fixture(scope="session")
def schema() -> ReadSchema:
    return build_schema()
