"""Not seen means not there: every root field and every relation, for everybody who must not see."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import orjson
import pytest
from graphql import GraphQLObjectType, build_schema

from bench.views import everything
from graph_schema import REGISTRY
from graph_schema.context_relations import CONTEXTUAL
from graph_schema.fields import Field, Kind
from graph_schema.record import RecordType
from resolvers.schema import build_schema as build_read_schema
from resolvers.schema import printed
from service.access.audience import audience_of
from tests.api.conftest import Api, Caller
from tests.api.sockets import subscribed

MARK = "Xyzzyx"
AT = "2026-01-01T00:00:00.000Z"
TIMES = (AT, "2026-01-02T00:00:00.000Z", "2026-01-03T00:00:00.000Z")
"""When each of the three records of a type was made: the one field that all types can be filtered by."""

SCHEMA = build_schema(printed())

# Fields with rules of their own, each with a test below. A new one has to be added, with its test.
WRITTEN_QUERIES = {
    "node",
    "nodes",
    "search",
    "events",
    "viewer",
    "lineage",
    "provenance",
    "impact",
    "artifactIntake",
    "taskHistory",
    "operationalStatistics",
    "savedTasks",
    "presetStatistics",
    "savedPresets",
    "searchArtifacts",
    "exportN8n",
    "run",
    "checkInsertion",
    "runScope",
    "mountedCapabilities",
    "contextStatistics",
    "agentContextPack",
    "previewContextPacket",
    "contextPacket",
}
WRITTEN_SUBSCRIPTIONS = {
    "events",
    "runChanges",
}
QUESTIONS = {
    "runQuestions",
    "taskQuestions",
    "permissionContract",
    "moduleQuickAccess",
}
ASKING = {"whyExcluded", "whyInjected", "diffPackets", "replayPacket", "contextBleed"}
MATCHES = {f"match{kind}s" for kind in ("Template", "Preset", "Pattern", "Case", "Blueprint", "Segment")}
MATCHING = MATCHES | {"reuseSearch", "explainMatch", "compareMatch"}
WRITTEN_RECORD_FIELDS = {"history"}
WRITTEN_ON = {"Run": {"retention"}, "Artifact": {"retention"}, "TemplateGroup": {"worth"}}
SAVES = {f"save{kind.label}" for kind in REGISTRY.types.values() if kind.saved}
ON_RECORDS = {"archiveRecord", "restoreRecord", "setLifecycle", "eraseRecord", "setLegalHold"}
ON_PAIRS = {"linkRecords", "unlinkRecords", "mergeEntities"}
REPORTING = {"reportRunEvents"}
AUDITING = {"exportAudit"}
SECOND_LANE = {"requestExtraction", "takeExtraction", "settleExtraction"}
ON_ARTIFACTS = {"promoteArtifact", "reviewArtifact", "createLibraryIntent", "recordLibraryReceipt"}
KEEPING = {"recordMatch"}
AFTER = {"requestFork", "recordFollowUp", "recordIntervention", "openThread", "recordConsult"}
LIBRARY = {"saveGraph", "saveBlueprint", "saveSegment", "reportCapabilityState"}
IMPORTS = {"importN8n"}
CONTEXT = {"openRunScope", "assembleContextPacket", "expandCapabilities", "recordContextFeedback"}

BESIDES = 0
CLASSED, OF_MATTER = 1, 2


def _fields(name: str) -> set[str]:
    found = SCHEMA.type_map[name]
    assert isinstance(found, GraphQLObjectType)
    return set(found.fields)


def test_every_field_of_the_schema_is_covered_here() -> None:
    written = WRITTEN_QUERIES | QUESTIONS | MATCHING | ASKING
    assert _fields("Query") == written | {kind.plural for kind in REGISTRY.types.values()}
    commands = SAVES | ON_RECORDS | ON_PAIRS | REPORTING | AUDITING | SECOND_LANE | ON_ARTIFACTS | AFTER | LIBRARY
    commands |= KEEPING | IMPORTS | CONTEXT
    assert _fields("Mutation") == commands
    assert _fields("Subscription") == WRITTEN_SUBSCRIPTIONS
    for label, kind in REGISTRY.types.items():
        shown = {name for name, one in kind.fields.items() if not one.hidden}
        written = WRITTEN_RECORD_FIELDS | WRITTEN_ON.get(label, set())
        assert _fields(label) == shown | set(REGISTRY.relation_fields(label)) | written


@pytest.fixture(scope="module")
async def marked(api: Api) -> AsyncGenerator[Api]:
    """For each record type one visible record, one above clearance and one of another matter, all linked."""
    narayanan = api.matters["Narayanan"]
    access: list[tuple[str, list[str]]] = [("internal", []), ("local_only", []), ("internal", [narayanan])]
    for kind in REGISTRY.types.values():
        for number, (data_class, matters) in enumerate(access):
            await api.database.run_alone(
                "CREATE (n:$($labels)) SET n = $values MERGE (a:Audience {audience: n.audience}) "
                "ON CREATE SET a.data_class = n.data_class, a.rank = $rank, a.matter_ids = n.matter_ids",
                labels=[kind.label, "Record"],
                values=_values(kind, number, data_class, matters),
                rank={"internal": 1, "local_only": 3}[data_class],
            )
    for relation in REGISTRY.relations:
        for tail in REGISTRY.members(relation.tails):
            for head in REGISTRY.members(relation.heads):
                for one, other in ((0, 0), (0, 1), (0, 2), (1, 0), (2, 0)):
                    await api.database.run_alone(
                        "MATCH (t:Record {id: $tail}) MATCH (h:Record {id: $head}) CREATE (t)-[:$($type)]->(h)",
                        tail=_id(REGISTRY.types[tail], one),
                        head=_id(REGISTRY.types[head], other),
                        type=relation.type,
                    )
    yield api
    await api.database.run_alone("MATCH (n:Record) WHERE n.name STARTS WITH $mark DETACH DELETE n", mark=MARK)


def _id(kind: RecordType, number: int) -> str:
    return f"{kind.prefix}_marked{number}"


def _values(kind: RecordType, number: int, data_class: str, matters: list[str]) -> dict[str, Any]:
    given = {
        "id": _id(kind, number),
        "name": f"{MARK} {kind.label} {number}",
        "created_at": TIMES[number],
        "data_class": data_class,
        "matter_ids": matters,
        "own_data_class": data_class,
        "own_matter_ids": matters,
        "audience": audience_of(data_class, matters),
    }
    needed = {name: _any(one, number) for name, one in kind.fields.items() if one.required and name not in given}
    return kind.model.model_validate({**needed, **given}).properties()


def _any(field: Field, number: int) -> Any:
    """A value that fits, another one for each record: some fields are unique."""
    if field.enum is not None:
        return next(one.value for one in field.enum if one.value != "matter")
    made = {Kind.timestamp: AT, Kind.integer: 1, Kind.long: 1, Kind.number: 1.0, Kind.boolean: False}
    one = made.get(field.kind, f"{MARK}{number}")
    return [one] if field.many else one


@pytest.fixture(params=["outsider", "marex"])
async def stranger(request: pytest.FixtureRequest, marked: Api) -> AsyncGenerator[Caller]:
    caller = marked.caller(request.param)
    async with caller.client:
        yield caller


HIDDEN = [_id(kind, number) for kind in REGISTRY.types.values() for number in (CLASSED, OF_MATTER)]


async def test_lists_and_counts_show_only_what_may_be_seen(stranger: Caller) -> None:
    for kind in REGISTRY.types.values():
        query = f"""query ($times: [Timestamp!]!) {{ {kind.plural}(filter: {{created_at: {{in: $times}}}}) {{
            totalCount nodes {{ id }} edges {{ cursor }} pageInfo {{ hasNextPage }} }} }}"""
        page = (await stranger.ask(query, times=TIMES))[kind.plural]
        assert [one["id"] for one in page["nodes"]] == [_id(kind, BESIDES)]
        assert (page["totalCount"], len(page["edges"]), page["pageInfo"]) == (1, 1, {"hasNextPage": False})


async def test_a_hidden_record_is_the_same_null_as_a_missing_one(stranger: Caller) -> None:
    for hidden in [*HIDDEN, "goal_missing", "nonsense"]:
        answer = await stranger.post("query ($id: ID!) { node(id: $id) { id name } }", id=hidden)
        assert answer.json()["data"] == {"node": None}
    found = await stranger.ask("query ($ids: [ID!]!) { nodes(ids: $ids) { id } }", ids=[*HIDDEN, "goal_missing"])
    assert found["nodes"] == [None] * (len(HIDDEN) + 1)


@pytest.mark.parametrize("label", list(REGISTRY.types))
async def test_relations_lead_only_to_what_may_be_seen(stranger: Caller, label: str) -> None:
    for name, relation in REGISTRY.relation_fields(label).items():
        query = f"""query ($id: ID!) {{ node(id: $id) {{ ... on {label} {{ {name}(first: 500) {{
            totalCount edges {{ node {{ ... on Record {{ id }} }} }} }} }} }} }}"""
        page = (await stranger.ask(query, id=_id(REGISTRY.types[label], BESIDES)))["node"][name]
        ids = {one["node"]["id"] for one in page["edges"]}
        assert ids == {_id(REGISTRY.types[one], BESIDES) for one in REGISTRY.members(relation.targets)}
        assert page["totalCount"] == len(ids)


@pytest.mark.parametrize("label", list(REGISTRY.types))
async def test_filters_through_relations_do_not_tell_what_is_hidden(stranger: Caller, label: str) -> None:
    kind = REGISTRY.types[label]
    for name, relation in REGISTRY.relation_fields(label).items():
        if len(relation.targets) > 1:
            continue
        query = f"""query ($at: Timestamp!) {{ {kind.plural}(filter: {{{name}: {{created_at: {{eq: $at}}}}}}) {{
            totalCount }} }}"""
        for hidden in (CLASSED, OF_MATTER):
            assert (await stranger.ask(query, at=TIMES[hidden]))[kind.plural]["totalCount"] == 0


async def test_search_and_events_and_history_are_silent_about_it(stranger: Caller, marked: Api) -> None:
    found = await stranger.ask("query ($text: String!) { search(text: $text, first: 50) { hits { id } } }", text=MARK)
    assert not {one["id"] for one in found["search"]["hits"]} & set(HIDDEN)
    query = "query ($about: ID!) { events(about: $about) { nodes { event_id } } }"
    hidden = marked.matters["Narayanan"]
    assert (await stranger.ask(query, about=hidden))["events"]["nodes"] == []
    history = "query ($id: ID!) { node(id: $id) { history { states { version } } } }"
    assert (await stranger.ask(history, id=hidden))["node"] is None


async def test_lineage_ends_before_what_is_hidden(stranger: Caller) -> None:
    shown = "nodes { id path { to } } edges { from to reason } groups { count samples { id } } cuts { at } truncated"
    lineage = f"query ($id: ID!) {{ lineage(of: {{id: $id}}, direction: both, depth: 30) {{ {shown} }} }}"
    others = {
        "provenance": "query ($id: ID!) { provenance(of: {id: $id}) { sentence chain { item { id } sentence } } }",
        "impact": "query ($id: ID!) { impact(of: {id: $id}) { nodes { id } counts { count } deliveries { id } } }",
    }
    for label in ("Run", "Activation", "Artifact", "Entity", "WorkProduct", "Delivery"):
        seen = str(await stranger.ask(lineage, id=_id(REGISTRY.types[label], BESIDES)))
        assert not [one for one in HIDDEN if f"'{one}'" in seen]
        for number in (CLASSED, OF_MATTER):
            assert (await stranger.refused(lineage, id=_id(REGISTRY.types[label], number)))["code"] == "not_found"
    for label in ("Artifact", "Entity", "WorkProduct", "Delivery"):
        for name, query in others.items():
            seen = str((await stranger.ask(query, id=_id(REGISTRY.types[label], BESIDES)))[name])
            assert not [one for one in HIDDEN if f"'{one}'" in seen]
            assert f"{MARK} {label} {CLASSED}" not in seen
            assert (await stranger.refused(query, id=_id(REGISTRY.types[label], CLASSED)))["code"] == "not_found"


async def test_history_and_statistics_know_nothing_of_the_runs_of_others(stranger: Caller, admin: Caller) -> None:
    query = """query ($task: RecordRefInput!) {
        taskHistory(filter: {tasks: [$task]}) { edges { cursor } empty_reason explanation }
        operationalStatistics(of: $task) { run_count }
        savedTasks(first: 100) { edges { node { key } } } }"""
    watched = {"kind": "Task", "source": "sample", "key": "task-docket-monitor"}
    seen, missing = await stranger.ask(query, task=watched), await stranger.ask(query, task={**watched, "key": "none"})
    assert seen == missing
    assert seen["operationalStatistics"] is None
    assert "task-docket-monitor" not in {one["node"]["key"] for one in seen["savedTasks"]["edges"]}
    assert (await admin.ask(query, task=watched))["operationalStatistics"] == {"run_count": 30}


async def test_statistics_of_presets_know_nothing_of_the_uses_of_others(stranger: Caller, admin: Caller) -> None:
    query = """query ($preset: RecordRefInput!) {
        presetStatistics(of: $preset) { usage_count tasks_used_in common_downstream_consumers last_used_at }
        savedPresets(first: 100) { edges { cursor node { preset_id display_name usage_count } }
            pageInfo { hasNextPage endCursor } } }"""
    watching = {"kind": "Preset", "source": "sample", "key": "preset-five-line-status"}
    seen = await stranger.ask(query, preset=watching)
    used: dict[str, Any] = {"tasks_used_in": 0, "common_downstream_consumers": [], "last_used_at": None}
    assert seen["presetStatistics"] == {"usage_count": 0, **used}
    listed = {one["node"]["preset_id"] for one in seen["savedPresets"]["edges"]}
    assert listed & {_id(REGISTRY.types["Preset"], number) for number in range(3)} == {"pre_marked0"}
    for hidden in (*HIDDEN, "pre_missing"):
        assert (await stranger.ask(query, preset={"id": hidden}))["presetStatistics"] is None
    assert (await admin.ask(query, preset=watching))["presetStatistics"]["usage_count"] == 4


async def test_search_for_artifacts_is_silent_about_those_of_others(stranger: Caller, marked: Api) -> None:
    query = """query ($text: String!, $filter: ArtifactSearchFilter) {
        searchArtifacts(text: $text, filter: $filter) { hits { name } empty_reason explanation best_score } }"""
    of_others = "Summary of the filing of day 11"
    found = (await stranger.ask(query, text=of_others))["searchArtifacts"]
    assert of_others not in [one["name"] for one in found["hits"]]
    [run] = await marked.database.read("MATCH (r:Run {source_key: 'run-docket-11'}) RETURN r.id AS id")
    hidden, missing = [
        await stranger.ask(query, text=of_others, filter={"runs": [{"id": one}]}) for one in (run["id"], "run_missing")
    ]
    assert hidden == missing
    named = (await stranger.ask(query, text=f"{MARK} Artifact {OF_MATTER}"))["searchArtifacts"]
    marks = {one["name"] for one in named["hits"] if one["name"].startswith(MARK)}
    assert marks == {f"{MARK} Artifact {BESIDES}"}


_CANDIDATE = "id name hard_vetoes { kind } soft_penalties { kind } group record { id }"
_MATCH = f"""outcome confidence explanation notes {{ code }} recommended {{ {_CANDIDATE} }}
    losers {{ reason candidate {{ {_CANDIDATE} }} }}"""


async def test_matching_weighs_and_names_only_what_may_be_seen(
    stranger: Caller, admin: Caller, marked: Api, request: pytest.FixtureRequest
) -> None:
    said = f"quokka ledger of {request.node.callspec.id}"
    fields = " ".join(f"{name}(request: {{text: $text}}, first: 64) {{ {_MATCH} }}" for name in sorted(MATCHES))
    query = f"""query ($text: String!) {{ {fields}
        reuseSearch(request: {{text: $text}}, first: 64) {{ sections {{ {_MATCH} }} }} }}"""
    before = await stranger.ask(query, text=said)
    save = "mutation ($input: TemplateInput!) { saveTemplate(input: $input) { record_id } }"
    hidden = {"name": said, "trigger_phrases": [said], "matter_ids": [marked.matters["Narayanan"]]}
    saved = (await admin.ask(save, input=hidden))["saveTemplate"]["record_id"]
    assert await stranger.ask(query, text=said) == before
    assert saved in orjson.dumps(await admin.ask(query, text=said)).decode()
    await admin.ask("mutation ($r: RecordRefInput!) { eraseRecord(record: $r) { erased } }", r=_ref(saved))


async def test_a_hidden_asset_or_match_is_explained_like_a_missing_one(stranger: Caller) -> None:
    explain = f'query ($r: RecordRefInput!) {{ explainMatch(request: {{text: "audit"}}, asset: $r) {{ {_MATCH} }} }}'
    compare = "query ($id: ID!) { compareMatch(match: $id) { same moved { id name } } }"
    for prefix in ("tpl", "match"):
        for hidden in (f"{prefix}_marked{CLASSED}", f"{prefix}_marked{OF_MATTER}", f"{prefix}_missing"):
            for query, given in ((explain, {"r": _ref(hidden)}), (compare, {"id": hidden})):
                error = await stranger.refused(query, **given)
                assert error["code"] == "not_found"
                assert error["message"] == f"There is no record {hidden} that you can see."


async def test_a_kept_match_names_only_what_its_keeper_may_see(stranger: Caller) -> None:
    query = """mutation ($text: String!) { recordMatch(kind: template, request: {text: $text}) {
        record { ... on MatchDecision { weighed(first: 100) { nodes { ... on Record { id } } } answer } } } }"""
    kept = (await stranger.ask(query, text=f"{MARK} Template {OF_MATTER}"))["recordMatch"]["record"]
    told = orjson.dumps(kept).decode()
    assert not [one for one in HIDDEN if one in told]


async def test_a_run_shows_only_the_parts_that_may_be_seen(stranger: Caller) -> None:
    run = REGISTRY.types["Run"]
    query = f"query ($id: ID!) {{ run(id: $id) {everything(build_read_schema())} }}"
    for hidden in (_id(run, CLASSED), _id(run, OF_MATTER), "run_missing", "nonsense"):
        assert await stranger.ask(query, id=hidden) == {"run": None}
    told = orjson.dumps((await stranger.ask(query, id=_id(run, BESIDES)))["run"]).decode()
    assert _id(REGISTRY.types["Activation"], BESIDES) in told
    for hidden in (*HIDDEN, *(f"{MARK} {kind} {number}" for kind in REGISTRY.types for number in (CLASSED, OF_MATTER))):
        assert hidden not in told


async def test_a_subscription_tells_nobody_about_it(stranger: Caller, marked: Api) -> None:
    """The stream reads by the same predicate as the list: no event of the other matter is in either."""
    everything = "{ events(first: 1000) { nodes { about } } }"
    rows = await marked.database.read(
        "MATCH (n:Record) WHERE $m IN n.matter_ids RETURN n.id AS id", m=marked.matters["Narayanan"]
    )
    hidden = {row["id"] for row in rows}
    page = (await stranger.ask(everything))["events"]
    assert hidden
    assert not {one["about"] for one in page["nodes"]} & hidden


async def test_following_a_hidden_run_is_like_following_a_missing_one(stranger: Caller, marked: Api) -> None:
    key = stranger.client.headers["authorization"].removeprefix("Bearer ")
    query = "subscription ($run: ID!) { runChanges(run: $run) { status } }"
    run = REGISTRY.types["Run"]
    hidden = (_id(run, CLASSED), _id(run, OF_MATTER), "run_missing")
    streams = [subscribed(marked.service.url, key, query, run=one) for one in (*hidden, _id(run, BESIDES))]
    waiting = [asyncio.ensure_future(anext(one)) for one in streams]
    assert (await waiting[-1])["data"]["runChanges"]["status"]
    done, silent = await asyncio.wait(waiting[:-1], timeout=1.5)
    assert not done
    for one in silent:
        one.cancel()
    await asyncio.gather(*silent, return_exceptions=True)
    await streams[-1].aclose()


async def test_a_hidden_run_is_exported_like_a_missing_one(stranger: Caller) -> None:
    run = REGISTRY.types["Run"]
    for one in (_id(run, CLASSED), _id(run, OF_MATTER), "run_missing"):
        answer = await stranger.client.get(f"/v1/runs/{one}/traces")
        assert (answer.status_code, answer.json()["errors"][0]["extensions"]["code"]) == (404, "not_found")
        assert answer.json()["errors"][0]["message"] == f"There is no run {one} that you can see."
    assert (await stranger.client.get(f"/v1/runs/{_id(run, BESIDES)}/traces")).status_code == 200


def _ref(record_id: str) -> dict[str, str]:
    return {"id": record_id}


async def test_commands_on_hidden_records_answer_as_on_missing_ones(stranger: Caller) -> None:
    for hidden in (HIDDEN[0], HIDDEN[1], "ent_missing"):
        for label in (kind.label for kind in REGISTRY.types.values() if kind.saved):
            query = f'mutation ($id: ID!) {{ save{label}(input: {{id: $id, name: "x"}}) {{ version }} }}'
            error = await stranger.refused(query, id=hidden)
            assert (error["code"], error["message"]) == ("not_found", f"There is no record {hidden} that you can see.")
        for name in ("archiveRecord", "restoreRecord"):
            query = f"mutation ($r: RecordRefInput!) {{ {name}(record: $r) {{ version }} }}"
            assert (await stranger.refused(query, r=_ref(hidden)))["code"] == "not_found"
        for name in ("linkRecords", "unlinkRecords"):
            query = f'mutation ($r: RecordRefInput!) {{ {name}(tail: $r, type: "PART_OF", head: $r) {{ type }} }}'
            assert (await stranger.refused(query, r=_ref(hidden)))["code"] == "not_found"
        query = "mutation ($r: RecordRefInput!) { mergeEntities(keep: $r, merge: $r) { version } }"
        assert (await stranger.refused(query, r=_ref(hidden)))["code"] == "not_found"


async def test_decisions_about_hidden_artifacts_answer_as_about_missing_ones(stranger: Caller) -> None:
    commands = (
        "promoteArtifact(artifact: $r, level: doc72_reference) { outcome }",
        "reviewArtifact(artifact: $r, approve: true) { outcome }",
        "createLibraryIntent(artifact: $r, library: $r) { record_id }",
        "recordLibraryReceipt(intent: $r, status: cancelled) { record_id }",
    )
    for hidden in ("art_marked1", "art_marked2", "lint_marked1", "art_missing"):
        for command in commands:
            error = await stranger.refused(f"mutation ($r: RecordRefInput!) {{ {command} }}", r=_ref(hidden))
            assert (error["code"], error["message"]) == ("not_found", f"There is no record {hidden} that you can see.")
        error = await stranger.refused("query ($id: ID!) { artifactIntake(artifact: $id) { level } }", id=hidden)
        assert (error["code"], error["message"]) == ("not_found", f"There is no record {hidden} that you can see.")


async def test_the_library_answers_about_hidden_records_as_about_missing_ones(stranger: Caller) -> None:
    graph = '{modules: [{module_key: "a", module_type: "t", output_ports: ["o"]}]}'
    segment = 'input: {name: "x"}, from: $r, modules: ["a"]'
    state = 'state: up, asOf: "2026-01-01T00:00:00.000Z"'
    commands = {
        "mutation ($r: RecordRefInput!) { setLifecycle(record: $r, state: archived) { version } }": "tpl",
        f"mutation ($r: RecordRefInput!) {{ saveGraph(of: $r, graph: {graph}) {{ version }} }}": "tpl",
        'mutation ($r: RecordRefInput!) { saveSegment(input: {name: "x"}, from: $r, modules: []) { version } }': "tpl",
        f"mutation ($r: RecordRefInput!) {{ saveSegment({segment}) {{ version }} }}": "tpl",
        'mutation ($r: RecordRefInput!) { saveBlueprint(of: $r, input: {name: "x"}) { version } }': "tpl",
        f"mutation ($r: RecordRefInput!) {{ reportCapabilityState(capability: $r, {state}) {{ version }} }}": "cap",
        'query ($r: RecordRefInput!) { checkInsertion(segment: $r, into: {id: "tpl_marked0"}) { fits } }': "seg",
    }
    for query, prefix in commands.items():
        for hidden in (f"{prefix}_marked{CLASSED}", f"{prefix}_marked{OF_MATTER}", f"{prefix}_missing"):
            error = await stranger.refused(query, r=_ref(hidden))
            assert (error["code"], error["message"]) == ("not_found", f"There is no record {hidden} that you can see.")


_NEED = 'module_key: "x", activation_seq: 1, detected_need: "x", basis: failure_recovery'
_SAID = "target_kind: context_packet, feedback: wrong"
_STEP = 'moduleKey: "x", activationSeq: 1'
_ASKED = 'module_key: "x"'
_HIDDEN_CONTEXT = {
    f"mutation ($r: RecordRefInput!) {{ expandCapabilities(input: {{run: $r, {_NEED}}}) {{ receipt_id }} }}": "run",
    f"query ($r: RecordRefInput!) {{ mountedCapabilities(run: $r, {_STEP}) {{ added_count }} }}": "run",
    'query ($r: RecordRefInput!) { agentContextPack(request: {text: "x", entrypoint: design_task, run: $r}) '
    "{ pack_id } }": "run",
    'query ($r: RecordRefInput!) { agentContextPack(request: {text: "x", entrypoint: design_task, about: [$r]}) '
    "{ pack_id } }": "ent",
    f"query ($r: RecordRefInput!) {{ previewContextPacket(input: {{run: $r, {_ASKED}}}) {{ id }} }}": "run",
    f"mutation ($r: RecordRefInput!) {{ assembleContextPacket(input: {{run: $r, {_ASKED}}}) {{ replayed }} }}": "run",
    f'mutation ($r: RecordRefInput!) {{ expandCapabilities(input: {{run: {{id: "run_marked0"}}, {_NEED}, '
    "capabilities: [$r]}) { receipt_id } }": "cap",
}


async def test_context_is_asked_of_hidden_records_as_of_missing_ones(stranger: Caller) -> None:
    for query, prefix in _HIDDEN_CONTEXT.items():
        for hidden in (f"{prefix}_marked{CLASSED}", f"{prefix}_marked{OF_MATTER}", f"{prefix}_missing"):
            error = await stranger.refused(query, r=_ref(hidden))
            assert (error["code"], error["message"]) == ("not_found", f"There is no record {hidden} that you can see.")
    say = (
        f"mutation ($r: RecordRefInput!) {{ recordContextFeedback(input: {{packet: $r, {_SAID}}}) {{ feedback_id }} }}"
    )
    read = "query ($id: ID!) { contextPacket(id: $id) { id } }"
    for hidden in (f"pack_marked{CLASSED}", f"pack_marked{OF_MATTER}", "pack_missing"):
        assert (await stranger.refused(read, id=hidden))["code"] == "not_found"
        error = await stranger.refused(say, r=_ref(hidden))
        assert (error["code"], error["message"]) == ("not_found", f"There is no packet {hidden} that you can see.")


async def test_figures_and_packs_are_made_of_what_may_be_seen(stranger: Caller) -> None:
    query = """query ($since: Timestamp!, $until: Timestamp!) {
        contextStatistics(since: $since, until: $until, first: 100) {
            packets receipts { receipts } trimmed { id } unhelpful { id } } }"""
    found = (await stranger.ask(query, since=TIMES[0], until="2026-01-04T00:00:00.000Z"))["contextStatistics"]
    assert found["packets"] == 1
    assert sum(one["receipts"] for one in found["receipts"]) == 2 * len(CONTEXTUAL)
    cards = "{ id name record { id } }"
    pack = f"""query ($r: RecordRefInput!) {{ agentContextPack(request: {{text: "{MARK}", entrypoint: design_task,
        about: [$r]}}) {{ relevant_task_templates {cards} relevant_module_presets {cards}
        relevant_task_invocation_directives {cards} work_context {{ matter_refs {cards} entity_refs {cards} }}
        artifact_context {{ prior_task_run_refs {cards} prior_work_product_refs {cards} }}
        capability_context {{ available_capability_refs {cards} policy_blocked_capability_refs {cards}
          unavailable_capability_refs {cards} unreported_capability_refs {cards} }}
        constraints {{ memory_directive_refs {cards} security_policy_refs {cards}
          artifact_policy_refs {cards} }} }} }}"""
    told = orjson.dumps(await stranger.ask(pack, r=_ref(f"ent_marked{BESIDES}"))).decode()
    assert f"ent_marked{BESIDES}" in told
    assert not [one for one in HIDDEN if f'"{one}"' in told]


async def test_questions_about_hidden_packets_are_answered_as_about_missing_ones(stranger: Caller) -> None:
    why = 'moduleKey: "m", activationSeq: 1, record: {id: "pref_marked0"}) { sentence }'
    queries = {
        f"query ($id: ID!) {{ whyExcluded(run: {{id: $id}}, {why} }}": "run",
        f"query ($id: ID!) {{ whyInjected(run: {{id: $id}}, {why} }}": "run",
        "query ($id: ID!) { contextBleed(run: {id: $id}) { clean } }": "run",
        'query ($id: ID!) { diffPackets(a: "pack_marked0", b: $id) { identical } }': "pack",
        "query ($id: ID!) { replayPacket(id: $id) { outcome } }": "pack",
    }
    for query, prefix in queries.items():
        for hidden in (f"{prefix}_marked{CLASSED}", f"{prefix}_marked{OF_MATTER}", f"{prefix}_missing"):
            error = await stranger.refused(query, id=hidden)
            assert (error["code"], error["message"]) == ("not_found", f"There is no record {hidden} that you can see.")
    span = """{ contextBleed(since: "2020-01-01T00:00:00.000Z", first: 500) {
        packets_checked items { packet_id run_id record_id name } broad_runs { run_id } } }"""
    told = orjson.dumps(await stranger.ask(span)).decode()
    assert "pack_marked0" in told
    assert not [one for one in (*HIDDEN, f"{MARK} Memory {CLASSED}", f"{MARK} Entity {OF_MATTER}") if one in told]


async def test_the_worth_of_a_group_counts_only_what_may_be_seen(stranger: Caller) -> None:
    query = "query ($id: ID!) { node(id: $id) { ... on TemplateGroup { worth { earns_its_place reasons } } } }"
    found = (await stranger.ask(query, id=f"grp_marked{BESIDES}"))["node"]["worth"]
    assert "templates" not in str(found)


async def test_retention_says_nothing_of_a_run_that_may_not_be_seen(stranger: Caller, marked: Api) -> None:
    await marked.database.run_alone("MATCH (a:Artifact {id: 'art_marked0'}) SET a.run_id = 'run_marked2'")
    query = "query ($id: ID!) { node(id: $id) { ... on Artifact { retention { reason } } } }"
    assert (await stranger.ask(query, id="art_marked0"))["node"] == {"retention": None}
    query = "query ($id: ID!) { node(id: $id) { ... on Run { retention { standing expires_at } } } }"
    assert (await stranger.ask(query, id="run_marked0"))["node"]["retention"] is not None


async def test_nobody_reports_a_run_of_a_matter_that_is_not_theirs(stranger: Caller, marked: Api) -> None:
    query = "mutation ($e: [RunEventInput!]!) { reportRunEvents(events: $e) { answers { outcome code run_id } } }"
    event = {
        "event_id": "e1",
        "kind": "run_started",
        "occurred_at": AT,
        "run": {"source": "firewall", "key": "r1"},
        "policy": {"memory_mode": "standard", "data_class": "internal", "matter_ids": [marked.matters["Narayanan"]]},
    }
    answers = (await stranger.ask(query, e=[event]))["reportRunEvents"]["answers"]
    assert answers == [{"outcome": "rejected", "code": "matter_not_allowed", "run_id": None}]
    rows = await marked.database.read("MATCH (n:Run {source: 'firewall'}) RETURN count(n) AS runs")
    assert rows[0]["runs"] == 0


async def test_nobody_exports_or_queues_what_they_do_not_see(stranger: Caller) -> None:
    for hidden in (_id(REGISTRY.types["Run"], CLASSED), _id(REGISTRY.types["Run"], OF_MATTER), "run_missing"):
        export = "mutation ($r: RecordRefInput!) { exportAudit(run: $r) { download } }"
        assert (await stranger.refused(export, r=_ref(hidden)))["code"] == "not_found"
        ask = (
            'mutation ($r: RecordRefInput!) { requestExtraction(record: $r, reason: "flagged_high_value") { version } }'
        )
        assert (await stranger.refused(ask, r=_ref(hidden)))["code"] == "not_found"
    kinds = (("Extraction", CLASSED), ("Extraction", OF_MATTER))
    for hidden in (*(_id(REGISTRY.types[label], number) for label, number in kinds), "extr_missing"):
        take = "mutation ($id: ID!) { takeExtraction(extraction: $id) { version } }"
        assert (await stranger.refused(take, id=hidden))["code"] == "not_found"
        settle = "mutation ($id: ID!) { settleExtraction(extraction: $id, done: true) { version } }"
        assert (await stranger.refused(settle, id=hidden))["code"] == "not_found"
    exports = REGISTRY.types["AuditExport"]
    for hidden in (_id(exports, CLASSED), _id(exports, OF_MATTER), "aud_missing"):
        answer = await stranger.client.get(f"/v1/audits/{hidden}")
        assert (answer.status_code, answer.json()["errors"][0]["extensions"]["code"]) == (404, "not_found")


async def test_nobody_exports_a_hidden_template_or_imports_into_a_matter_of_others(
    stranger: Caller, marked: Api
) -> None:
    templates = REGISTRY.types["Template"]
    export = "query ($t: RecordRefInput!) { exportN8n(template: $t) { content } }"
    for hidden in (_id(templates, CLASSED), _id(templates, OF_MATTER), "tpl_missing"):
        assert (await stranger.refused(export, t=_ref(hidden)))["code"] == "not_found"
    query = """mutation ($f: [N8nFileInput!]!, $m: [ID!]) {
        importN8n(workflows: $f, matterIds: $m) { items { outcome template { name } } } }"""
    file = {"file_name": "f.json", "content": '{"name": "Firewall", "nodes": [{"name": "a", "type": "b.c"}]}'}
    assert (await stranger.refused(query, f=[file], m=[marked.matters["Narayanan"]]))["code"] == "matter_not_allowed"
    found = await stranger.ask(query, f=[file])
    assert found["importN8n"]["items"][0]["template"] == {"name": "Firewall"}
    await marked.database.run_alone("MATCH (n:Record {source: 'n8n'}) DETACH DELETE n")


RUNS = [_id(REGISTRY.types["Run"], number) for number in (CLASSED, OF_MATTER)]


async def test_a_hidden_run_is_asked_about_like_a_missing_one(stranger: Caller) -> None:
    query = """query ($r: RecordRefInput!) {
        runQuestions(run: $r) { where { sentence } } permissionContract(run: $r) { run_id }
        moduleQuickAccess(run: $r, moduleKey: "m") { status }
        taskQuestions(source: "nowhere", key: "t") { run_count runs { id } current { where { status } } } }"""
    nothing: dict[str, Any] = {"run_count": 0, "runs": [], "current": None}
    for hidden in [*RUNS, "run_missing", HIDDEN[0]]:
        found = await stranger.ask(query, r=_ref(hidden))
        assert found.pop("taskQuestions") == nothing
        assert set(found.values()) == {None}


async def test_the_scope_of_a_hidden_run_is_like_that_of_a_missing_one(stranger: Caller) -> None:
    read = "query ($r: RecordRefInput!) { runScope(run: $r) { envelope_id } }"
    start = "mutation ($i: RunScopeInput!) { openRunScope(input: $i) { envelope_id } }"
    for hidden in [*RUNS, "run_missing"]:
        assert await stranger.ask(read, r=_ref(hidden)) == {"runScope": None}
        error = await stranger.refused(start, i={"run": _ref(hidden)})
        assert (error["code"], error["message"]) == ("not_found", f"There is no record {hidden} that you can see.")
    seen = str(await stranger.ask(_SCOPE, r=_ref(_id(REGISTRY.types["Run"], BESIDES))))
    assert not [one for one in HIDDEN if f"'{one}'" in seen]


_SCOPE = """query ($r: RecordRefInput!) { runScope(run: $r) { resolved_scope { entity_refs { id } other_refs { id } }
    candidates { id } excluded { id } trigger_scope { trigger_id } policy_snapshot_ref } }"""


async def test_a_hidden_run_is_taken_up_like_a_missing_one(stranger: Caller) -> None:
    step = 'run: $r, moduleKey: "m", activationSeq: 1'
    consult = 'entrypoint: inspect_task_run, user_request_ref: "x", response_kind: status_answer'
    commands = (
        f"requestFork({step}, input: {{rerun_scope: judge_only}}) {{ fork_id }}",
        f'recordFollowUp({step}, input: {{mode: ask_task_agent_about_module, user_question: "?"}}) {{ follow_up_id }}',
        f"recordIntervention({step}, input: {{intervention_kind: user_note_for_downstream}}) {{ intervention_id }}",
        "openThread(run: $r, input: {scope: task_run_inspection}) { thread_id }",
        f"recordConsult(run: $r, input: {{{consult}}}) {{ consult_id }}",
    )
    for command in commands:
        query = f"mutation ($r: RecordRefInput!) {{ {command} }}"
        for hidden in [*RUNS, "run_missing"]:
            error = await stranger.refused(query, r=_ref(hidden))
            assert (error["code"], error["message"]) == ("not_found", f"There is no record {hidden} that you can see.")


async def test_administration_needs_its_scope_whatever_the_record(stranger: Caller) -> None:
    for hidden in (HIDDEN[0], "ent_missing"):
        erase = "mutation ($r: RecordRefInput!) { eraseRecord(record: $r) { erased } }"
        assert (await stranger.refused(erase, r=_ref(hidden)))["code"] == "not_allowed"
        hold = "mutation ($r: RecordRefInput!) { setLegalHold(record: $r, hold: true) { version } }"
        assert (await stranger.refused(hold, r=_ref(hidden)))["code"] == "not_allowed"


async def test_a_key_does_only_what_its_scopes_say(api: Api) -> None:
    executor, reader = api.caller("executor"), api.caller("reader")
    async with executor.client, reader.client:
        for query in ("{ goals { totalCount } }", '{ search(text: "x") { truncated } }', "{ events { head } }"):
            assert (await executor.refused(query))["code"] == "not_allowed"
        save = 'mutation { savePreference(input: {name: "x", statement: "y"}) { version } }'
        assert (await reader.refused(save))["code"] == "not_allowed"
        assert (await reader.ask("{ viewer { name } }"))["viewer"]["name"] == "reader"


async def test_without_a_key_everything_is_refused(nobody: Caller) -> None:
    for query in ("{ viewer { name } }", "{ goals { totalCount } }", "mutation { x }", "nonsense"):
        answer = await nobody.post(query)
        assert answer.status_code == 401
        assert answer.json()["errors"][0]["extensions"]["code"] == "unauthenticated"
    for path in ("/explorer", "/graphql", "/v1/anything"):
        assert (await nobody.client.get(path)).status_code == 401
    for path in ("/", "/health/live", "/health/ready", "/signin"):
        assert (await nobody.client.get(path)).status_code == 200
