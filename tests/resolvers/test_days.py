"""Filters on times: any RFC 3339, and a bare date for its whole day in UTC."""

from collections.abc import Callable
from operator import eq, ge, gt, le, lt
from typing import Any

import pytest

from tests.resolvers.conftest import Ask
from tests.resolvers.world import SEEN, World

_QUERY = "query($filter: GoalFilter) { goals(first: 100, filter: $filter) { nodes { createdAt } } }"
DAY = "2026-01-02"
FOUND: list[tuple[dict[str, Any], Callable[[int, int], bool]]] = [
    ({"gte": DAY}, ge),
    ({"gt": DAY}, gt),
    ({"lt": DAY}, lt),
    ({"lte": DAY}, le),
    ({"eq": DAY}, eq),
    ({"gte": DAY, "lte": DAY}, eq),
    ({"eq": "2026-01-02T01:00:00+01:00"}, eq),
    ({"in": ["2026-01-02T01:00:00+01:00"]}, eq),
    ({"gt": "2026-01-02T00:00:00Z"}, gt),
    ({"lt": "2026-01-02T00:00:00.0001Z"}, lt),
]


@pytest.mark.slow
async def test_a_day_and_every_form_of_a_time_filter_as_people_expect(ask: Ask, world: World) -> None:
    goals = [one for one in world.records.values() if one["__typename"] == "Goal" and one["audience"] in SEEN]
    days = [int(one["created_at"][8:10]) for one in goals]
    for tests, expected in FOUND:
        answer = await ask(_QUERY, {"filter": {"createdAt": tests}})
        assert answer.errors is None
        assert answer.data
        found = sorted(int(one["createdAt"][8:10]) for one in answer.data["goals"]["nodes"])
        assert found == sorted(day for day in days if expected(day, 2)), tests


@pytest.mark.parametrize(
    ("tests", "code"),
    [({"in": [DAY]}, "invalid_filter"), ({"gte": "2026-01-02T00:00:00"}, "invalid_variables")],
)
async def test_what_is_no_exact_moment_is_refused_with_its_remedy(ask: Ask, tests: Any, code: str) -> None:
    answer = await ask(_QUERY, {"filter": {"createdAt": tests}})
    assert answer.errors
    told = answer.errors[0].extensions or {}
    assert told["code"] == code
    assert told["remedy"]
