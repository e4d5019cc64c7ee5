"""`run(id:)`: what each part answers for runs of every kind, and what a viewer may not see."""

from typing import Any

import pytest

from graph_schema.model.fields import DataClass
from resolvers.engine.execution import ReadSchema
from tests.bench.views import everything
from tests.memory.conftest import Executor
from tests.memory.stories import POLICY, Event, Story, step, whole_run
from tests.memory.views.asking import Counting, ask, failed, fanned_out, looped, report, sequential, waiting

RUN = "query ($id: ID!) { run(id: $id) %s }"


async def view(schema: ReadSchema, executor: Executor, events: list[Event], **more: Any) -> Any:
    """All that is said of a run."""
    run_id = await report(executor, events)
    return (await ask(schema, executor, RUN % everything(schema), id=run_id, **more))["run"]


def labels(run: Any) -> list[tuple[str, int]]:
    return [(row["moduleKey"], row["activationSeq"]) for row in run["steps"]["rows"]]


def parts(run: dict[str, Any]) -> list[Any]:
    """The read models of a run: all but its id and its questions, which name their evidence one by one."""
    return [part for name, part in run.items() if name not in {"id", "questions"}]


def missing(part: Any) -> set[str]:
    return {one["code"] for one in part["evidence"]["missing"]}


async def test_a_sequence_is_told_from_start_to_end(schema: ReadSchema, executor: Executor) -> None:
    run = await view(schema, executor, sequential())
    assert labels(run) == [("collect", 1), ("write", 1), ("send", 1)]
    assert run["header"]["lines"] == [
        "Weekly digest",
        "Completed · 2026-01-01 · 7.00s · $0.75",
        "3 modules · 3 completed",
    ]
    assert run["status"]["oneLineStatus"] == "Weekly digest: completed after 7.00s; 3 completed; $0.75."
    assert run["status"]["nextWorkSummary"] == "Nothing more will run."
    assert run["costs"]["byModel"] == [
        {"key": "small", "label": "small", "costUsd": 0.75, "inputTokens": 300, "outputTokens": 30, "count": 3}
    ]
    assert [one["key"] for one in run["costs"]["byModule"]] == ["collect", "send", "write"]
    assert run["anomalies"]["items"] == []
    assert run["steps"]["evidence"] == {"layers": ["run_truth"], "missing": []}
    assert [(one["label"], one["offsetMs"], one["lengthMs"]) for one in run["timeline"]["bars"]] == [
        ("collect", 1000, 1000),
        ("write", 3000, 1000),
        ("send", 5000, 1000),
    ]
    assert missing(run["trace"]) == {"spans_not_reported"}


async def test_branches_stay_together_and_join_at_the_end(schema: ReadSchema, executor: Executor) -> None:
    run = await view(schema, executor, fanned_out())
    assert labels(run) == [("plan", 1), ("read", 1), ("check", 1), ("read", 2), ("check", 2), ("merge", 1)]
    assert {row["loopIteration"] for row in run["steps"]["rows"]} == {None}
    assert [row["branchLabel"] for row in run["steps"]["rows"][1:4:2]] == ["b1", "b2"]
    assert run["status"]["currentWorkSummary"] == "merge is running."
    assert run["progress"]["activePaths"][0]["steps"] == ["plan", "read (#2)", "check (#2)", "merge"]


async def test_rounds_of_a_loop_are_counted_and_stay_in_order(schema: ReadSchema, executor: Executor) -> None:
    run = await view(schema, executor, looped())
    rows = run["steps"]["rows"]
    told = [(row["moduleKey"], row["activationSeq"], row["loopIteration"]) for row in rows]
    rounds = [(name, turn, turn) for turn in (1, 2, 3) for name in ("draft", "judge")]
    assert told == [*rounds, ("send", 1, None)]
    states = {
        one["moduleKey"]: (one["activationSeq"], one["activations"]) for one in run["lens"]["currentModuleStates"]
    }
    assert states == {"draft": (3, 3), "judge": (3, 3), "send": (1, 1)}
    assert run["costs"]["totalUsd"] == 0.6


