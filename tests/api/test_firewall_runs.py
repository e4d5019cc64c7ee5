"""Not seen means not there: runs, what they made, and where it came from."""

import asyncio
from typing import Any

import orjson

from graph_schema.registry import REGISTRY
from resolvers.schema import build_schema as build_read_schema
from tests.api.conftest import Api, Caller
from tests.api.marked import AT, BESIDES, CLASSED, HIDDEN, MARK, OF_MATTER, RUNS, marked_id, ref
from tests.api.sockets import subscribed
from tests.bench.views import everything
from tests.names import api_keys


async def test_lineage_ends_before_what_is_hidden(stranger: Caller) -> None:
    shown = "nodes { id path { to } } edges { from to reason } groups { count samples { id } } cuts { at } truncated"
    lineage = f"query ($id: ID!) {{ lineage(of: {{id: $id}}, direction: both, depth: 30) {{ {shown} }} }}"
    others = {
        "provenance": "query ($id: ID!) { provenance(of: {id: $id}) { sentence chain { item { id } sentence } } }",
        "impact": "query ($id: ID!) { impact(of: {id: $id}) { nodes { id } counts { count } deliveries { id } } }",
    }
    for label in ("Run", "Activation", "Artifact", "Entity", "WorkProduct", "Delivery"):
        seen = str(await stranger.ask(lineage, id=marked_id(REGISTRY.types[label], BESIDES)))
        assert not [one for one in HIDDEN if f"'{one}'" in seen]
        for number in (CLASSED, OF_MATTER):
            assert (await stranger.refused(lineage, id=marked_id(REGISTRY.types[label], number)))["code"] == "not_found"
    for label in ("Artifact", "Entity", "WorkProduct", "Delivery"):
        for name, query in others.items():
            seen = str((await stranger.ask(query, id=marked_id(REGISTRY.types[label], BESIDES)))[name])
            assert not [one for one in HIDDEN if f"'{one}'" in seen]
            assert f"{MARK} {label} {CLASSED}" not in seen
            assert (await stranger.refused(query, id=marked_id(REGISTRY.types[label], CLASSED)))["code"] == "not_found"


async def test_history_and_statistics_know_nothing_of_the_runs_of_others(stranger: Caller, admin: Caller) -> None:
    query = """query ($task: RecordRefInput!) {
        taskHistory(filter: {tasks: [$task]}) { edges { cursor } emptyReason explanation }
        operationalStatistics(of: $task) { runCount }
        savedTasks(first: 100) { edges { node { key } } } }"""
    watched = {"kind": "Task", "source": "sample", "key": "task-docket-monitor"}
    seen, missing = await stranger.ask(query, task=watched), await stranger.ask(query, task={**watched, "key": "none"})
    assert seen == missing
    assert seen["operationalStatistics"] is None
    assert "task-docket-monitor" not in {one["node"]["key"] for one in seen["savedTasks"]["edges"]}
    assert (await admin.ask(query, task=watched))["operationalStatistics"] == {"runCount": 30}


async def test_a_run_shows_only_the_parts_that_may_be_seen(stranger: Caller) -> None:
    run = REGISTRY.types["Run"]
    query = f"query ($id: ID!) {{ run(id: $id) {everything(build_read_schema())} }}"
    for hidden in (marked_id(run, CLASSED), marked_id(run, OF_MATTER), "run_missing", "nonsense"):
        assert await stranger.ask(query, id=hidden) == {"run": None}
    told = orjson.dumps((await stranger.ask(query, id=marked_id(run, BESIDES)))["run"]).decode()
    assert marked_id(REGISTRY.types["Activation"], BESIDES) in told
    for hidden in (*HIDDEN, *(f"{MARK} {kind} {number}" for kind in REGISTRY.types for number in (CLASSED, OF_MATTER))):
        assert hidden not in told


