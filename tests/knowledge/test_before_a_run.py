"""A court, through the API alone: what a preflight says that modules would be given is what they are given, and what it
finds is mended by the proposals that it makes."""

from typing import Any

import pytest

from service.knowledge.catalogue.commands import Catalogues
from service.knowledge.catalogue.reading import sample_catalogue
from tests.context.stories.conftest import embedder, house, indexed, queue, schema
from tests.context.stories.house import House
from tests.memory.stories import Story, step
from tests.viewers import viewer_of

__all__ = ["embedder", "house", "indexed", "queue", "schema"]
pytestmark = pytest.mark.slow
PREVIEW = """query ($t: RecordRefInput!) { preflight(of: $t) { status text
  contextPreview { moduleKey tokens maxTokens binding injected { word count } excluded { word count }
    items { name layer } keptOut { name reason } }
  blockingIssues { code moduleKey unfixedBecause fix { title notProposableBecause } }
  warnings { code moduleKey unfixedBecause fix { title notProposableBecause } } } }"""
KEEP = "mutation ($t: RecordRefInput!) { recordPreflight(of: $t) { recordId } }"
COMPARE = """query ($p: RecordRefInput!) { comparePreflight(preflight: $p) { outcome mended added
  changes { section of what then now } now { status } } }"""
FIX = "mutation ($p: RecordRefInput!, $f: String!) { proposeFix(preflight: $p, fix: $f) { recordId } }"
DRAW = "mutation ($t: RecordRefInput!, $g: TaskGraphInput!) { saveGraph(of: $t, graph: $g) { graphHash } }"
EXPLAIN = "mutation ($i: BlueprintInput!, $t: RecordRefInput!) { saveBlueprint(input: $i, of: $t) { recordId } }"
NOTICE: dict[str, Any] = {
    "modules": [
        {"moduleKey": "filing", "moduleType": "trigger.webhook"},
        {"moduleKey": "write", "moduleType": "step.agent_task", "purpose": "Writes the notice of filing."},
        {"moduleKey": "serve", "moduleType": "output.email"},
    ],
    "cables": [
        {"tail": "filing", "head": "write", "fromPort": "payload", "toPort": "data_inn"},
        {"tail": "write", "head": "serve", "fromPort": "data_out", "toPort": "content"},
    ],
}
PLAN: dict[str, Any] = {
    "name": "Notice of filing",
    "businessOrPersonalGoal": "Everybody concerned knows of the filing.",
    "taskType": "notice",
    "contracts": [{"side": "output", "name": "notice", "kind": "letter"}],
    "steps": [
        {"stepKey": "write", "purpose": "Write the notice.", "boundModules": ["filing", "write"]},
        {"stepKey": "serve", "purpose": "Serve it.", "boundModules": ["serve"]},
    ],
}
REPLAY = "mutation ($p: ID!) { replayProposal(proposalId: $p) { recordId } }"
APPROVE = "mutation ($i: ReviewInput!) { reviewProposal(input: $i) { recordId } }"
APPLY = "mutation ($p: ID!) { applyProposal(proposalId: $p) { recordId } }"


async def _court(house: House) -> str:
    await house.services[Catalogues].save(await viewer_of(house.database), sample_catalogue())
    await house.entities("matter", "Hale v. Orr", "Another case")
    await house.entities("document", "Rules of service", "Cafeteria menu")
    await house.entities("document", "Sealed order", data_class="privileged")
    task = await house.save("Task", "Notice of filing", source="exec", source_key="notice", task_type="notice")
    await house.links("SCOPED_TO", "Rules of service", "Notice of filing")
    await house.save("Restriction", "No minors", statement="Never name a minor.", **{"global": True})
    await house.save("Restriction", "Of the other case", statement="Say nothing.", **house.of("Another case"))
    await house.save("Preference", "Plain notices", statement="Say it plainly.", task_types=["notice"])
    await house.save("Preference", "Long opinions", statement="Say it at length.", task_types=["opinion"])
    await house.save("Memory", "The lift is broken", statement="Use the stairs in the west wing.")
    await house.save("Capability", "PACER", capability_kind="tool", summary="Court dockets.")
    await house.save("Capability", "Fax", capability_kind="connector", summary="Sends faxes.")
    policy = {"policy_kind": "capability", "task_key": "notice", "valid_from": "2020-01-01T00:00:00.000Z"}
    await house.save("Policy", "Tools of the registry", **policy)
    await house.link("Tools of the registry", "ALLOWS", "PACER")
    await house.link("Tools of the registry", "DENIES", "Fax")
    await house.ask(DRAW, t={"id": task}, g=NOTICE)
    await house.ask(EXPLAIN, i=PLAN, t={"id": task})
    story = Story({"source": "exec", "key": "notice-0"}).tell("run_started", task_key="notice", name="May")
    await house.report(story.tell("run_completed").events)
    return task


