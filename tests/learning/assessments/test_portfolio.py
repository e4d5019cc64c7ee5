"""Portfolios and reviews of tasks on the real server: what is found across tasks, and for whom."""

from typing import Any

import pytest

from graph_schema.learning.assessment_words import PortfolioScope
from graph_schema.model.fields import DataClass
from service.learning.assessments.portfolio import PortfolioAssessments, examine_portfolio
from service.learning.assessments.tasks import TaskAssessments
from tests.learning.assessments.told import drafted, reported
from tests.learning.world import refused
from tests.memory.stories import POLICY, Event, Story, step
from tests.routing.office import Office

pytestmark = pytest.mark.slow


def ran(task: str, number: int, *, ended: str = "run_completed", policy: dict[str, Any] | None = None) -> list[Event]:
    """A small run of a task, long ago."""
    story = Story({"source": "exec", "key": f"{task}-{number}"}, {**POLICY, **(policy or {})})
    story.tell("run_started", task_key=task, task_name=task)
    story.tell("activation_completed", **step("work"))
    story.tell("artifact_produced", artifact_key=f"{task}-{number}-out", artifact_kind="document",
               name=f"{task} result", output_class="final_output", **step("work"))  # fmt: skip
    return story.tell(ended, **({"failure_code": "broke"} if ended == "run_failed" else {})).events


async def task(office: Office, key: str, **values: Any) -> str:
    return await office.new("Task", name=key, source="exec", source_key=key, **values)


async def said(office: Office, scope: PortfolioScope = PortfolioScope.all_tasks, **viewer: Any) -> list[str]:
    about = await office.services[PortfolioAssessments].about(await office.viewer(**viewer), scope)
    return [one.found.statement for one in examine_portfolio(about).findings]


async def test_a_portfolio_says_what_fails_is_doubled_unused_and_worth_more(office: Office) -> None:
    for key, ends in {
        "triage": ("run_failed", "run_failed", "run_completed"),
        "minutes": ("run_completed",) * 3,
    }.items():
        await task(office, key, task_type="review")
        for number, ended in enumerate(ends):
            await reported(office, ran(key, number, ended=ended))
    await task(office, "Minutes", task_type="review", data_class="internal")
    made = await office.services[PortfolioAssessments].assess(await office.viewer(), PortfolioScope.all_tasks)
    rows = await office.database.read(
        "MATCH (:Record {id: $id})-[:FOUND]->(f) RETURN f.statement AS said, f.portfolio_issue AS issue, "
        "COUNT { (f)-[:EVIDENCED_BY]->() } AS shown",
        id=made.result["id"],
    )
    told = {row["said"]: row["issue"] for row in rows}
    assert all(row["shown"] for row in rows)
    assert told["triage failed in 2 of its last 3 runs."] == "failing"
    assert told["2 tasks have one name and type of work: Minutes and minutes."] == "duplicate"
    assert told["2 tasks run without a blueprint: minutes and triage."] == "missing_blueprint"
    assert told["minutes was completed in each of its last 3 runs."] == "high_value_candidate"
    assert {"duplicate", "artifact_policy", "evaluation_coverage"} <= {*told.values()}
    rows = await office.database.read(
        "MATCH (:Record {id: $id})-[:FOUND]->()-[:RECOMMENDS]->(a) RETURN a.statement AS said", id=made.result["id"]
    )
    actions = {row["said"] for row in rows}
    assert {
        "minutes: Set reusable to “true”, which was “false”.",
        "Minutes: Make it archived, which was active.",
    } <= actions
    kept = await office.stored(made.result["id"])
    assert (kept["looked_at"], kept["task_scope"]) == (3, "all_tasks")
    again = await office.services[PortfolioAssessments].assess(await office.viewer(), PortfolioScope.all_tasks)
    assert (again.result["id"], again.result["known"]) == (made.result["id"], True)
    failed = await said(office, PortfolioScope.recent_failed_runs)
    assert not any("minutes" in one for one in failed)


