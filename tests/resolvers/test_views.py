"""Read models through GraphQL: what is met again is picked once, and what is asked for late is found when asked for."""

from dataclasses import dataclass, field, make_dataclass
from typing import Annotated, Any, cast

import pytest
import strawberry
from graphql import GraphQLObjectType

from resolvers.capability import Fields
from resolvers.engine.context import Context
from resolvers.engine.execution import ReadSchema
from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of
from resolvers.generated.views import view_type
from resolvers.schema import build_schema
from service.views import PageFacts, page_facts
from tests.resolvers.world import reader


@dataclass(slots=True)
class StepOfTest:
    """A step of a way."""

    from_: Annotated[str, "Where it begins."]
    read: int = 0

    @property
    def sentence(self) -> Annotated[str, "The step in words."]:
        self.read += 1
        return f"from {self.from_}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceOfTest:
    """A place, and the way to it."""

    path: Annotated[tuple[StepOfTest, ...], "The way to it."]
    found_at: Annotated[str | None, "timestamp", "When it was found."] = None
    marked_at: Annotated[str, "timestamp", "When it was marked."] = "2026-01-01T00:00:00.000Z"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacesOfTest:
    """Places of which there may be more."""

    nodes: Annotated[tuple[PlaceOfTest, ...], "The places."]
    page_info: Annotated[PageFacts, "Where the page ends."]
    counted: list[int] = field(default_factory=list[int])

    async def total_count(self) -> Annotated[int, "How many there are."]:
        self.counted.append(len(self.nodes))
        return len(self.nodes)


@strawberry.type
class Written:
    @strawberry.field(graphql_type=view_type(PlacesOfTest))
    def places(self, info: RecordInfo) -> Any:
        return shaped(info, service_of(info, PlacesOfTest))


@pytest.fixture(scope="module")
def schema() -> ReadSchema:
    return build_schema(fields=[Fields(queries=(Written,))])


async def _ask(schema: ReadSchema, places: PlacesOfTest, document: str) -> Any:
    nothing: Any = None
    context = Context(reader(), nothing, "request", {PlacesOfTest: places})
    answer = await schema.execute(document, context_value=context)
    assert answer.errors is None
    return (answer.data or {})["places"]


def _places() -> tuple[PlacesOfTest, StepOfTest]:
    """Two places behind the same first step."""
    first, second = StepOfTest("a"), StepOfTest("b")
    nodes = PlaceOfTest(path=(first,)), PlaceOfTest(path=(first, second))
    return PlacesOfTest(nodes=nodes, page_info=page_facts(["1", "2"], None, has_next=True)), first


async def test_what_is_met_again_is_picked_once_for_each_selection(schema: ReadSchema) -> None:
    places, first = _places()
    found = await _ask(
        schema, places, "{ places { nodes { path { sentence } } again: nodes { path { from, sentence } } } }"
    )
    assert found["nodes"] == [{"path": [{"sentence": "from a"}]},
                              {"path": [{"sentence": "from a"}, {"sentence": "from b"}]}]  # fmt: skip
    assert found["again"][0] == {"path": [{"from": "a", "sentence": "from a"}]}
    assert first.read == 2


async def test_the_next_answer_is_picked_anew(schema: ReadSchema) -> None:
    document = "{ places { nodes { path { sentence } } } }"
    places, first = _places()
    assert await _ask(schema, places, document) == await _ask(schema, places, document)
    assert first.read == 2


async def test_an_async_method_is_called_only_when_it_is_asked_for(schema: ReadSchema) -> None:
    places, _ = _places()
    page = "pageInfo { hasNextPage hasPreviousPage startCursor endCursor truncated { walked } }"
    told = {"hasNextPage": True, "hasPreviousPage": False, "startCursor": "1", "endCursor": "2", "truncated": None}
    assert await _ask(schema, places, f"{{ places {{ {page} }} }}") == {"pageInfo": told}
    assert places.counted == []
    assert await _ask(schema, places, f"{{ places {{ totalCount {page} }} }}") == {"totalCount": 2, "pageInfo": told}
    assert places.counted == [2]


def test_what_may_be_absent_may_be_null_whatever_it_is(schema: ReadSchema) -> None:
    fields = cast("GraphQLObjectType", schema._schema.type_map["PlaceOfTest"]).fields  # pyright: ignore[reportPrivateUsage]
    assert (str(fields["foundAt"].type), str(fields["markedAt"].type)) == ("Timestamp", "Timestamp!")


def test_two_models_of_one_name_are_refused() -> None:
    """The API knows a type by its name: the second would take the place of the first."""
    first, second = (make_dataclass("Twin", [(name, Annotated[str, "What it says."])]) for name in ("one", "other"))
    assert view_type(first)
    with pytest.raises(ValueError, match="both have a Twin"):
        view_type(second)