def _found(report: Any) -> dict[str, str]:
    return {one["code"]: one["moduleKey"] for one in (*report["blockingIssues"], *report["warnings"])}


async def test_what_a_module_would_be_given_is_what_it_is_given(house: House) -> None:
    task = await _court(house)
    await house.embed()
    report = (await house.ask(PREVIEW, t={"id": task}))["preflight"]
    would = {one["moduleKey"]: one for one in report["contextPreview"]}
    assert {*would} == {"write", "serve"}
    story = Story({"source": "exec", "key": "notice-1"})
    story.tell("run_started", task_key="notice", task_name="Notice of filing", trigger_kind="webhook")
    story.tell("activation_started", **step("write"), module_type="step.agent_task")
    story.tell("activation_started", **step("serve"), module_type="output.email")
    run = await house.report([{**one, "occurred_at": one["occurred_at"].replace("T10", "T23")} for one in story.events])
    await house.open(run, trigger={"kind": "webhook", "correlation_key": "f-1", "payload_summary": ""})
    for key, one in would.items():
        packet = await house.packet(run, key)
        came = f"webhook trigger of {run}"
        given = {each["name"] for each in packet["items"] if "trigger" not in each["layer"]} - {came}
        kept = {each["name"]: each["code"] for each in packet["excludedCandidates"]}
        assert {each["name"] for each in one["items"]} == given, key
        assert {each["name"]: each["reason"] for each in one["keptOut"]} == kept, key
        assert sum(each["count"] for each in one["injected"]) == len(one["items"])
    assert {"No minors", "Plain notices", "Rules of service", "PACER"} <= {
        each["name"] for each in would["write"]["items"]
    }
    assert {each["name"]: each["reason"] for each in would["write"]["keptOut"]}["Fax"] == "module_config_denied"
    assert "Sealed order" not in report["text"]


async def test_what_is_found_is_mended_by_what_it_proposes(house: House) -> None:
    task = await _court(house)
    report = (await house.ask(PREVIEW, t={"id": task}))["preflight"]
    assert _found(report) == {
        "validation.graph_port_unknown": "write",
        "validation.blueprint_side_effect_undeclared": "serve",
        "warning.human_gate_recommended_before_side_effect": "serve",
        "warning.blueprint_goal_unlinked": None,
    }
    issues = [*report["blockingIssues"], *report["warnings"]]
    assert all(one["fix"] or one["unfixedBecause"] for one in issues)
    by_code = {one["code"]: one["fix"] for one in issues}
    assert by_code["warning.blueprint_goal_unlinked"]["notProposableBecause"]
    renamed = by_code["validation.graph_port_unknown"]
    assert renamed == {"title": "Take write.data_in for write.data_inn", "notProposableBecause": None}
    kept = {"id": (await house.ask(KEEP, t={"id": task}))["recordPreflight"]["recordId"]}
    gate = "warning.human_gate_recommended_before_side_effect"
    assert by_code["validation.blueprint_side_effect_undeclared"]["title"].endswith("with a review before it")
    for code in ("validation.graph_port_unknown", gate, "validation.blueprint_side_effect_undeclared"):
        made = (await house.ask(FIX, p=kept, f=by_code[code]["title"]))["proposeFix"]["recordId"]
        await house.ask(REPLAY, p=made)
        clerk = await viewer_of(house.database, principal_id="prin_clerk")
        await house.ask(APPROVE, clerk, i={"proposalId": made, "decision": "approve"})
        await house.ask(APPLY, clerk, p=made)
    after = (await house.ask(COMPARE, p=kept))["comparePreflight"]
    assert after["added"] == []
    assert after["mended"] == [
        "validation.blueprint_side_effect_undeclared (serve)",
        "validation.graph_port_unknown (write)",
        f"{gate} (serve)",
    ]
    assert after["now"]["status"] == "warning"
    said = {(one["section"], one["of"], one["what"]): (one["then"], one["now"]) for one in after["changes"]}
    assert said["static_validation", None, "valid"] == ("False", "True")
    assert said["policy_and_side_effects", "serve external_send", "declared"] == ("False", "True")
