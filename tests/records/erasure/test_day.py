"""After a day of normal use the doctor has nothing to say."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_schema.memory.words import IntakeLevel, RetentionClass
from graph_schema.registry import REGISTRY
from service.commands import RecordRef
from service.doctor import examine
from service.memory.continuation import Continuation, ForkInput, StepName
from service.memory.extraction.commands import Extractions
from service.memory.retention import Ages, retain
from tests.laws import law
from tests.memory.conftest import Executor
from tests.memory.desk import desk_of
from tests.memory.stories import POLICY, Event, whole_run
from tests.records.erasure.conftest import Officer
from tests.viewers import viewer_of

LATER = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=400)
AGES = Ages(dict.fromkeys(RetentionClass, 30))
EMPTY = "MATCH (n) WHERE NOT n:Migration AND NOT n:TaskloreTestGraph DETACH DELETE n"


@pytest.mark.slow
@law(2, derandomize=True)
@given(order=st.permutations(range(4)), turn=st.randoms(use_true_random=False))
async def test_the_doctor_is_silent_after_a_day(
    officer: Officer, executor: Executor, order: list[int], turn: Any
) -> None:
    await officer.database.run_alone(EMPTY)
    await _library(officer)
    matter = await officer.save("Entity", name="Matter", kind="matter")
    stories = [_story(place, matter) for place in range(4)]
    for events in stories:
        turn.shuffle(events)
    for place in order:
        half = len(stories[place]) // 2
        await executor.report(stories[place][:half])
        await _in_between(officer, executor)
        await executor.report(stories[place][half:])
    await _take_up(officer, executor)
    await _findings(officer, "after the work")
    await retain(officer.database, AGES, now=LATER)
    await _findings(officer, "after retention")
    await officer.erase((await executor.one("Run", source_key="r3"))["id"])
    await officer.erase(matter)
    await _findings(officer, "after erasure")


async def _findings(officer: Officer, when: str) -> None:
    found = [f"{one.check} {one.subject} {one.samples}" for one in await examine(officer.database, REGISTRY)]
    assert found == [], when


def _story(place: int, matter: str) -> list[Event]:
    kept = {0: "standard", 1: "ephemeral", 2: "high_value", 3: "legal_work_product"}[place]
    policy = {**POLICY, "retention_class": kept, "matter_ids": [matter] if place == 2 else []}
    return whole_run({"source": "exec", "key": f"r{place}"}, policy)


async def _library(officer: Officer) -> None:
    goal = await officer.save("Goal", name="G", goal_type="risk_control_goal", goal_statement="S")
    await officer.save("Goal", record_id=goal, goal_statement="T", data_class="privileged")
    await officer.save("Goal", record_id=goal, data_class="internal")
    one, other = [await officer.save("Entity", name=name, kind="person") for name in ("A", "B")]
    await officer.link(goal, "CONCERNS", one)
    await officer.link(goal, "CONCERNS", one, remove=True)
    await officer.records.merge(await viewer_of(officer.database), RecordRef(id=one), RecordRef(id=other), "same")
    pattern = await officer.save("Preference", name="P", statement="Short.")
    await officer.erase(pattern)


async def _in_between(officer: Officer, executor: Executor) -> None:
    """People change what is being reported: holds and promotions between two reports."""
    rows = await officer.database.read(
        "MATCH (a:Artifact) WHERE a.stub = false RETURN a.id AS id ORDER BY a.source_key"
    )
    for row in rows[:2]:
        await officer.hold(row["id"])
        await officer.hold(row["id"], hold=False)


async def _take_up(officer: Officer, executor: Executor) -> None:
    run = (await executor.one("Run", source_key="r0"))["id"]
    step = StepName(RecordRef(id=run), "memo", 1)
    asked = {"rerun_scope": "selected_module_only", "side_effect_replay_policy": "draft_only"}
    viewer = await viewer_of(officer.database)
    fork = (await Continuation(officer.commands).request_fork(viewer, ForkInput(step, asked))).result["id"]
    child = whole_run({"source": "exec", "key": "child"})
    child[0] = {**child[0], "fork": {"id": fork}}
    await executor.report(child)
    draft = (await executor.one("Artifact", source_key="r0-memo"))["id"]
    await desk_of(officer.database).promote(draft, IntakeLevel.doc25_work_product_ingestion, work_product_name="Memo")
    late = {"event_id": "late", "kind": "artifact_opened", "occurred_at": "2026-01-02T00:00:00.000Z"}
    await executor.report([{**late, "run": {"id": run}, "artifact_key": "r0-memo"}])
    lane = Extractions(officer.commands)
    [waiting] = await officer.database.read("MATCH (x:Extraction {state: 'queued'}) RETURN x.id AS id LIMIT 1")
    await lane.take(await viewer_of(officer.database), waiting["id"])
    await officer.export(run)
