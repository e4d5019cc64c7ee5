"""The law of paging: walking pages visits every visible record once, in order, also while records are added."""

from typing import Any

import pytest

from graph_schema.registry import REGISTRY
from service.graph.database import Database
from tests.resolvers.conftest import Ask
from tests.resolvers.world import SEEN, World, add_record

ORDERS = [
    *(("Goal", name) for name in ("createdAt", "updatedAt", "name")),
    *(("Run", name) for name in ("startedAt", "durationMs")),
]
_FORWARD = "first: $size, after: $cursor"
_BACKWARD = "last: $size, before: $cursor"
_LIST = "query($size: Int, $cursor: String) { list: goals(%s, orderBy: ORDER) { nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }"  # noqa: E501
_LINKS = 'query($size: Int, $cursor: String) { node(id: "ent_0") { ... on Entity { list: involves(%s, orderBy: ORDER) { edges { role node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } } }'  # noqa: E501


async def _walk(ask: Ask, document: str, order: dict[str, str], size: int, *, backward: bool = False) -> list[Any]:
    """All pages in one direction, put together in the order of the list."""
    pages: list[list[Any]] = []
    cursor = None
    written = "{" + ", ".join(f"{name}: {value}" for name, value in order.items()) + "}"
    while True:
        result = await ask(document.replace("ORDER", written), {"size": size, "cursor": cursor})
        assert result.errors is None
        data: Any = result.data
        page = data["list"] if "list" in data else data["node"]["list"]
        pages.append(page["nodes"] if "nodes" in page else page["edges"])
        info = page["pageInfo"]
        cursor = info["startCursor" if backward else "endCursor"]
        if not info["hasPreviousPage" if backward else "hasNextPage"]:
            return [one for rows in (pages[::-1] if backward else pages) for one in rows]


@pytest.mark.slow
@pytest.mark.parametrize("direction", ["asc", "desc"])
@pytest.mark.parametrize(("label", "name"), ORDERS)
async def test_pages_hold_every_record_once_in_order(
    world: World, ask: Ask, label: str, name: str, direction: str
) -> None:
    order = {"field": name, "direction": direction}
    document = _LIST.replace("goals", REGISTRY.types[label].plural)
    whole = await _walk(ask, document % _FORWARD, order, 1000)
    assert {one["id"] for one in whole} == _visible(world, label)
    for size in (1, 3):
        assert await _walk(ask, document % _FORWARD, order, size) == whole
        assert await _walk(ask, document % _BACKWARD, order, size, backward=True) == whole


@pytest.mark.parametrize("direction", ["asc", "desc"])
async def test_what_lacks_the_value_comes_last(world: World, ask: Ask, direction: str) -> None:
    order = {"field": "startedAt", "direction": direction}
    document = _LIST.replace("goals", "runs")
    found = [world.records[one["id"]].get("started_at") for one in await _walk(ask, document % _FORWARD, order, 3)]
    values = [one for one in found if one is not None]
    assert 0 < len(values) < len(found)
    assert found == [*sorted(values, reverse=direction == "desc"), *[None] * (len(found) - len(values))]


@pytest.mark.slow
async def test_parallel_links_are_edges_of_their_own(world: World, ask: Ask) -> None:
    whole = await _walk(ask, _LINKS % _FORWARD, {"field": "name"}, 1000)
    assert len(whole) == 2 * len(_visible(world, "Entity"))
    assert await _walk(ask, _LINKS % _FORWARD, {"field": "name"}, 1) == whole
    assert await _walk(ask, _LINKS % _BACKWARD, {"field": "name"}, 1, backward=True) == whole


@pytest.mark.parametrize("backward", [False, True])
async def test_what_is_added_between_pages_moves_nothing(
    database: Database, world: World, ask: Ask, backward: bool
) -> None:
    document = _LIST % (_BACKWARD if backward else _FORWARD)
    before = await _walk(ask, document, {"field": "name"}, 1000, backward=backward)
    seen: list[str] = []
    cursor, more, number = None, True, 100
    while more:
        result = await ask(document.replace("ORDER", "{field: name}"), {"size": 2, "cursor": cursor})
        page: Any = (result.data or {})["list"]
        seen += [one["id"] for one in (page["nodes"][::-1] if backward else page["nodes"])]
        cursor = page["pageInfo"]["startCursor" if backward else "endCursor"]
        more = page["pageInfo"]["hasPreviousPage" if backward else "hasNextPage"]
        for name in ("", "M", "~"):
            number += 1
            await add_record(database, world, "Goal", number, name=name, audience=SEEN[0])
            if number > 120:
                more = False
    kept = [one for one in seen if int(one.removeprefix("goal_")) < 100]
    wanted = [one["id"] for one in (before[::-1] if backward else before)]
    assert kept == wanted[: len(kept)]
    assert len(set(seen)) == len(seen)


@pytest.mark.parametrize(
    ("arguments", "code", "field"),
    [
        ("first: -1", "invalid_paging", "first"),
        ("first: 1, last: 1", "invalid_paging", "last"),
        ('after: "nonsense"', "invalid_cursor", "after"),
        ('before: "WyJuYW1lIiwiQWRhIiwiZ29hbF8xIixudWxsXQ"', "invalid_cursor", "before"),
        ('after: "WyJjcmVhdGVkX2F0IixudWxsLCJnb2FsXzEiLG51bGxd"', "invalid_cursor", "after"),
    ],
)
async def test_unusable_pages_are_refused(world: World, ask: Ask, arguments: str, code: str, field: str) -> None:
    result = await ask(f"{{ goals({arguments}) {{ nodes {{ id }} }} }}")
    assert result.errors
    assert result.errors[0].extensions is not None
    assert (result.errors[0].extensions["code"], result.errors[0].extensions["field"]) == (code, field)


async def test_null_arguments_count_as_absent(world: World, ask: Ask) -> None:
    document = "query($n: Int, $f: GoalFilter) { goals(first: $n, last: null, filter: $f, orderBy: null) { totalCount nodes { id } } }"  # noqa: E501
    result = await ask(document, {"n": None, "f": None})
    assert result.errors is None
    assert result.data
    assert {one["id"] for one in result.data["goals"]["nodes"]} == _visible(world, "Goal")


def _visible(world: World, label: str) -> set[str]:
    return {one["id"] for one in world.records.values() if one["__typename"] == label and one["audience"] in SEEN}
