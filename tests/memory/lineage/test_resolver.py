"""Lineage through GraphQL."""

from typing import Any

import pytest

from resolvers.capability import Fields
from resolvers.engine.context import Context
from resolvers.engine.execution import ReadSchema
from resolvers.memory.lineage import LineageQuery
from resolvers.schema import build_schema
from service.memory.lineage import Lineages
from tests.memory.lineage.conftest import Archive, document
from tests.memory.stories import Story, step

PLAIN = """
query ($key: String!, $paths: Boolean = true) {
  lineage(of: {kind: "Artifact", source: "exec", key: $key}, direction: both, depth: 9) {
    __typename of { id } truncated cuts { reason at message } groups { count }
    nodes { ...Named depth side path @include(if: $paths) { from to type sentence } }
    edges { from to type upstream why: reason layer } evidence { layers { layer links } note }
  }
}
fragment Named on LineageNode { __typename id kind what called: name }
"""
WITH_RECORDS = PLAIN.replace("depth side path", "depth side record { id ... on Artifact { artifactKind } } path")


@pytest.fixture(scope="module")
def schema() -> ReadSchema:
    return build_schema(fields=[Fields(queries=(LineageQuery,))])


async def ask(archive: Archive, schema: ReadSchema, query: str, **variables: Any) -> Any:
    context = Context(await archive.viewer(), archive.database, "req_1", {Lineages: archive.service})
    return await schema.execute(query, variable_values=variables, context_value=context)


async def told(archive: Archive) -> None:
    story = Story().tell("artifact_consumed", item=document("contract"), **step("read"))
    story.tell("artifact_produced", artifact_key="memo", artifact_kind="document", name="Memo", **step("read"))
    story.tell("delivery", idempotency_key="m", delivery_kind="email", status="delivered", artifact_key="memo",
               **step("read"))  # fmt: skip
    await archive.tell(story)


@pytest.mark.slow
async def test_picked_and_completed_answers_are_the_same(archive: Archive, schema: ReadSchema) -> None:
    """Whether graphql-core walks the answer or it is handed over whole: nobody can tell."""
    await told(archive)
    plain = await ask(archive, schema, PLAIN, key="memo")
    full = await ask(archive, schema, WITH_RECORDS, key="memo")
    assert (plain.errors, full.errors) == (None, None)
    kinds = {one.pop("record").get("artifactKind") for one in full.data["lineage"]["nodes"]}
    assert kinds == {None, "document"}
    assert plain.data == full.data
    assert plain.data["lineage"]["__typename"] == "Lineage"
    assert {one["called"] for one in plain.data["lineage"]["nodes"]} == {"Memo", "read #1", "run-1", "Contract", "m"}
    bare = await ask(archive, schema, PLAIN, key="memo", paths=False)
    assert all("path" not in one for one in bare.data["lineage"]["nodes"])


async def test_provenance_and_impact(archive: Archive, schema: ReadSchema) -> None:
    await told(archive)
    query = """{
      provenance(of: {kind: "Artifact", source: "exec", key: "memo"}) { sentence truncated evidence { note }
        chain { sentence type others item { id kind name } madeBy { name } run { name record { id } } after { id } } }
      impact(of: {kind: "Entity", source: "dms", key: "contract"}) { sentence counts { kind count } truncated
        deliveries { id name status sent deliveredAt deliveredTo deliveryKind conflicting destinationSummary }
        nodes { name } cuts { message } of { name } evidence { note } }
    }"""
    answer = await ask(archive, schema, query)
    assert answer.errors is None
    assert answer.data["provenance"]["chain"][0]["madeBy"] == {"name": "read #1"}
    [delivery] = answer.data["impact"]["deliveries"]
    assert (delivery["status"], delivery["sent"], delivery["deliveryKind"]) == ("delivered", True, "email")


async def test_a_group_says_how_to_page_through_it(archive: Archive, schema: ReadSchema) -> None:
    story = Story()
    for turn in (1, 2, 3):
        story.tell("artifact_consumed", item=document("manual"), **step("read", turn))
    await archive.tell(story)
    query = """{ lineage(of: {kind: "Entity", source: "dms", key: "manual"}, direction: downstream, groupOver: 1) {
      groups { page count kind type samples { name } } } }"""
    [group] = (await ask(archive, schema, query)).data["lineage"]["groups"]
    page = await ask(archive, schema, group["page"])
    assert page.errors is None
    assert page.data["node"]["consumedBy"]["totalCount"] == group["count"] == 3


async def test_a_bad_request_has_its_code_and_field(archive: Archive, schema: ReadSchema) -> None:
    answer = await ask(archive, schema, '{ lineage(of: {id: "art_1"}, depth: 99) { truncated } }')
    assert answer.errors[0].extensions["code"] == "limit_exceeded"
    assert answer.errors[0].extensions["field"] == "depth"
    missing = await ask(archive, schema, '{ impact(of: {id: "art_1"}) { sentence } }')
    assert missing.errors[0].extensions["code"] == "not_found"
