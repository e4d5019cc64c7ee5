"""Search through GraphQL."""

from typing import Any

import pytest

from resolvers.capability import Fields
from resolvers.engine.context import Context
from resolvers.engine.execution import ReadSchema
from resolvers.schema import build_schema
from resolvers.search import SearchQuery
from service.search import Search
from service.search.ranker import VERSION
from tests.search.conftest import World

SEARCH = """
query ($text: String!, $kinds: [String!], $first: Int = 5) {
  search(text: $text, kinds: $kinds, first: $first) {
    hits { id kind name score terms current parts { name score weight evidence }
      record { __typename id ... on Preference { statement } } }
    truncated threshold ranker { name version model }
    warnings { code message count } emptyReason explanation bestScore timings { stage ms }
  }
}
"""


@pytest.fixture(scope="module")
def schema() -> ReadSchema:
    return build_schema(fields=[Fields(queries=(SearchQuery,))])


async def ask(world: World, schema: ReadSchema, **variables: Any) -> Any:
    context = Context(await world.viewer(), world.database, "req_1", {Search: world.search})
    return await schema.execute(SEARCH, variable_values=variables, context_value=context)


@pytest.mark.slow
async def test_a_hit_leads_to_its_record(world: World, schema: ReadSchema) -> None:
    added = await world.add("Preference", name="Short mails", statement="Keep mails short.")
    await world.embed()
    answer = await ask(world, schema, text="brief messages")
    assert not answer.errors
    [hit] = answer.data["search"]["hits"]
    assert hit["record"] == {"__typename": "Preference", "id": added, "statement": "Keep mails short."}
    assert hit["score"] == pytest.approx(sum(one["score"] * one["weight"] for one in hit["parts"]), abs=1e-5)
    assert answer.data["search"]["ranker"] == {
        "name": "tasklore.search",
        "version": VERSION,
        "model": world.queue.embedder.key,
    }


async def test_an_empty_answer_has_its_reason(world: World, schema: ReadSchema) -> None:
    found = (await ask(world, schema, text="brief messages")).data["search"]
    assert (found["hits"], found["emptyReason"]) == ([], "no_data")
    assert found["explanation"]


@pytest.mark.parametrize(("variables", "field"), [({"kinds": ["Nothing"]}, "kinds"), ({"first": 0}, "first")])
async def test_a_bad_request_is_an_error_with_its_field(
    world: World, schema: ReadSchema, variables: dict[str, Any], field: str
) -> None:
    answer = await ask(world, schema, **{"text": "goal", **variables})
    assert answer.errors[0].extensions["code"] == "invalid_input"
    assert answer.errors[0].extensions["field"] == field