async def test_a_gate_that_was_decided_is_nothing_to_wait_for(schema: ReadSchema, executor: Executor) -> None:
    decided = {**waiting()[-1], "event_id": "decided", "kind": "gate_decided", "status": "approved",
               "occurred_at": "2026-01-01T12:00:00.000Z"}  # fmt: skip
    decided = {name: one for name, one in decided.items() if name not in {"gate_kind", "question", "deadline_at"}}
    run = await view(schema, executor, [*waiting(), decided])
    said = "Its gate was approved; it has not been reported to go on."
    assert run["status"]["waitingReasons"] == [f"Approval: {said}"]
    assert run["status"]["currentWorkSummary"] == f"Approval is waiting. {said}"


async def test_a_gate_says_why_the_run_waits(schema: ReadSchema, executor: Executor) -> None:
    run = await view(schema, executor, waiting())
    assert run["status"]["currentModuleKeys"] == ["approve"]
    [reason] = run["status"]["waitingReasons"]
    assert reason == (
        "Approval: A partner reads it. Human review: May it go out? It was due by 2026-01-02T10:00:00.000Z."
    )
    assert run["status"]["recentCompletionSummary"] == "Reading completed."
    assert run["status"]["nextWorkSummary"] == "Approval will go on once it is decided."
    assert [one["code"] for one in run["anomalies"]["items"]] == ["gate_overdue"]
    [gate] = run["lens"]["humanGateStatus"]
    assert (gate["status"], gate["steps"]) == ("open", ["Approval"])
    wait = next(one for one in run["timeline"]["bars"] if one["kind"] == "wait")
    assert (wait["isOpen"], wait["endedAt"], wait["depth"]) == (True, None, 1)


@pytest.mark.slow
async def test_a_failure_shows_what_went_wrong_and_what_went_out(schema: ReadSchema, executor: Executor) -> None:
    run = await view(schema, executor, failed())
    codes = [one["code"] for one in run["anomalies"]["items"]]
    assert codes == [
        "delivered_by_failed_run",
        "step_failed",
        "delivered_by_failed_step",
        "operation_failed",
        "operation_retried",
        "orphan_span",
        "delivery_failed",
        "policy_blocked",
    ]
    assert run["header"]["delivered"] == ["Letter emailed to a@example.com"]
    assert run["header"]["lines"][-3:] == [
        "Failed: Writing took too long",
        "Final output: Letter",
        "Delivered: Letter emailed to a@example.com",
    ]
    left = run["deliverables"]
    assert ([one["name"] for one in left["finalOutputs"]], left["undeliveredOutputs"]) == (["Letter"], [])
    assert [one["status"] for one in left["failedDeliveries"]] == ["blocked_by_policy"]
    assert [(one["spanKey"], one["parentMissing"], one["depth"]) for one in run["trace"]["spans"]] == [
        ("c", False, 0),
        ("r", True, 0),
    ]
    assert missing(run["trace"]) == {"span_parents_not_reported"}
    assert run["lens"]["finalOutputRefs"] == ["ref://letter"]


async def test_a_run_with_everything_has_all_its_parts(schema: ReadSchema, executor: Executor) -> None:
    run = await view(schema, executor, whole_run())
    assert [one["name"] for one in run["deliverables"]["inputDocuments"]] == ["Supply agreement"]
    assert run["deliverables"]["inputDocuments"][0]["how"] == ["consumed", "received"]
    memo = next(one for one in run["deliverables"]["intermediateOutputs"] if one["name"] == "Damages memo")
    assert (memo["producedBy"], memo["usedBy"]) == ("memo", ["draft (#1)", "draft (#2)", "draft (#3)"])
    assert [(one["score"], one["evaluated"]) for one in run["quality"]["findings"]] == [(0.8, ["Complaint"])]
    [prompt] = run["prompts"]["prompts"]
    assert (prompt["redactedPromptSnapshotRef"], prompt["effectivePromptSnapshotRef"]) == ("ref://p", None)
    assert "validation.task_module_context_packet_required" in run["lens"]["anomalyCodes"]
    [control] = run["aftermath"]["controls"]
    assert (control["control"], control["available"], control["moduleKey"]) == (
        "continue_original_session",
        True,
        "draft",
    )
    assert run["memory"]["about"][0]["name"] == "Marex"
    assert run["memory"]["evidence"]["layers"] == ["run_truth", "memory"]
    [conflict] = [one for one in run["anomalies"]["items"] if one["code"] == "delivery_conflict"]
    assert "delivered stands; also delivered v@example.com" in conflict["message"]
    record = next(one for one in run["aftermath"]["replayRecords"] if one["checkpointRef"])
    assert (record["moduleKey"], record["activationSeq"], record["missing"]) == (
        "draft",
        3,
        ["graphSnapshotRef", "moduleConfigSnapshotRef", "inputBundleRef"],
    )


