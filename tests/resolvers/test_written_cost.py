"""Every operation has a cost that is told and checked before anything runs, also what is written by hand."""

from typing import Any

import pytest
from graphql import GraphQLObjectType

from resolvers.engine.context import Context
from resolvers.engine.costs import joined
from resolvers.engine.execution import ReadSchema
from resolvers.engine.selection import role_of
from resolvers.schema import all_fields, build_schema
from service.graph.reads import Breadth
from tests.resolvers.world import reader

COSTS = joined(one.costs for one in all_fields())
REQUEST = '{text: "Draft an answer to the complaint"}'


@pytest.fixture(scope="module")
def served() -> ReadSchema:
    return build_schema()


class Unasked:
    """A database that nothing may ask."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"{name} was asked")


def _cost(schema: ReadSchema, text: str, variables: dict[str, Any] | None = None) -> int:
    document = schema.documents.get(text, None)
    coerced = schema._coerced(document, variables or {})  # pyright: ignore[reportPrivateUsage]
    return schema._cost(document, coerced)  # pyright: ignore[reportPrivateUsage]


async def _refused(schema: ReadSchema, text: str) -> dict[str, Any]:
    database: Any = Unasked()
    answer = await schema.execute(text, None, Context(reader(), database, "request"))
    assert answer.errors
    return answer.errors[0].extensions or {}


def _written(type_: GraphQLObjectType) -> set[str]:
    return {name for name, field in type_.fields.items() if role_of(field) is None}


def test_every_written_field_at_the_root_has_a_cost(served: ReadSchema) -> None:
    core: Any = served._schema  # pyright: ignore[reportPrivateUsage]
    assert _written(core.query_type) == COSTS.queries.keys()
    assert _written(core.mutation_type) >= COSTS.mutations.keys()
    assert _written(core.subscription_type) == COSTS.subscriptions.keys()
    for root in (core.query_type, core.mutation_type, core.subscription_type):
        for name in _written(root):
            assert COSTS.at_root(root.name, name)({}) > 0, name


def test_every_written_field_of_a_record_has_a_cost(served: ReadSchema) -> None:
    core: Any = served._schema  # pyright: ignore[reportPrivateUsage]
    records = [one for one in core.type_map.values() if isinstance(one, GraphQLObjectType) and _is_record(one)]
    assert records
    assert {name for one in records for name in _written(one)} == COSTS.record_fields.keys()


def _is_record(type_: GraphQLObjectType) -> bool:
    return any(one.name == "Node" for one in type_.interfaces)


@pytest.mark.parametrize("count", [50, 90])
async def test_one_match_is_fine_and_many_are_refused_before_anything_is_asked(served: ReadSchema, count: int) -> None:
    one = f"{{ matchTemplates(request: {REQUEST}) {{ explanation }} }}"
    assert 0 < _cost(served, one) < served.limits.cost / 10
    aliased = " ".join(f"m{n}: matchTemplates(request: {REQUEST}) {{ explanation }}" for n in range(count))
    told = await _refused(served, f"{{ {aliased} }}")
    assert (told["code"], told["field"]) == ("limit_exceeded", "cost")
    assert told["actual"] > told["limit"] == served.limits.cost


def test_what_is_asked_below_is_multiplied(served: ReadSchema) -> None:
    query = 'query ($n: Int!) {{ search(text: "x", first: $n) {{ hits {{ {} }} }} }}'
    plain, records = query.format("name"), query.format("record { id }")
    nested = query.format(
        "record { ... on Goal { concerns(first: 7) { nodes { id history(first: 3) { __typename } } } } }"
    )
    for size in (1, 20):
        own = _cost(served, plain, {"n": size})
        assert _cost(served, records, {"n": size}) == own + size
        assert _cost(served, nested, {"n": size}) == own + size * (1 + 7 * (1 + 2 * 3))
    listed = "{ goals(first: 30) { nodes { history(first: 5) { __typename } } } }"
    assert _cost(served, listed) == 30 * 2 * 5


def test_a_size_that_is_left_out_costs_its_default(served: ReadSchema) -> None:
    assert _cost(served, "{ savedTasks { pageInfo { endCursor } } }") == 20 * 200
    related = _cost(served, '{ search(text: "x") { hits { record { ... on Goal { concerns { nodes { id } } } } } } }')
    assert related - _cost(served, '{ search(text: "x") { hits { name } } }') == 20 * (1 + 10)


def test_events_cost_by_their_number(served: ReadSchema) -> None:
    query = "mutation ($e: [RunEventInput!]!) { reportRunEvents(events: $e) { accepted } }"
    assert _cost(served, query, {"e": [{"eventId": "a"}] * 500}) == 500 * _cost(served, query, {"e": [{}]})


async def test_a_written_field_beside_compiled_ones_counts_too(served: ReadSchema) -> None:
    wide = "{ goals(first: 1000) { nodes { supports(first: 240) { nodes { id } } } } %s }"
    match = " ".join(f"m{n}: matchTemplates(request: {REQUEST}) {{ explanation }}" for n in range(3))
    told = await _refused(served, wide % match)
    assert told["code"] == "limit_exceeded"
    told = await _refused(
        served, "{ segments(first: 1000) { nodes { usage { __typename } a: usage { __typename } } } }"
    )
    assert (told["code"], told["field"]) == ("limit_exceeded", "cost")


def test_three_levels_of_default_pages_fit(served: ReadSchema) -> None:
    document = "{ goals { nodes { supports { nodes { supports { nodes { supports { nodes { id } } } } } } } } }"
    known = served.documents.get(document, None)
    coerced = served._coerced(known, {})  # pyright: ignore[reportPrivateUsage]
    plan = served._reading(known, coerced, Breadth.many).plan  # pyright: ignore[reportPrivateUsage]
    assert plan
    assert plan.cost(plan.bind({}, ("internal|",))) == 50 * (1 + 10 * (1 + 10 * (1 + 10))) < served.limits.cost