async def test_following_a_hidden_run_is_like_following_a_missing_one(stranger: Caller, marked: Api) -> None:
    key = stranger.client.headers["authorization"].removeprefix("Bearer ")
    query = "subscription ($run: ID!) { runChanges(run: {id: $run}) { status } }"
    run = REGISTRY.types["Run"]
    hidden = (marked_id(run, CLASSED), marked_id(run, OF_MATTER), "run_missing")
    streams = [subscribed(marked.service.url, key, query, run=one) for one in (*hidden, marked_id(run, BESIDES))]
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
    for one in (marked_id(run, CLASSED), marked_id(run, OF_MATTER), "run_missing"):
        answer = await stranger.client.get(f"/v1/runs/{one}/traces")
        assert (answer.status_code, answer.json()["errors"][0]["extensions"]["code"]) == (404, "not_found")
        assert answer.json()["errors"][0]["message"] == f"There is no run {one} that you can see."
    assert (await stranger.client.get(f"/v1/runs/{marked_id(run, BESIDES)}/traces")).status_code == 200


async def test_decisions_about_hidden_artifacts_answer_as_about_missing_ones(stranger: Caller) -> None:
    commands = (
        "promoteArtifact(artifact: $r, level: doc72_reference) { outcome }",
        "reviewArtifact(artifact: $r, approve: true) { outcome }",
        "createLibraryIntent(artifact: $r, library: $r) { recordId }",
        "recordLibraryReceipt(intent: $r, status: cancelled) { recordId }",
    )
    for hidden in ("art_marked1", "art_marked2", "lint_marked1", "art_missing"):
        for command in commands:
            error = await stranger.refused(f"mutation ($r: RecordRefInput!) {{ {command} }}", r=ref(hidden))
            assert (error["code"], error["message"]) == ("not_found", f"There is no record {hidden} that you can see.")
        error = await stranger.refused("query ($id: ID!) { artifactIntake(artifact: {id: $id}) { level } }", id=hidden)
        assert (error["code"], error["message"]) == ("not_found", f"There is no record {hidden} that you can see.")


async def test_retention_says_nothing_of_a_run_that_may_not_be_seen(stranger: Caller, marked: Api) -> None:
    await marked.database.run_alone("MATCH (a:Artifact {id: 'art_marked0'}) SET a.run_id = 'run_marked2'")
    query = "query ($id: ID!) { node(id: $id) { ... on Artifact { retention { reason } } } }"
    assert (await stranger.ask(query, id="art_marked0"))["node"] == {"retention": None}
    query = "query ($id: ID!) { node(id: $id) { ... on Run { retention { standing expiresAt } } } }"
    assert (await stranger.ask(query, id="run_marked0"))["node"]["retention"] is not None


async def test_nobody_reports_a_run_of_a_matter_that_is_not_theirs(stranger: Caller, marked: Api) -> None:
    query = "mutation ($e: [RunEventInput!]!) { reportRunEvents(events: $e) { answers { outcome code runId } } }"
    event = {
        "event_id": "e1",
        "kind": "run_started",
        "occurred_at": AT,
        "run": {"source": "firewall", "key": "r1"},
        "policy": {"memory_mode": "standard", "data_class": "internal", "matter_ids": [marked.matters["Narayanan"]]},
    }
    answers = (await stranger.ask(query, e=[api_keys(event)]))["reportRunEvents"]["answers"]
    assert answers == [{"outcome": "rejected", "code": "matter_not_allowed", "runId": None}]
    rows = await marked.database.read("MATCH (n:Run {source: 'firewall'}) RETURN count(n) AS runs")
    assert rows[0]["runs"] == 0