@pytest.mark.parametrize("mode", ["memory_incognito", "full_ephemeral_test"])
async def test_private_runs_say_what_is_not_kept(schema: ReadSchema, executor: Executor, mode: str) -> None:
    events = [one for one in whole_run(policy={**POLICY, "memory_mode": mode}) if one["kind"] != "artifact_promoted"]
    run = await view(schema, executor, events)
    assert missing(run["memory"]) >= {"memory_not_written"}
    assert missing(run["prompts"]) >= {"prompts_not_kept"}
    assert run["memory"]["about"] == run["lens"]["documentsReviewedSummary"] == []
    assert {layer for part in parts(run) for layer in part["evidence"]["layers"]} == {"run_truth"}
    if mode == "full_ephemeral_test":
        assert missing(run["steps"]) >= {"receipts_only"}
        assert run["steps"]["rows"] == []
    else:
        assert [one["promptHash"] for one in run["prompts"]["prompts"]] == ["h"]
        assert run["prompts"]["prompts"][0]["promptLayers"] == []


async def test_a_run_that_is_known_by_its_parts_says_so(schema: ReadSchema, executor: Executor) -> None:
    events = Story().tell("activation_completed", **step("b"), triggered_by=[step("a")]).events
    run = await view(schema, executor, events)
    assert all("run_not_reported" in missing(part) for part in parts(run))
    assert missing(run["steps"]) >= {"steps_not_reported"}
    assert labels(run) == [("a", 1), ("b", 1)]
    assert {one["code"] for one in run["anomalies"]["items"]} == {"named_not_reported", "completed_without_start"}
    assert run["header"]["lines"][-1] == "2 modules · 1 completed · 1 only named"
    assert run["status"]["nextWorkSummary"] == "What comes next has not been reported."
    assert missing(run["status"]) >= {"graph_not_reported"}


async def test_steps_are_searched_and_filtered(schema: ReadSchema, executor: Executor) -> None:
    run_id = await report(executor, whole_run())
    rows = "{ total found rows { place: displayOrder moduleKey __typename } }"
    query = (
        RUN
        % f"""{{
      word: steps(search: "two DOCUMENTS") {rows}
      made: steps(search: "complaint") {rows}
      bad: steps(status: [error, skipped]) {rows}
      kind: steps(kinds: ["agent"]) {rows}
      none: steps(search: "intake", status: [error]) {rows}
    }}"""
    )
    run = (await ask(schema, executor, query, id=run_id))["run"]
    found = {name: [row["moduleKey"] for row in part["rows"]] for name, part in run.items()}
    assert found == {"word": ["intake"], "made": ["draft"], "bad": ["extra", "never"], "kind": ["intake"], "none": []}
    assert (run["bad"]["total"], run["bad"]["found"]) == (10, 2)
    assert run["word"]["rows"] == [{"place": 1, "moduleKey": "intake", "__typename": "RunStep"}]


async def test_only_the_statements_that_are_needed_are_run(schema: ReadSchema, executor: Executor) -> None:
    run_id = await report(executor, whole_run())
    for selection, most in (("{ id }", 1), ("{ progress { knownSteps } }", 2), (everything(schema), 5)):
        counting = Counting(executor.database)
        await ask(schema, executor, RUN % selection, database=counting, id=run_id)
        assert len(counting.asked) == most
    told = await ask(schema, executor, RUN % "{ id record { status } again: header { title } }", id=run_id)
    assert told["run"] == {"id": run_id, "record": {"status": "completed"}, "again": {"title": "Draft complaint"}}


async def test_fragments_and_directives_shape_the_answer(schema: ReadSchema, executor: Executor) -> None:
    run_id = await report(executor, sequential())
    query = """query ($id: ID!, $with: Boolean!) { run(id: $id) { ...Parts steps { rows { moduleKey } } } }
      fragment Parts on RunView { steps { total ... on RunSteps { found @include(if: $with) } } }"""
    for wanted, keys in ((True, ["total", "found", "rows"]), (False, ["total", "rows"])):
        told = await ask(schema, executor, query, id=run_id, **{"with": wanted})
        assert list(told["run"]["steps"]) == keys


