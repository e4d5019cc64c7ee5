"""The facts of a run: all of them, in few statements, and nothing that the viewer may not see."""

from dataclasses import fields
from typing import Any, LiteralString

import pytest

from graph_schema.model.fields import DataClass
from service.graph.database import Row
from service.memory.views import Part, RunFacts, load_run
from tests.memory.conftest import Executor
from tests.memory.stories import Story, step, whole_run
from tests.viewers import viewer_of


async def run_id_of(executor: Executor, events: list[dict[str, Any]]) -> str:
    answers = await executor.report(events)
    assert {one.outcome.value for one in answers} == {"accepted"}, [one.code for one in answers]
    assert answers[0].run_id
    return answers[0].run_id


async def loaded(executor: Executor, run_id: str, **viewer: Any) -> RunFacts | None:
    return await load_run(executor.database, await viewer_of(executor.database, **viewer), run_id)


async def test_a_whole_run_is_there_with_everything(executor: Executor) -> None:
    facts = await loaded(executor, await run_id_of(executor, whole_run()))
    assert facts
    counted = {
        one.name: len(getattr(facts, one.name)) for one in fields(facts) if isinstance(getattr(facts, one.name), tuple)
    }
    assert counted == {
        "about": 1,
        "feedback": 0,
        "assessments": 0,
        "signals": 0,
        "goals": 0,
        "documents": 1,
        "activations": 10,
        "gates": 1,
        "capabilities": 0,
        "spans": 2,
        "native_events": 1,
        "artifacts": 3,
        "consumed": 4,
        "deliveries": 1,
        "snapshots": 1,
        "packets": 0,
        "receipts": 0,
        "checkpoints": 1,
        "sessions": 1,
        "interventions": 1,
        "forks": 0,
        "follow_ups": 0,
        "forked_runs": 0,
        "fork_effects": 0,
    }
    intake = next(one for one in facts.activations if one.module_key == "intake")
    memo = next(one for one in facts.activations if one.module_key == "memo")
    assert intake.triggered == (memo.id,)
    assert intake.module_id
    assert {one.activation_id for one in facts.spans} == {intake.id}
    draft = next(one for one in facts.artifacts if one.name == "Complaint")
    assert facts.deliveries[0].artifact_id == draft.id
    assert facts.task
    assert (facts.task.name, facts.run.status, facts.cut) == ("Draft complaint", "completed", frozenset())


async def test_each_part_is_one_statement_and_a_list_that_is_cut_says_so(executor: Executor) -> None:
    run_id = await run_id_of(executor, whole_run())
    viewer = await viewer_of(executor.database)
    asked: list[str] = []

    class Counting:
        async def read_one(self, query: LiteralString, **parameters: Any) -> Row | None:
            asked.append(query)
            return await executor.database.read_one(query, **parameters)

    counting: Any = Counting()
    assert await load_run(counting, viewer, run_id)
    assert len(asked) == 5
    few = await load_run(counting, viewer, run_id, {Part.flow}, most=3)
    assert len(asked) == 7
    assert few
    assert (len(few.activations), few.cut, few.spans) == (3, {"activations"}, ())


@pytest.mark.slow
async def test_hidden_and_missing_runs_are_not_there(executor: Executor) -> None:
    events = (
        Story(policy={"memory_mode": "standard", "data_class": "privileged", "matter_ids": []})
        .tell("run_started")
        .events
    )
    run_id = await run_id_of(executor, events)
    assert await loaded(executor, run_id, clearance=DataClass.internal) is None
    assert await loaded(executor, "run_missing") is None
    assert await loaded(executor, "goal_missing") is None


async def test_what_is_hidden_of_a_run_is_in_no_fact(executor: Executor) -> None:
    run_id = await run_id_of(executor, whole_run())
    hidden = ["Complaint", "p1", "s1"]
    await executor.database.run_alone(
        "MERGE (:Audience {audience: 'hid', data_class: 'local_only', rank: 3, matter_ids: []}) "
        "WITH * MATCH (n:Record) WHERE n.name IN $hidden OR n.module_key = 'memo' SET n.audience = 'hid'",
        hidden=hidden,
    )
    facts = await loaded(executor, run_id, clearance=DataClass.internal)
    assert facts
    told = repr(facts)
    assert "Complaint" not in told
    assert "Damages memo" not in told
    assert not any("memo #1" in one.name for one in facts.activations)
    assert (facts.snapshots, len(facts.spans), facts.spans[0].parent_id) == ((), 1, None)
    assert facts.deliveries[0].artifact_id is None
    assert next(one for one in facts.activations if one.module_key == "intake").triggered == ()


async def test_a_stub_run_has_facts(executor: Executor) -> None:
    facts = await loaded(executor, await run_id_of(executor, Story().tell("activation_completed", **step("m")).events))
    assert facts
    assert (facts.run.stub, facts.run.status, len(facts.activations)) == (True, "running", 1)
