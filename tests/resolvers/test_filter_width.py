"""A filter is planned by its shape: two branches or two hundred make one statement, and what is too much is refused."""

from collections.abc import Callable
from typing import Any

import pytest

from resolvers.engine.execution import ReadSchema
from resolvers.schema import build_schema
from service.graph.database import Database
from service.graph.reads import Breadth, Plan
from service.graph.reads.filters import MOST_VALUES
from tests.plans import operators
from tests.resolvers.conftest import Ask
from tests.resolvers.world import World

QUERY = "query ($f: GoalFilter) { goals(filter: $f) { totalCount nodes { id } } }"
NAMES = ("Ada", "ada", "Zoe", "zebra 🦓", "nobody")

SHAPES: dict[str, Callable[[str], dict[str, Any]]] = {
    "one value": lambda name: {"name": {"eq": name}},
    "a list": lambda name: {"name": {"in": [name, name.upper()]}},
    "a part of a text": lambda name: {"name": {"contains": name[:2]}},
    "two tests": lambda name: {"name": {"eq": name}, "source": {"contains": "s"}},
    "not": lambda name: {"not": {"name": {"startsWith": name[:1]}}},
    "missing": lambda _name: {"source": {"isNull": True}},
    "a relation": lambda name: {"concerns": {"name": {"eq": name}}},
    "a relation with more": lambda name: {"concerns": {"name": {"eq": name}}, "name": {"gt": name}},
    "a list in a list": lambda name: {"or": [{"name": {"eq": name}}, {"name": {"eq": name.lower()}}]},
    "tests in a list": lambda name: {"or": [{"name": {"gt": name}}, {"name": {"lt": name}}]},
    "an enum": lambda _name: {"dataClass": {"eq": "internal"}},
    "a day": lambda _name: {"createdAt": {"eq": "2026-01-02"}},
}


@pytest.fixture(scope="module")
def served() -> ReadSchema:
    return build_schema()


def _plan(schema: ReadSchema, text: str, variables: dict[str, Any]) -> Plan:
    document = schema.documents.get(text, None)
    coerced = schema._coerced(document, variables)  # pyright: ignore[reportPrivateUsage]
    plan = schema._reading(document, coerced, Breadth.many).plan  # pyright: ignore[reportPrivateUsage]
    assert plan
    return plan


def _wide(shape: Any, count: int) -> list[Any]:
    return [shape(f"{NAMES[n % len(NAMES)]}{n // len(NAMES) or ''}") for n in range(count)]


@pytest.mark.parametrize("word", ["or", "and"])
@pytest.mark.parametrize("shape", SHAPES)
def test_two_branches_and_two_hundred_share_a_plan(served: ReadSchema, word: str, shape: str) -> None:
    before = len(served.readings)
    plans = [_plan(served, QUERY, {"f": {word: _wide(SHAPES[shape], count)}}) for count in (2, 7, 200)]
    assert len({id(one) for one in plans}) == 1
    assert len(served.readings) <= before + 1


def test_written_out_the_statement_is_the_same(served: ReadSchema) -> None:
    texts = {
        _plan(served, f"{{ goals(filter: {{or: [{branches}]}}) {{ totalCount }} }}", {}).text
        for count in (2, 50)
        for branches in (" ".join(f'{{name: {{contains: "{n}"}}}}' for n in range(count)),)
    }
    assert len(texts) == 1


UNITED = "query ({}) {{ {} }}".format(
    ", ".join(f"$f{n}: GoalFilter" for n in range(8)),
    " ".join(f"a{n}: goals(filter: $f{n}) {{ nodes {{ id }} }}" for n in range(8)),
)


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["two tests", "not", "a relation with more", "tests in a list", "a day"])
async def test_a_wide_filter_finds_what_its_branches_find(world: World, ask: Ask, shape: str) -> None:
    """`or` is the union of its branches, `and` what they share, `not` the rest."""
    branches = _wide(SHAPES[shape], 4)
    wide: list[Any] = [{}, {"or": branches}, {"and": branches}, {"not": {"or": branches}}]
    result = await ask(UNITED, {f"f{n}": one for n, one in enumerate([*wide, *branches])})
    assert not result.errors, result.errors
    data: Any = result.data
    found = [{one["id"] for one in data[f"a{n}"]["nodes"]} for n in range(8)]
    everything, any_of, all_of, none_of, *each = found
    assert any_of == set[str]().union(*each)
    assert all_of == everything.intersection(*each)
    assert none_of == everything.difference(*each)


async def _ids(ask: Ask, given: dict[str, Any]) -> set[str]:
    result = await ask("query ($f: GoalFilter) { goals(filter: $f) { nodes { id } } }", {"f": given})
    assert not result.errors, result.errors
    data: Any = result.data
    return {one["id"] for one in data["goals"]["nodes"]}


@pytest.mark.slow
async def test_other_places_of_the_same_shapes_are_found_by_the_same_plan(world: World, ask: Ask) -> None:
    """The list of a variable may be longer the next time, and in another order."""
    eq, part = ({"name": {"eq": "Zoe"}}, {"name": {"contains": "da"}})
    other = {"name": {"eq": "Ada"}}
    wanted = await _ids(ask, {"or": [eq, other, part]})
    for given in ([eq, part, other], [eq, other, part], [eq, part, other, eq, other]):
        assert await _ids(ask, {"or": given}) == wanted


@pytest.mark.slow
async def test_an_index_still_finds_what_many_branches_name(served: ReadSchema, database: Database) -> None:
    by_key = [{"source": {"eq": "crm"}, "sourceKey": {"eq": str(n)}} for n in range(20)]
    for branches in ([{"id": {"eq": f"goal_{n}"}} for n in range(20)], by_key):
        plan = _plan(served, QUERY, {"f": {"or": branches}})
        bound = plan.bind({"f": {"or": branches}}, ("internal|",))
        used = await operators(database, plan.text, **bound)
        assert any("IndexSeek" in one for one in used), used


def _different(number: int) -> dict[str, Any]:
    """One of 255 filters, no two of which have the same shape."""
    operators = ("eq", "contains", "startsWith", "gt", "gte", "lt", "lte")
    return {"name": {one: "x" for place, one in enumerate(operators) if number >> place & 1}}


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"or": [{"name": {"contains": str(n)}} for n in range(16_000)]}, "filter values"),
        ({"or": [{"name": {"eq": str(n)}, "id": {"eq": str(n)}} for n in range(4_000)]}, "filter values"),
        ({"name": {"in": ["x"] * (MOST_VALUES + 1)}}, "filter values"),
        ({"or": [_different(n) for n in range(1, 120)]}, "filter tests"),
    ],
)
async def test_what_is_too_wide_is_refused(ask: Ask, given: Any, field: str) -> None:
    result = await ask(QUERY, {"f": given})
    assert result.errors
    told = result.errors[0].extensions or {}
    assert (told["code"], told["field"]) == ("limit_exceeded", field)
    assert told["remedy"]