async def test_a_hidden_or_missing_run_is_null(schema: ReadSchema, executor: Executor) -> None:
    run_id = await report(executor, whole_run(policy={**POLICY, "data_class": "privileged"}))
    for one in (run_id, "run_missing", "nonsense"):
        told = await ask(schema, executor, RUN % everything(schema), id=one, clearance=DataClass.internal)
        assert told == {"run": None}


async def test_hidden_parts_are_in_no_row_count_or_cost(schema: ReadSchema, executor: Executor) -> None:
    events = whole_run()
    seen = await view(schema, executor, events)
    await executor.database.run_alone(
        "MERGE (:Audience {audience: 'hid', data_class: 'local_only', rank: 3, matter_ids: []}) "
        "WITH * MATCH (n:Record) WHERE n.name IN ['Complaint', 'p1', 's1', 'Supply agreement', 'Draft complaint'] "
        "OR (n:Activation OR n:Artifact) AND n.module_key = 'memo' SET n.audience = 'hid'"
    )
    query = RUN % everything(schema)
    run = (await ask(schema, executor, query, id=seen["id"], clearance=DataClass.internal))["run"]
    told = repr(run)
    for word in ("Supply agreement", "Damages", "'memo'", "ref://p"):
        assert word in repr(seen)
        assert word not in told
    assert (seen["header"]["stepCount"], run["header"]["stepCount"]) == (10, 9)
    assert (seen["costs"]["totalUsd"], run["costs"]["totalUsd"]) == (2.71, 2.51)
    assert run["header"]["finalOutputs"] == run["quality"]["findings"][0]["evaluatedIds"] == []
    assert (run["header"]["taskId"], run["prompts"]["prompts"]) == (None, [])
    assert [(one["spanKey"], one["depth"]) for one in run["trace"]["spans"]] == [("s2", 0)]
    assert run["deliverables"]["deliveries"][0]["artifactId"] is None


SINCE = """
MATCH (run:Run {id: $id})
CREATE (fork:Record:Fork {id: 'fork_1', name: 'f', created_at: $at, audience: run.audience, parent_run_id: $id,
  module_key: 'write', activation_seq: 1, rerun_scope: 'judge_only', side_effect_replay_policy: 'draft_only'})
CREATE (:Record:Fork {id: 'fork_2', name: 'f', created_at: $at, audience: 'hid', parent_run_id: $id})
CREATE (after:Record:FollowUp {id: 'fup_1', name: 'u', created_at: $at, audience: run.audience, source_run_id: $id,
  source_module_key: 'write', source_activation_seq: 1, mode: 'ask_task_agent_about_module', user_question: 'Why?'})
CREATE (child:Record:Run {id: 'run_child', name: 'c', status: 'running', audience: run.audience})
CREATE (hidden:Record:Run {id: 'run_hidden', name: 'h', status: 'running', audience: 'hid'})
CREATE (child)-[:CREATED_BY]->(fork), (hidden)-[:CREATED_BY]->(fork)
CREATE (child)-[:FORKED_FROM]->(run), (hidden)-[:FORKED_FROM]->(run)
"""


async def test_what_came_after_a_run_is_there_as_far_as_it_may_be_seen(schema: ReadSchema, executor: Executor) -> None:
    run_id = await report(executor, sequential())
    await executor.database.run_alone(SINCE, id=run_id, at="2026-01-02T10:00:00.000Z")
    since = (await ask(schema, executor, RUN % everything(schema), id=run_id))["run"]["aftermath"]
    [fork], [follow_up], [child] = since["forks"], since["followUps"], since["forkedRuns"]
    assert (fork["forkId"], fork["rerunScope"], fork["childRunIds"]) == ("fork_1", "judge_only", ["run_child"])
    assert (follow_up["moduleKey"], follow_up["userQuestion"]) == ("write", "Why?")
    assert child == {"runId": "run_child", "name": "c", "status": "running", "isParent": False}


async def test_a_step_that_led_back_is_told_beside_the_rows(schema: ReadSchema, executor: Executor) -> None:
    story = Story().tell("run_started", task_key="t", task_name="T")
    story.tell("activation_started", **step("draft"), triggered_by=[step("check")])
    story.tell("activation_started", **step("check"), triggered_by=[step("draft")])
    run = await view(schema, executor, story.events)
    codes = [one["code"] for one in run["anomalies"]["items"]]
    assert "warning.run_inspector_timeline_linearization_loss" in codes
