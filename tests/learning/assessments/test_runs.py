"""Assessments of runs on the real server: what rules find, what they suggest, and who may see it."""

import random
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_schema.knowledge.prompt_words import PromptFeedbackKind, PromptSurface
from graph_schema.learning.assessment_words import PortfolioScope
from graph_schema.model.fields import DataClass
from service.commands import RecordRef
from service.knowledge.prompts.inputs import PromptInput
from service.knowledge.prompts.keep import KeptPrompts
from service.learning.assessments.notes import AssessorNoteInput, AssessorNotes
from service.learning.assessments.portfolio import PortfolioAssessments, examine_portfolio
from service.learning.assessments.propose_action import ProposedActions
from service.learning.assessments.runs import RunAssessments
from service.learning.lane.learn import Lane
from service.learning.prompts.inputs import PromptFeedbackInput
from service.learning.prompts.telling import PromptTelling
from service.library.blueprints import BlueprintInput
from service.library.commands import Library
from service.library.graphs import GraphInput, ModuleInput
from tests.laws import law
from tests.learning.assessments.told import drafted, reported
from tests.learning.world import refused
from tests.memory.stories import Event, Story, step
from tests.routing.office import Office

pytestmark = pytest.mark.slow

FOUND = """
MATCH (:Record {id: $id})-[:FOUND]->(f:AssessmentFinding)
RETURN f.rule AS rule, f.tone AS tone, f.severity AS severity, f.statement AS said, f.better AS better,
  COLLECT { MATCH (f)-[:EVIDENCED_BY]->(n) RETURN n.name ORDER BY n.name } AS shown,
  COLLECT { MATCH (f)-[:SUGGESTS]->(p:Proposal) RETURN p.statement } AS suggested
ORDER BY f.position
"""


async def _shelf(office: Office) -> str:
    """The template that the run used, and what it may use."""
    template = await office.new("Template", name="Draft Complaint", source="exec", source_key="tpl-draft",
                                task_type="complaint_drafting")  # fmt: skip
    for key, name in (("cap-read", "Read pages"), ("cap-pacer", "PACER search")):
        made = await office.new("Capability", name=name, source="exec", source_key=key, capability_kind="tool")
        await office.link(template, "ALLOWS", made)
    return template


async def assessed(office: Office, run: str, **more: Any) -> dict[str, Any]:
    return (await office.services[RunAssessments].assess(await office.viewer(), run, **more)).result


async def findings(office: Office, assessment: str) -> dict[str, dict[str, Any]]:
    return {row["rule"]: dict(row) for row in await office.database.read(FOUND, id=assessment)}


async def test_a_run_is_assessed_with_what_shows_each_finding(office: Office) -> None:
    template = await _shelf(office)
    run = await reported(office, drafted())
    made = await assessed(office, run)
    found = await findings(office, made["id"])
    assert (
        found["not_handed_on 1"]["said"]
        == "Draft the complaint followed Analyse damages and was not given Damages memo."
    )
    assert found["not_handed_on 1"]["shown"] == ["Analyse damages", "Damages memo", "Draft the complaint"]
    assert found["capability_unused 2"]["said"] == "PACER search was mounted and not used."
    assert found["capability_unused 2"]["suggested"]
    assert "without the sources" in found["judged_without_sources 1"]["said"]
    assert found["final_output_not_saved 2"]["shown"] == ["Final complaint"]
    assert found["critique_taken_up 2"]["tone"] == "strength"
    assert found["useful_output_kept_with_run 1"]["better"] == "Make Damages memo findable with a summary by default."
    assert found["revised_without_a_review 2"]["better"] == "Add a human review after Revise."
    assert all(row["shown"] for row in found.values())
    kept = await office.stored(made["id"])
    assert kept["outcome_summary"].startswith("Completed. Final complaint made.")
    assert 0 < kept["quality_score"] < 1
    assert await office.heads(made["id"], "ASSESSES") >= {run, template}
    assert {"task.assessment.started", "task.assessment.completed"} <= await office.events(made["id"])
    again = await assessed(office, run)
    assert (again["id"], again["known"]) == (made["id"], True)


