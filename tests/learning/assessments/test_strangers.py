"""Stories of other trades, by somebody who knows what an assessment is for: a bakery chain and a customs office."""

from typing import Any

import pytest

from graph_schema.learning.assessment_words import FindingKind, PortfolioScope
from service.commands import RecordRef
from service.learning.assessments.portfolio import PortfolioAssessments
from service.learning.assessments.runs import RunAssessments
from service.learning.utility.goals import GoalUtility
from service.learning.utility.outputs import OutputUtility
from service.library.commands import Library
from service.library.graphs import CableInput, GraphInput, ModuleInput
from tests.learning.assessments.told import reported
from tests.memory.stories import POLICY, Event, Story, step
from tests.routing.office import Office

pytestmark = pytest.mark.slow
FOUND = """
MATCH (:Record {id: $id})-[:FOUND]->(f)
RETURN f.finding_kind AS kind, f.rule AS rule, f.tone AS tone, f.severity AS severity, f.statement AS said,
  f.better AS better, COUNT { (f)-[:EVIDENCED_BY]->() } AS shown,
  COLLECT { MATCH (f)-[:RECOMMENDS]->(a) RETURN a.statement } AS actions
ORDER BY f.position
"""


async def found(office: Office, run: str) -> list[dict[str, Any]]:
    made = await office.services[RunAssessments].assess(await office.viewer(), run)
    return [dict(row) for row in await office.database.read(FOUND, id=made.result["id"])]


def baked(day: int, cost: float, *, bad: bool = False) -> list[Event]:
    """A plan of tomorrow's baking. On the bad day it is worked out without the forecast, and sent as it is."""
    story = Story({"source": "bakery", "key": f"day-{day}"}, POLICY)
    key = f"day-{day}"
    story.tell("run_started", task_key="bake-plan", task_name="Plan tomorrow's baking", template_key="daily-bake",
               started_at=f"2026-01-{day:02d}T04:00:00Z")  # fmt: skip
    story.tell("activation_started", **step("forecast"), name="Forecast the demand", preset_key="forecaster")
    if bad:
        story.tell(
            "snapshot", snapshot_key="caps", snapshot_kind="capability", mounted_capabilities=["till", "weather"]
        )
        story.tell("span", span_key="r", span_kind="retry", status="success", **step("forecast"))
    sales = {"kind": "Entity", "source": "bakery", "key": "sales", "name": "Yesterday's sales"}
    story.tell("artifact_consumed", item=sales, **step("forecast"))
    story.tell("artifact_produced", artifact_key=f"{key}-forecast", artifact_kind="document", name="Demand forecast",
               output_class="intermediate_output", derived_from=[sales], **step("forecast"))  # fmt: skip
    story.tell("activation_completed", **step("forecast"), fallback_used=bad,
               capabilities=[{"key": "till", "calls": 2, "errors": 0}])  # fmt: skip
    story.tell("activation_started", **step("plan"), name="Write the bake plan", triggered_by=[step("forecast")])
    read = sales if bad else {"kind": "Artifact", "key": f"{key}-forecast"}
    story.tell("artifact_consumed", item=read, **step("plan"))
    story.tell("artifact_produced", artifact_key=f"{key}-plan", artifact_kind="document", name="Bake plan",
               output_class="final_output", output_archetype="bake_plan", **step("plan"))  # fmt: skip
    story.tell("activation_completed", **step("plan"))
    story.tell("activation_started", **step("allergens"), name="Check the allergens", triggered_by=[step("plan")])
    story.tell("artifact_consumed", item={"kind": "Artifact", "key": f"{key}-plan"}, **step("allergens"))
    if bad:
        story.tell("evaluation_evidence", artifact_key=f"{key}-check", evidence_kind="judge", name="Allergen check",
                   verdict="fail", key_points=["The nut loaf carries no label"],
                   evaluated_artifact_key=f"{key}-plan", **step("allergens"))  # fmt: skip
        story.tell("delivery", idempotency_key="mail", delivery_kind="email", status="delivered",
                   artifact_key=f"{key}-plan", name="Plan for fourteen shops", **step("plan"))  # fmt: skip
        story.tell("gate_opened", gate_key="g", gate_kind="approval", question="Bake it?", **step("allergens"))
        story.tell("gate_decided", gate_key="g", status="rejected", decided_by="head baker",
                   decision_note="Label it first.", **step("allergens"))  # fmt: skip
    story.tell("activation_completed", **step("allergens"))
    story.tell("artifact_opened", artifact_key=f"{key}-plan")
    return story.tell("run_completed", total_cost_usd=cost, completed_at=f"2026-01-{day:02d}T04:30:00Z").events