async def test_nobody_exports_or_queues_what_they_do_not_see(stranger: Caller) -> None:
    for hidden in (*RUNS, "run_missing"):
        export = "mutation ($r: RecordRefInput!) { exportAudit(run: $r) { download } }"
        assert (await stranger.refused(export, r=ref(hidden)))["code"] == "not_found"
        ask = (
            'mutation ($r: RecordRefInput!) { requestExtraction(record: $r, reason: "flagged_high_value") { version } }'
        )
        assert (await stranger.refused(ask, r=ref(hidden)))["code"] == "not_found"
    kinds = (("Extraction", CLASSED), ("Extraction", OF_MATTER))
    for hidden in (*(marked_id(REGISTRY.types[label], number) for label, number in kinds), "extr_missing"):
        take = "mutation ($id: ID!) { takeExtraction(extraction: {id: $id}) { version } }"
        assert (await stranger.refused(take, id=hidden))["code"] == "not_found"
        settle = "mutation ($id: ID!) { settleExtraction(extraction: {id: $id}, done: true) { version } }"
        assert (await stranger.refused(settle, id=hidden))["code"] == "not_found"
    exports = REGISTRY.types["AuditExport"]
    for hidden in (marked_id(exports, CLASSED), marked_id(exports, OF_MATTER), "aud_missing"):
        answer = await stranger.client.get(f"/v1/audits/{hidden}")
        assert (answer.status_code, answer.json()["errors"][0]["extensions"]["code"]) == (404, "not_found")


async def test_a_hidden_run_is_asked_about_like_a_missing_one(stranger: Caller) -> None:
    query = """query ($r: RecordRefInput!) {
        runQuestions(run: $r) { where { sentence } } permissionContract(run: $r) { runId }
        moduleQuickAccess(run: $r, moduleKey: "m") { status }
        taskQuestions(source: "nowhere", key: "t") { runCount runs { id } current { where { status } } } }"""
    nothing: dict[str, Any] = {"runCount": 0, "runs": [], "current": None}
    for hidden in [*RUNS, "run_missing", HIDDEN[0]]:
        found = await stranger.ask(query, r=ref(hidden))
        assert found.pop("taskQuestions") == nothing
        assert set(found.values()) == {None}


async def test_a_hidden_run_is_taken_up_like_a_missing_one(stranger: Caller) -> None:
    step = 'run: $r, moduleKey: "m", activationSeq: 1'
    consult = 'entrypoint: inspect_task_run, userRequestRef: "x", responseKind: status_answer'
    commands = (
        f"requestFork({step}, input: {{rerunScope: judge_only}}) {{ recordId }}",
        f'recordFollowUp({step}, input: {{mode: ask_task_agent_about_module, userQuestion: "?"}}) {{ recordId }}',
        f"recordIntervention({step}, input: {{interventionKind: user_note_for_downstream}}) {{ recordId }}",
        "openThread(run: $r, input: {scope: task_run_inspection}) { recordId }",
        f"recordConsult(run: $r, input: {{{consult}}}) {{ recordId }}",
    )
    for command in commands:
        query = f"mutation ($r: RecordRefInput!) {{ {command} }}"
        for hidden in [*RUNS, "run_missing"]:
            error = await stranger.refused(query, r=ref(hidden))
            assert (error["code"], error["message"]) == ("not_found", f"There is no record {hidden} that you can see.")


async def test_statistics_of_presets_know_nothing_of_the_uses_of_others(stranger: Caller, admin: Caller) -> None:
    query = """query ($preset: RecordRefInput!) {
        presetStatistics(of: $preset) { usageCount tasksUsedIn commonDownstreamConsumers lastUsedAt }
        savedPresets(first: 100) { edges { cursor node { presetId displayName usageCount } }
            pageInfo { hasNextPage endCursor } } }"""
    watching = {"kind": "Preset", "source": "sample", "key": "preset-five-line-status"}
    seen = await stranger.ask(query, preset=watching)
    used: dict[str, Any] = {"tasksUsedIn": 0, "commonDownstreamConsumers": [], "lastUsedAt": None}
    assert seen["presetStatistics"] == {"usageCount": 0, **used}
    listed = {one["node"]["presetId"] for one in seen["savedPresets"]["edges"]}
    assert listed & {marked_id(REGISTRY.types["Preset"], number) for number in range(3)} == {"pre_marked0"}
    for hidden in (*HIDDEN, "pre_missing"):
        assert (await stranger.ask(query, preset={"id": hidden}))["presetStatistics"] is None
    assert (await admin.ask(query, preset=watching))["presetStatistics"]["usageCount"] == 4
