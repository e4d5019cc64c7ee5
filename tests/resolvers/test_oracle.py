"""Compiled reads answer exactly what graphql-core answers with plain resolvers over the same records."""

from random import Random
from typing import Any, cast

import graphql
import pytest
from hypothesis import HealthCheck, assume, given, note
from hypothesis import strategies as st

from resolvers.engine.context import Context
from resolvers.engine.execution import ReadSchema
from service.graph.database import Database
from tests.laws import UNHEEDED, law
from tests.resolvers.documents import Drawer
from tests.resolvers.oracle import Oracle
from tests.resolvers.world import AUDIENCES, SEEN, World, reader

# Lists are read in different ways for viewers of one, of few, of many and of all audiences, and for few by what they
# see.
VIEWERS = (
    SEEN,
    AUDIENCES,
    SEEN[:1],
    (SEEN[2], "internal|nowhere"),
    (*SEEN, *(f"internal|nowhere_{number}" for number in range(120))),
)


@pytest.fixture
def oracle(schema: ReadSchema, world: World) -> Oracle:
    return Oracle(schema, world)


@pytest.mark.slow
@law(20, derandomize=True, suppress_health_check=[*UNHEEDED, HealthCheck.filter_too_much])
@given(random=st.randoms(use_true_random=True))
async def test_answers_equal_the_oracle(
    database: Database, schema: ReadSchema, world: World, oracle: Oracle, random: Random
) -> None:
    drawer = Drawer(random, oracle.schema, world)
    text = drawer.document()
    variables = drawer.variables
    assume(not graphql.validate(oracle.schema, graphql.parse(text)))
    audiences = random.choice(VIEWERS)
    wanted = oracle.run(text, variables, audiences)
    note(f"{text}\n{variables}")
    assert wanted.errors is None
    answer = await schema.execute(text, variables, Context(reader(audiences), database, "request"))
    assert answer.errors is None
    assert _ordered(answer.data) == _ordered(wanted.data)


def _ordered(value: Any) -> Any:
    """The same value with objects as lists of pairs, so that the order of keys counts."""
    if isinstance(value, dict):
        parts = cast("dict[str, Any]", value)
        return [(key, _ordered(part)) for key, part in parts.items()]
    if isinstance(value, list):
        items = cast("list[Any]", value)
        return [_ordered(item) for item in items]
    return value