ACTIONS = """
MATCH (:Record {id: $id})-[:FOUND]->(f)-[:RECOMMENDS]->(a:AssessmentAction)
RETURN a.id AS id, f.id AS finding, f.rule AS rule, a.action_kind AS kind, a.statement AS said, a.patch AS patch,
  COLLECT { MATCH (a)-[:WOULD_CHANGE]->(n) RETURN n.id } AS targets,
  COLLECT { MATCH (a)-[:PROPOSED_AS]->(p) RETURN p.id } AS proposed
ORDER BY a.position
"""


async def test_each_action_waits_until_somebody_makes_it_a_proposal(office: Office) -> None:
    template = await _shelf(office)
    keys = ("analyse", "draft", "red-team", "revise")
    graph = GraphInput([ModuleInput(one, "step.agent_task") for one in keys], [])
    await office.services[Library].save_graph(await office.viewer(), RecordRef(id=template), graph)
    run = await reported(office, drafted())
    made = await assessed(office, run, proposing=False)
    rows = await office.database.read(ACTIONS, id=made["id"])
    said = {row["rule"].partition(" ")[0]: row for row in rows}
    assert said["revised_without_a_review"]["said"] == (
        "Draft Complaint: Change its graph: add review-revise (step.agent_review_gate); "
        "add the cable revise > review-revise.candidate_in."
    )
    kinds = {one: row["kind"] for one, row in said.items()}
    assert kinds == kinds | {
        "not_handed_on": "graph_diff", "capability_unused": "capability_binding_patch",
        "final_output_not_saved": "artifact_policy_patch",
    }  # fmt: skip
    assert all(row["targets"] == [template] and not row["proposed"] for row in rows)
    assert not await office.database.read("MATCH (p:Proposal) RETURN p.id AS id")
    actions, viewer = office.services[ProposedActions], await office.viewer()
    wanted = said["not_handed_on"]
    proposal = (await actions.propose(viewer, wanted["id"])).result["id"]
    kept = await office.stored(proposal)
    assert (kept["target_id"], kept["support_count"], kept["proposal_state"]) == (template, 1, "candidate")
    assert await office.heads(proposal, "SUPPORTED_BY") == {wanted["finding"]}
    assert (
        await office.heads(wanted["id"], "PROPOSED_AS")
        == {proposal}
        == await office.heads(wanted["finding"], "SUGGESTS")
    )
    assert (await refused(actions.propose(viewer, wanted["id"]))).code == "proposal_exists"
    stranger = await office.viewer(clearance=DataClass.public, matters=[])
    assert (await refused(actions.propose(stranger, wanted["id"]))).code == "not_found"


async def test_what_it_shows_of_the_design_becomes_signals_once(office: Office) -> None:
    await _shelf(office)
    run = await reported(office, drafted())
    await assessed(office, run)
    rows = await office.database.read("MATCH (s:Signal) RETURN s.signal_kind AS kind, s.run_id AS run ORDER BY kind")
    kinds = [row["kind"] for row in rows]
    assert {"capability_unused", "graph_pattern_success", "red_team_default_accepted"} <= {*kinds}
    assert {row["run"] for row in rows} == {run}


async def test_what_people_come_back_to_becomes_a_candidate_for_a_case_once(office: Office) -> None:
    template = await _shelf(office)
    run = await reported(office, drafted(workflow_summary="Drafts a complaint and has it attacked."))
    made = await assessed(office, run)
    [row] = await office.database.read("MATCH (c:Case) RETURN c.id AS id")
    case = await office.stored(row["id"])
    assert (case["lifecycle_state"], case["task_type"]) == ("candidate", "complaint_drafting")
    assert case["assessment_refs"] == [made["id"]]
    assert case["active_because"] == "intermediate_artifact_reused"
    lessons = await office.database.read(
        "MATCH (:Case)-[t:TEACHES]->(l:Lesson) RETURN l.design_choice AS choice, l.because AS because, "
        "l.actual_effect AS effect, t.anti AS anti, l.lifecycle_state AS state ORDER BY choice"
    )
    told = {row["choice"]: row for row in lessons}
    taken = told["Red-team report goes into Revise."]
    assert (taken["because"], taken["effect"], taken["anti"], taken["state"]) == (
        "It told 2 issues, and a critique is worth what comes of it.", "Revise worked from it.", False, "candidate",
    )  # fmt: skip
    assert await office.heads(row["id"], "DESIGNED_WITH") == {template}
    assert run in await office.heads(row["id"], "LEARNED_FROM")
    story = Story({"source": "exec", "key": "run-1"})
    opened = {**story.tell("artifact_opened", artifact_key="run-1-memo").events[0], "event_id": "opened again"}
    await reported(office, [opened])
    assert not (await assessed(office, run))["known"]
    assert len(await office.database.read("MATCH (c:Case) RETURN c.id AS id")) == 1