async def test_a_matters_runs_change_nothing_for_those_outside_of_it(office: Office) -> None:
    matter = await office.matter()
    await task(office, "triage")
    for number in range(3):
        await reported(office, ran("triage", number))
    outside: dict[str, Any] = {"principal_id": "prin_out", "clearance": DataClass.internal, "matters": []}
    before = await said(office, **outside)
    for number in range(3, 9):
        await reported(office, ran("triage", number, ended="run_failed", policy={"matter_ids": [matter]}))
    assert await said(office, **outside) == before
    assert any("failed in" in one for one in await said(office))


async def test_a_task_is_reviewed_without_a_run(office: Office) -> None:
    bare = await task(office, "bare")
    made = await office.services[TaskAssessments].assess(await office.viewer(), bare)
    kept = await office.stored(made.result["id"])
    assert kept["outcome_summary"].startswith("It has neither a graph nor a blueprint")
    run = await reported(office, drafted())
    row = await office.database.read_one("MATCH (:Record {id: $id})-[:RUN_OF]->(t) RETURN t.id AS id", id=run)
    assert row
    seen = await office.services[TaskAssessments].assess(await office.viewer(), row["id"])
    assert await office.heads(seen.result["id"], "ASSESSES") == {row["id"]}


async def test_of_private_runs_nothing_is_learned(office: Office) -> None:
    private = {"memory_mode": "memory_incognito"}
    reviewed = await task(office, "whispers", task_type="review")
    for number in range(3):
        await reported(office, ran("whispers", number, policy=private))
    made = await office.services[TaskAssessments].assess(await office.viewer(), reviewed)
    rows = await office.database.read(
        "MATCH (:Record {id: $id})-[:FOUND]->()-[:EVIDENCED_BY]->(n) "
        "WHERE n:Run OR n.run_id IS NOT NULL RETURN n.id AS id",
        id=made.result["id"],
    )
    assert rows == []
    assert not [one for one in await said(office) if "whispers" in one and "runs" in one]


async def test_what_a_portfolio_cannot_look_at_is_refused(office: Office) -> None:
    portfolio = office.services[PortfolioAssessments]
    viewer = await office.viewer()
    assert (await refused(portfolio.assess(viewer, PortfolioScope.all_tasks))).code == "portfolio_empty"
    assert (await refused(portfolio.assess(viewer, PortfolioScope.selected_tasks))).code == "selection_missing"
    matter = await office.matter()
    hidden = await task(office, "hidden", matter_ids=[matter])
    stranger = await office.viewer(clearance=DataClass.internal, matters=[])
    error = await refused(portfolio.assess(stranger, PortfolioScope.selected_tasks, [hidden]))
    assert (error.code, error.field) == ("not_found", "tasks")
    assert (await refused(office.services[TaskAssessments].assess(stranger, hidden))).code == "not_found"


async def test_to_be_looked_at_closes_nothing(office: Office) -> None:
    """What is only named so far is as open as the runs that name it, also when all tasks are assessed by somebody who
    sees a matter that the portfolio is of, too."""
    for key in ("open", "closed"):
        for number in range(3):
            policy = {"matter_ids": [await office.matter("Ward")]} if (key, number) == ("closed", 0) else {}
            await reported(office, ran(key, number, policy=policy))
    state = "MATCH (t:Task {source_key: 'open'}) RETURN t {.data_class, .matter_ids, .audience} AS task"
    before = await office.database.read(state)
    assert before[0]["task"]["matter_ids"] == []
    await office.services[PortfolioAssessments].assess(await office.viewer(), PortfolioScope.all_tasks)
    ties = "MATCH (:Task {source_key: 'open'})<-[r:WOULD_CHANGE|ASSESSES]-() RETURN count(r) AS ties"
    assert (await office.database.read(ties))[0]["ties"]
    assert await office.database.read(state) == before