async def test_a_bad_day_of_a_bakery_is_found_in_every_kind_and_each_has_what_would_be_better(office: Office) -> None:
    template = await office.new("Template", name="Daily bake plan", source="bakery", source_key="daily-bake",
                                task_type="production_planning")  # fmt: skip
    await office.new("Preset", name="Demand forecaster", source="bakery", source_key="forecaster", module_type="agent")
    for key, name in (("till", "Till"), ("weather", "Weather service")):
        tool = await office.new("Capability", name=name, source="bakery", source_key=key, capability_kind="tool")
        await office.link(template, "ALLOWS", tool)
    instruction = '{"instruction": "Write a good plan and send it to all shops without asking."}'
    modules = [ModuleInput("forecast", "step.agent_task"), ModuleInput("plan", "step.agent_task", config=instruction)]
    graph = GraphInput([*modules, ModuleInput("allergens", "step.judge")], [CableInput("plan", "allergens")])
    await office.services[Library].save_graph(await office.viewer(), RecordRef(id=template), graph)
    for day in (1, 2, 3):
        await reported(office, baked(day, 1.0))
    run = await reported(office, baked(4, 9.0, bad=True))
    rows = await found(office, run)
    said = {row["rule"].partition(" ")[0]: row for row in rows}
    assert {row["kind"] for row in rows} == {one.value for one in FindingKind}
    assert all(row["shown"] for row in rows)
    assert all(row["better"] for row in rows if row["tone"] == "problem")
    assert said["not_handed_on"]["said"] == (
        "Write the bake plan followed Forecast the demand and was not given Demand forecast."
    )
    assert said["capability_unused"]["said"] == "Weather service was mounted and not used."
    assert "The nut loaf carries no label" in said["found_in_the_result"]["said"]
    assert (said["judged_badly"]["severity"], said["dearer_than_usual"]["severity"]) == ("major", "minor")
    assert "$9" in said["dearer_than_usual"]["said"]
    assert said["preset_failed"]["actions"] == [
        "Demand forecaster: Add “It failed or had to fall back in production planning.” to known limitations."
    ]
    assert "Label it first." in said["gate_refused"]["said"]
    assert said["template_did_well"]["said"].startswith(
        "It followed Daily bake plan, and was completed, as were 3 of 3"
    )
    assert any("Change its graph: add the cable forecast > plan." in one for one in said["not_handed_on"]["actions"])
    quiet = {row["rule"].partition(" ")[0] for row in await found(office, await reported(office, baked(5, 1.0)))}
    wrong = {
        "not_handed_on",
        "capability_unused",
        "judged_badly",
        "preset_failed",
        "gate_refused",
        "sent_without_a_gate",
    }
    assert not quiet & wrong
    outputs = await office.services[OutputUtility].of(await office.viewer())
    [one] = outputs.items
    assert (one.task_type, one.archetype, one.made, one.taken_up, one.is_default) == (
        "production_planning", "bake_plan", 5, 5, True,
    )  # fmt: skip
    assert one.statement == (
        "5 of 5 completed runs of production planning made bake plan; in 5 somebody came back to it."
    )


def declared(number: int, *, failed: bool) -> list[Event]:
    """Goods are classified for customs, in time or not at all."""
    story = Story({"source": "customs", "key": f"lot-{number}"}, POLICY)
    goal = {"kind": "Goal", "source": "customs", "key": "in-time", "name": "Declare in time"}
    story.tell("run_started", task_key="classify", task_name="Classify goods", template_key="hs-codes", goals=[goal],
               started_at=f"2026-01-{number:02d}T04:00:00Z")  # fmt: skip
    story.tell("activation_started", **step("classify"), name="Find the codes")
    if failed:
        story.tell("activation_failed", **step("classify"), error_code="tariff_offline")
        return story.tell("run_failed", failure_code="tariff_offline", failure_summary="The tariff was offline").events
    story.tell("activation_completed", **step("classify"))
    return story.tell("run_completed", advanced_goals=[{"key": "in-time", "effect": "advanced"}]).events


async def test_a_customs_office_that_keeps_failing_is_told_of_its_template_and_of_its_goal(office: Office) -> None:
    template = await office.new("Template", name="Tariff codes", source="customs", source_key="hs-codes",
                                task_type="classification")  # fmt: skip
    runs = [await reported(office, declared(number, failed=number != 1)) for number in range(1, 6)]
    last = {row["rule"].partition(" ")[0]: row for row in await found(office, runs[-1])}
    assert (last["run_failed"]["severity"], last["run_failed"]["tone"]) == ("critical", "problem")
    assert "The tariff was offline" in last["run_failed"]["said"]
    assert last["template_keeps_failing"]["said"] == "Of 4 runs of the task before this one 3 failed, too."
    assert last["template_keeps_failing"]["actions"] == [
        "Tariff codes: Add “Its runs fail more often than not in classification.” to known limitations."
    ]
    for run in runs[:-1]:
        await found(office, run)
    row = await office.database.read_one("MATCH (g:Goal {source_key: 'in-time'}) RETURN g.id AS id")
    assert row
    learned = await office.services[GoalUtility].of(await office.viewer(), row["id"])
    [one] = learned.records
    assert (one.template_id, one.task_type, one.advanced, one.not_advanced) == (template, "classification", 1, 4)
    assert one.observed_effect == "did_not_advance_goal"
    portfolio = await office.services[PortfolioAssessments].assess(await office.viewer(), PortfolioScope.all_tasks)
    told = await office.database.read(
        "MATCH (:Record {id: $id})-[:FOUND]->(f {portfolio_issue: 'goal'}) RETURN f.statement AS said",
        id=portfolio.result["id"],
    )
    assert [each["said"] for each in told] == ["Declare in time: of 5 runs of Classify goods 1 advanced it."]
    assert await office.heads(portfolio.result["id"], "EVALUATED_GOAL") == {row["id"]}
    assert one.evidence_summary == "Of 5 runs 1 advanced it, 0 in part, 4 did not; of 0 nobody said."