async def test_a_text_from_outside_is_attached_and_told_apart(office: Office) -> None:
    run = await reported(office, drafted())
    made = (await assessed(office, run))["id"]
    notes = office.services[AssessorNotes]
    note = AssessorNoteInput(assessor="reviewer", text="The counts are sound.", model_ref="critic-large")
    kept = await notes.attach(await office.viewer(), RecordRef(id=made), note)
    assert (await office.stored(kept.result["id"]))["text"] == "The counts are sound."
    assert await office.heads(kept.result["id"], "REMARKS_ON") == {made}
    empty = await refused(
        notes.attach(await office.viewer(), RecordRef(id=made), AssessorNoteInput(assessor="r", text=" "))
    )
    assert empty.field == "text"


async def test_what_cannot_be_assessed_says_why(office: Office) -> None:
    bare = await reported(office, drafted("bare")[:1])
    assert (await refused(assessed(office, bare))).code == "validation.task_assessment_input_trace_missing"
    private = await reported(office, drafted("private", {"memory_mode": "memory_incognito"}))
    assert (await refused(assessed(office, private))).code == "validation.incognito_blocks_requested_memory"
    matter = await office.matter()
    hidden = await reported(office, drafted("hidden", {"data_class": "privileged", "matter_ids": [matter]}))
    stranger = await office.viewer(clearance=DataClass.internal, matters=[])
    error = await refused(office.services[RunAssessments].assess(stranger, hidden))
    assert (error.code, error.field) == ("not_found", "run")
    seen = (await assessed(office, hidden))["id"]
    assert (await office.stored(seen))["data_class"] == "privileged"
    assert (await office.stored(seen))["matter_ids"] == [matter]


@given(st.randoms(use_true_random=False))
@law(2)
async def test_the_same_evidence_gives_the_same_findings_in_any_order(office: Office, random_: random.Random) -> None:
    key = f"run-{random_.random()}"
    first = await reported(office, drafted(key))
    before = [
        one.content() for one in (await office.services[RunAssessments].examined(await office.viewer(), first)).findings
    ]
    mixed = drafted(f"{key}-mixed")
    random_.shuffle(mixed)
    second = await reported(office, mixed)
    after = [
        one.content()
        for one in (await office.services[RunAssessments].examined(await office.viewer(), second)).findings
    ]
    assert [one[:5] for one in before] == [one[:5] for one in after]


def sent(*, first: str) -> list[Event]:
    """A letter that left, and an approval before it did or after."""
    story = Story({"source": "exec", "key": f"{first}-first"})
    story.tell("run_started", task_key="letters").tell("activation_started", **step("write"))
    story.tell("artifact_produced", artifact_key=f"{first}-letter", artifact_kind="document", **step("write"))
    opened = {"gate_key": "g", "gate_kind": "approval", "question": "May it go?"}

    def gate() -> None:
        story.tell("gate_opened", **opened, **step("write"))
        story.tell("gate_decided", gate_key="g", status="approved", decided_by="ada", **step("write"))

    def delivery() -> None:
        story.tell("delivery", idempotency_key=first, delivery_kind="email", status="delivered",
                   artifact_key=f"{first}-letter", **step("write"))  # fmt: skip

    for tell in (gate, delivery) if first == "gate" else (delivery, gate):
        tell()
    return story.tell("activation_completed", **step("write")).tell("run_completed").events


@pytest.mark.parametrize(("first", "found"), [("gate", False), ("delivery", True)])
async def test_an_approval_after_a_letter_has_left_is_none_of_it(office: Office, first: str, *, found: bool) -> None:
    made = await assessed(office, await reported(office, sent(first=first)))
    rules = {row.partition(" ")[0] for row in await findings(office, made["id"])}
    assert ("sent_without_a_gate" in rules) is found


async def test_a_capability_that_is_told_to_have_had_no_calls_was_not_used(office: Office) -> None:
    await _shelf(office)
    events = drafted("none")
    for one in events:
        if one["kind"] == "activation_completed" and "capabilities" in one:
            one["capabilities"] = [*one["capabilities"], {"key": "cap-pacer", "calls": 0, "errors": 0}]
    made = await assessed(office, await reported(office, events))
    assert "capability_unused 2" in await findings(office, made["id"])


