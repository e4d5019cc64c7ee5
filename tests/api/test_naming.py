"""Wherever an id is taken, so is the name that an outside system has for the record; its kind need not be told."""

from typing import Any, cast

import pytest
from graphql import GraphQLInputObjectType, GraphQLNamedType, get_named_type

from graph_schema.registry import REGISTRY
from tests.api.conftest import Api, Caller
from tests.api.marked import CLASSED, marked_id
from tests.api.schema import committed_schema
from tests.api.sockets import subscribed

NAMED = """{
  runs(first: 1, filter: {source: {eq: "sample"}, sourceKey: {isNull: false}}) { nodes { id source sourceKey } }
  artifacts(first: 1, filter: {sourceKey: {isNull: false}}) { nodes { id source sourceKey } }
  contextPackets(first: 1) { nodes { id runId moduleKey activationSeq } }
}"""


async def test_a_run_is_found_by_its_outside_name_in_every_place(admin: Caller) -> None:
    found = await admin.ask(NAMED)
    [run], [artifact] = found["runs"]["nodes"], found["artifacts"]["nodes"]
    name = {"source": run["source"], "key": run["sourceKey"]}
    query = """query ($id: ID!, $ref: RecordRefInput!, $source: String!, $key: String!, $artifact: RecordRefInput!) {
      node(source: $source, key: $key) { id } run(source: $source, key: $key) { id }
      same: run(id: $id) { id } runQuestions(run: $ref) { __typename } events(about: $ref) { nodes { eventId } }
      byId: events(about: {id: $id}) { nodes { eventId } } contextStatistics(runs: [$ref]) { __typename }
      taskHistory(filter: {about: [{source: "none", key: "none"}]}) { edges { cursor } }
      artifactIntake(artifact: $artifact) { level }
      runs(filter: {source: {eq: $source}, sourceKey: {in: [$key]}}) { nodes { id } } }"""
    keyed = {"source": artifact["source"], "key": artifact["sourceKey"]}
    told = await admin.ask(query, id=run["id"], ref=name, **name, artifact=keyed)
    assert told["node"] == told["run"] == told["same"] == told["runs"]["nodes"][0] == {"id": run["id"]}
    assert told["runQuestions"] is not None
    assert told["events"] == told["byId"]
    assert told["events"]["nodes"]


async def test_a_packet_is_found_by_its_activation(admin: Caller) -> None:
    [one] = (await admin.ask(NAMED))["contextPackets"]["nodes"]
    step = {"run": {"id": one["runId"]}, "moduleKey": one["moduleKey"], "activationSeq": one["activationSeq"]}
    query = """query ($run: RecordRefInput, $module: String, $seq: Int, $a: PacketRefInput!, $b: PacketRefInput!) {
      contextPacket(run: $run, moduleKey: $module, activationSeq: $seq) { id }
      replayPacket(run: $run, moduleKey: $module, activationSeq: $seq) { __typename }
      diffPackets(a: $a, b: $b) { identical } }"""
    asked: dict[str, Any] = {"run": step["run"], "module": one["moduleKey"], "seq": one["activationSeq"]}
    told = await admin.ask(query, **asked, a=step, b={"id": one["id"]})
    assert told["contextPacket"] == {"id": one["id"]}
    assert told["diffPackets"] == {"identical": True}
    both = 'query ($id: ID!) { contextPacket(id: $id, moduleKey: "m") { id } }'
    assert (await admin.refused(both, id=one["id"]))["code"] == "invalid_input"
    missing = await admin.refused(query, **{**asked, "module": "nothing"}, a=step, b=step)
    assert missing["code"] == "not_found"


async def test_filters_and_feedback_take_outside_names(admin: Caller) -> None:
    template = """{ templates(first: 1, filter: {sourceKey: {isNull: false}}) { nodes { id source sourceKey } } }"""
    [one] = (await admin.ask(template))["templates"]["nodes"]
    saved = "query ($t: RecordRefInput!) { savedTasks(filter: {template: $t}) { totalCount } }"
    by_key = {"source": one["source"], "key": one["sourceKey"]}
    assert await admin.ask(saved, t=by_key) == await admin.ask(saved, t={"id": one["id"]})
    assert (await admin.ask(saved, t={**by_key, "key": "none"}))["savedTasks"]["totalCount"] == 0
    packet, item = await _injected_rule(admin)
    say = """mutation ($p: RecordRefInput!, $t: RecordRefInput!) { recordContextFeedback(input: {packet: $p, target: $t,
      targetKind: injected_memory, feedback: helpful}) { record { targetRef } } }"""
    named = {"source": item["source"], "key": item["sourceKey"]}
    told = await admin.ask(say, p={"id": packet}, t=named)
    assert told["recordContextFeedback"]["record"] == {"targetRef": item["id"]}
    missing = await admin.refused(say, p={"id": packet}, t={**named, "key": "none"})
    assert missing["field"] == "targetRef"


async def _injected_rule(admin: Caller) -> tuple[str, dict[str, Any]]:
    """A packet, and a rule in it that somebody outside has a name for."""
    query = """{ contextPackets(first: 20) { nodes { id injected(first: 40) { nodes {
      ... on Preference { id source sourceKey } ... on Restriction { id source sourceKey } } } } } }"""
    for packet in (await admin.ask(query))["contextPackets"]["nodes"]:
        for item in packet["injected"]["nodes"]:
            if item.get("sourceKey"):
                return packet["id"], item
    raise AssertionError("the sample world has no packet with a rule")


