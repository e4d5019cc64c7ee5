"""The law of walks: a list whose filter no index serves, read to its end, holds what passes, in order, each once."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from graph_schema.registry import REGISTRY
from resolvers.engine.context import Context
from resolvers.engine.execution import ReadSchema
from resolvers.schema import build_schema
from service.graph.database import Database
from service.graph.reads.walk import WALK
from tests.laws import law
from tests.resolvers.conftest import WIDE, Ask
from tests.resolvers.documents import Drawer
from tests.resolvers.oracle import Oracle
from tests.resolvers.world import AUDIENCES, HIDDEN, SEEN, World, add_record, reader

BOUND = 5
LISTED = {"Goal": ("createdAt", "name"), "Run": ("createdAt", "startedAt", "durationMs"), "Entity": ("updatedAt",)}
VIEWERS = (SEEN, SEEN[:1], AUDIENCES, (*SEEN, *(f"internal|nowhere_{number}" for number in range(120))))
INFO = "pageInfo { hasNextPage hasPreviousPage startCursor endCursor truncated { walked fields remedy } }"


@pytest.fixture(scope="session")
def short_walks() -> ReadSchema:
    return build_schema(limits=replace(WIDE, walk=BOUND))


@pytest.fixture
def oracle(short_walks: ReadSchema, world: World) -> Oracle:
    return Oracle(short_walks, world)


class Pages:
    """A list that is read page by page in one direction."""

    def __init__(self, schema: ReadSchema, database: Database, audiences: tuple[str, ...]) -> None:
        self._schema = schema
        self._context = Context(reader(audiences), database, "request")
        self.truncated = 0

    async def all(self, document: str, variables: dict[str, Any], *, backward: bool) -> list[str]:
        """The ids of all pages, put together in the order of the list."""
        pages: list[list[str]] = []
        cursor = None
        while True:
            page = await self.one(document, {**variables, "cursor": cursor})
            pages.append([one["id"] for one in page["nodes"]])
            info = page["pageInfo"]
            cursor = info["startCursor" if backward else "endCursor"]
            is_more = info["hasPreviousPage" if backward else "hasNextPage"]
            if info["truncated"]:
                self.truncated += 1
                assert is_more
                assert info["truncated"]["walked"] > 0
            if not is_more:
                return [one for page in (pages[::-1] if backward else pages) for one in page]

    async def one(self, document: str, variables: dict[str, Any]) -> Any:
        answer = await self._schema.execute(document, variables, self._context)
        assert answer.errors is None
        return (answer.data or {})["list"]


def _document(label: str, order: str = "{field: createdAt}", *, backward: bool) -> str:
    paging = "last: $size, before: $cursor" if backward else "first: $size, after: $cursor"
    declared = f"$size: Int, $cursor: String, $filter: {label}Filter"
    arguments = f"{paging}, filter: $filter, orderBy: {order}"
    return f"query({declared}) {{ list: {REGISTRY.types[label].plural}({arguments}) {{ nodes {{ id }} {INFO} }} }}"


@pytest.mark.slow
@law(12, derandomize=True)
@given(random=st.randoms(use_true_random=True))
async def test_a_list_read_to_its_end_holds_what_passes(
    database: Database, short_walks: ReadSchema, world: World, oracle: Oracle, random: Random
) -> None:
    label = random.choice([*LISTED])
    audiences, backward = random.choice(VIEWERS), random.random() < 0.4
    order = f"{{field: {random.choice(LISTED[label])}, direction: {random.choice(['asc', 'desc'])}}}"
    drawn = Drawer(random, oracle.schema, world).filter(f"{label}Filter")
    variables = {"filter": drawn, "size": random.randint(1, 4)}
    document = _document(label, order, backward=backward)
    note(f"{document}\n{variables}\n{audiences}")
    wanted: Any = oracle.run(document, {**variables, "size": 1000}, audiences)
    assert wanted.errors is None
    found = await Pages(short_walks, database, audiences).all(document, variables, backward=backward)
    assert found == [one["id"] for one in wanted.data["list"]["nodes"]]


@pytest.mark.slow
@pytest.mark.parametrize("backward", [False, True], ids=["forward", "backward"])
@pytest.mark.parametrize("audiences", VIEWERS, ids=["few", "one", "all", "many"])
async def test_a_walk_that_finds_nothing_comes_to_the_end(
    database: Database, world: World, short_walks: ReadSchema, audiences: tuple[str, ...], backward: bool
) -> None:
    pages = Pages(short_walks, database, audiences)
    variables = {"filter": {"goalSource": {"isNull": True}}, "size": 2}
    assert await pages.all(_document("Goal", backward=backward), variables, backward=backward) == []
    seen = [one for one in world.records.values() if one["__typename"] == "Goal" and one["audience"] in audiences]
    assert pages.truncated >= 1 or len(seen) <= BOUND


@pytest.mark.slow
async def test_a_page_says_how_far_it_came_and_what_would_help(
    database: Database, world: World, short_walks: ReadSchema
) -> None:
    pages = Pages(short_walks, database, SEEN[:1])
    for number in range(100, 100 + 3 * BOUND):
        await add_record(database, world, "Run", number, audience=SEEN[0], memory_mode="standard")
    document = _document("Run", backward=False)
    page = await pages.one(
        document, {"filter": {"memoryMode": {"eq": "reference_only"}, "not": {"runOf": {}}}, "size": 2}
    )
    truncated = page["pageInfo"]["truncated"]
    assert truncated["walked"] == BOUND
    assert truncated["fields"] == ["memoryMode", "runOf"]
    assert "taskKey" in truncated["remedy"]
    assert "traceId" in truncated["remedy"]
    sought = await pages.one(
        document, {"filter": {"memoryMode": {"eq": "reference_only"}, "taskKey": {"eq": "t"}}, "size": 2}
    )
    assert sought["pageInfo"]["truncated"] is None
    assert not sought["pageInfo"]["hasNextPage"]


@pytest.mark.parametrize("audiences", VIEWERS[:2], ids=["few", "one"])
async def test_where_a_walk_ends_tells_nothing_of_what_is_hidden(
    database: Database, world: World, short_walks: ReadSchema, audiences: tuple[str, ...]
) -> None:
    pages = Pages(short_walks, database, audiences)
    variables = {"filter": {"goalSource": {"isNull": True}}, "size": 2}
    before = await pages.one(_document("Goal", backward=False), variables)
    for number in range(100, 140):
        hidden = HIDDEN[number % len(HIDDEN)]
        created = f"2025-12-{10 + number % 20}T00:00:00.000Z" if number % 2 else "2026-01-01T00:00:00.000Z"
        await add_record(database, world, "Goal", number, audience=hidden, created_at=created)
    assert await pages.one(_document("Goal", backward=False), variables) == before


@pytest.mark.slow
async def test_the_cost_counts_what_a_walk_looks_at(world: World, ask: Ask) -> None:
    assert world
    plain = await ask("{ goals(first: 3) { nodes { id } } }")
    walked = await ask("{ goals(first: 3, filter: {goalSource: {eq: user_stated}}) { nodes { id } } }")
    assert plain.extensions == {"cost": 3}
    assert walked.extensions == {"cost": 3 + WALK}


@pytest.mark.slow
async def test_a_test_of_the_order_says_where_the_walk_begins(
    database: Database, world: World, short_walks: ReadSchema
) -> None:
    for number in range(100, 100 + 4 * BOUND):
        late = number == 100 + 4 * BOUND - 1
        await add_record(
            database,
            world,
            "Goal",
            number,
            audience=SEEN[0],
            created_at="2026-04-01T00:00:00.000Z" if late else "2026-03-01T00:00:00.000Z",
        )
    since = {"createdAt": {"gt": "2026-03-01T00:00:00.000Z"}, "lifecycleState": {"in": ["active", "archived"]}}
    page = await Pages(short_walks, database, SEEN[:1]).one(
        _document("Goal", backward=False), {"filter": since, "size": 2}
    )
    assert [one["id"] for one in page["nodes"]] == [f"goal_{100 + 4 * BOUND - 1}"]
    assert page["pageInfo"]["truncated"] is None