async def test_runs_are_assessed_by_the_lane_where_a_blueprint_asks_for_it(office: Office) -> None:
    template = await _shelf(office)
    run = await reported(office, drafted())
    lane = office.services[Lane]
    assert (await lane.learn(await office.viewer())).assessed == 0
    plan = {"name": "Plan", "business_or_personal_goal": "File it", "task_type": "drafting", "assess_runs": True}
    asked = BlueprintInput(plan, of=RecordRef(id=template))
    await office.services[Library].save_blueprint(await office.viewer(), asked)
    turns = [await lane.learn(await office.viewer(), dry_run=dry) for dry in (True, False, False)]
    assert [one.assessed for one in turns] == [1, 1, 0]
    [row] = await office.database.read(
        "MATCH (:Run {id: $run})<-[:ASSESSES]-(a:Assessment) RETURN count(a) AS often", run=run
    )
    assert row["often"] == 1


async def test_prompts_are_assessed_with_the_run_and_none_of_their_words_are_kept(office: Office) -> None:
    template = await _shelf(office)
    run = await reported(office, drafted())
    first = await assessed(office, run)
    words = "Draft the Calder complaint, send it to the client and do not ask anybody."
    graph = GraphInput(
        [
            ModuleInput("analyse", "step.agent_task"),
            ModuleInput("draft", "step.agent_task", config=orjson.dumps({"instruction": words}).decode()),
            ModuleInput("never-ran", "step.agent_task", config=orjson.dumps({"instruction": words}).decode()),
        ],
        [],
    )
    await office.services[Library].save_graph(await office.viewer(), RecordRef(id=template), graph)
    prompts = office.services[KeptPrompts]
    given = PromptInput(
        name="Drafting", lives_in=RecordRef(id=template), surface=PromptSurface.task_template_prompt, text=words
    )
    prompt = (await prompts.record(await office.viewer(), given)).result["id"]
    told = PromptFeedbackInput(about=RecordRef(id=prompt), feedback=PromptFeedbackKind.downstream_parser_failed)
    await office.services[PromptTelling].feedback(await office.viewer(), told)
    made = await assessed(office, run)
    assert not made["known"], "a graph that is saved since gives changes that could not be suggested before"
    assert made["id"] != first["id"]
    found = await findings(office, made["id"])
    gaps = found["instruction_has_gaps 1"]
    assert gaps["said"].startswith("The instruction of Draft the complaint has gaps: unsafe side effect instruction")
    assert (gaps["tone"], gaps["severity"]) == ("problem", "major")
    assert found["result_not_read 1"]["said"] == "What stands behind Drafting could not read its result: 1 time."
    assert "Drafting" in found["result_not_read 1"]["shown"]
    assert found["not_handed_on 1"]["suggested"] == [
        "Draft Complaint: Change its graph: add the cable analyse > draft."
    ]
    rows = await office.database.read("MATCH (n:Assessment|AssessmentFinding|Signal) RETURN properties(n) AS told")
    assert not [row for row in rows if "Calder complaint" in str(row["told"])]
    about = await office.services[PortfolioAssessments].about(await office.viewer(), PortfolioScope.template_library)
    said = {one.found.statement for one in examine_portfolio(about).findings}
    assert "1 prompt gives what could not be read behind it: Drafting of Draft Complaint." in said


async def test_a_run_whose_final_output_was_judged_good_becomes_a_candidate_for_a_case(office: Office) -> None:
    await _shelf(office)
    events = drafted(workflow_summary="Draft a complaint.")
    story = Story(events[0]["run"], events[0]["policy"])
    story.tell("evaluation_evidence", artifact_key="run-1-good", evidence_kind="judge", name="Last verdict",
               evaluated_artifact_key="run-1-final", score=0.92, verdict="accept", **step("revise"))  # fmt: skip
    told = [{**one, "event_id": f"more-{number}"} for number, one in enumerate(story.events)]
    run = await reported(office, [*events[:-1], *told, events[-1]])
    made = await assessed(office, run)
    found = await findings(office, made["id"])
    assert found["judged_highly 2"]["said"] == "How Final complaint came about is worth a case: it was judged good."
    rows = await office.database.read("MATCH (c:Case) RETURN c.lifecycle_state AS state")
    assert [row["state"] for row in rows] == ["candidate"]