@pytest.mark.parametrize(
    "query",
    [
        "{ node { id } }",
        '{ node(source: "sample") { id } }',
        '{ node(id: "ent_1", source: "sample", key: "x") { id } }',
        "{ run { id } }",
        '{ run(id: "run_1", key: "x") { id } }',
    ],
)
async def test_a_record_is_named_in_exactly_one_way(admin: Caller, query: str) -> None:
    refused = await admin.refused(query)
    assert (refused["code"], bool(refused["remedy"])) == ("invalid_input", True)


async def test_a_hidden_key_reads_as_one_that_is_not_there(marked: Api, stranger: Caller) -> None:
    hidden = marked_id(REGISTRY.types["Run"], CLASSED)
    await marked.database.run_alone(
        "MATCH (r:Run {id: $id}) SET r.source = 'marked', r.source_key = 'hidden'", id=hidden
    )
    query = """query ($source: String!, $key: String!, $ref: RecordRefInput!) {
      node(source: $source, key: $key) { id } run(source: $source, key: $key) { id }
      runQuestions(run: $ref) { __typename } events(about: $ref) { nodes { eventId } }
      runs(filter: {sourceKey: {eq: $key}}) { totalCount } }"""
    answers: list[Any] = []
    for key in ("hidden", "missing"):
        name = {"source": "marked", "key": key}
        answers.append(await stranger.ask(query, **name, ref=name))
        refused = await stranger.refused("query ($ref: RecordRefInput!) { lineage(of: $ref) { truncated } }", ref=name)
        assert refused["code"] == "not_found"
    assert answers[0] == answers[1]
    assert answers[0]["node"] is answers[0]["run"] is None


async def test_a_run_is_followed_by_its_outside_name(api: Api, admin: Caller) -> None:
    [run] = (await admin.ask(NAMED))["runs"]["nodes"]
    query = "subscription ($run: RecordRefInput!) { runChanges(run: $run) { runId status } }"
    name = {"source": run["source"], "key": run["sourceKey"]}
    stream = subscribed(api.service.url, api.keys["admin"], query, run=name)
    assert (await anext(stream))["data"]["runChanges"]["runId"] == run["id"]
    await stream.aclose()


async def test_a_stub_is_of_the_kind_that_the_place_implies(admin: Caller) -> None:
    link = """mutation ($tail: RecordRefInput!, $type: String!, $head: RecordRefInput!) {
      linkRecords(tail: $tail, type: $type, head: $head) { head { __typename stub sourceKey } } }"""
    save = (
        'mutation { saveGoal(input: {name: "Named", goalType: risk_control_goal, goalStatement: "S."}) { recordId } }'
    )
    goal = {"id": (await admin.ask(save))["saveGoal"]["recordId"]}
    unknown = {"source": "naming", "key": "somebody"}
    made = (await admin.ask(link, tail=goal, type="CONCERNS", head=unknown))["linkRecords"]
    assert made["head"] == {"__typename": "Entity", "stub": True, "sourceKey": "somebody"}
    saved = 'mutation { savePreference(input: {name: "Named", statement: "S."}) { recordId } }'
    preference = {"id": (await admin.ask(saved))["savePreference"]["recordId"]}
    other = {**unknown, "key": "anything"}
    refused = await admin.refused(link, tail=preference, type="APPLIES_TO", head=other)
    assert (refused["code"], refused["field"]) == ("kind_needed", "head")
    contradicted = await admin.refused(
        "query ($r: RecordRefInput!) { runQuestions(run: $r) { __typename } }", r={**unknown, "kind": "Task"}
    )
    assert (contradicted["code"], contradicted["field"]) == ("wrong_kind", "run")


BY_ID_ALONE = {
    "PacketRefInput.id": "a packet is named by its activation, too",
    "Query.nodes(ids)": "many ids that answers gave; `node` takes source and key",
    "Query.contextPacket(id)": "beside run, module and activation",
    "Query.replayPacket(id)": "beside run, module and activation",
    "Query.sharedManifest(record)": "who opens a link knows what the manifest tells: ids",
    **dict.fromkeys(
        (
            *("Query.proposalWatch(proposalId)", "Mutation.applyProposal(proposalId)"),
            *("Mutation.rollBackProposal(proposalId)", "Mutation.replayProposal(proposalId)"),
            *("ReviewInput.proposalId", "ReviewInput.acknowledgedReplayId"),
            *("SlotAnswer.question", "QuestionFeedback.question"),
        ),
        "made here, and named by nobody else",
    ),
    "DecisionOptionInput.id": "what a component calls an option",
    "Mutation.revokeKey(key)": "a key is no record, and has no other name",
}
"""Where an id is taken without `source` and `key` (or `sourceKey`) beside it, and why. Ids of matters stand beside
`matters`."""


def _ids(name: str, taken: dict[str, Any]) -> set[str]:
    """Which of these take an id, as such or in words."""
    ids = {one for one, field in taken.items() if cast("GraphQLNamedType", get_named_type(field.type)).name == "ID"}
    if {"source", "sourceKey"} <= {*taken} or {"source", "key"} <= {*taken}:
        ids -= {"id"}
    if (
        {"matterIds", "matters"} <= {*taken}
        or name.endswith("Principal")
        or "revokeMatters" in name
        or "grantMatters" in name
    ):
        ids -= {"matterIds"}
    return ids


def test_what_takes_an_id_takes_an_outside_name_too() -> None:
    schema = committed_schema()
    found: set[str] = set()
    for root in (schema.query_type, schema.mutation_type, schema.subscription_type):
        assert root
        for name, operation in root.fields.items():
            found |= {f"{root.name}.{name}({one})" for one in _ids(name, operation.args)}
    for name, type_ in schema.type_map.items():
        if isinstance(type_, GraphQLInputObjectType) and not name.endswith("Filter"):
            found |= {f"{name}.{one}" for one in _ids(name, type_.fields)}
    assert found == {*BY_ID_ALONE}
