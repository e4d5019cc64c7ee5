"""A fix of a preflight becomes a proposal; what an agent is held to changes after it was tried."""

import pytest

from graph_schema.learning.proposal_words import Operation, ProposalKind
from service.access.viewer import PrincipalKind
from service.commands import RecordRef
from service.knowledge.evaluation.commands import Evaluations
from service.knowledge.preflight.load import PreflightRequest, Subject
from service.knowledge.preflight.read import Preflights
from service.learning.edits.compare import GraphDifferences
from service.learning.errors import EvaluationNotPassed, FixNotProposable, FixUnknown, RegressionsOpen, StepInvalid
from service.learning.proposals.commands import Proposals
from service.learning.proposals.fixes import ProposedFixes
from service.learning.proposals.inputs import ProposalInput, ProposalStep, ReviewDecision, ReviewInput
from service.learning.replay.commands import Replays
from tests.knowledge.answers import answers
from tests.knowledge.desk import Desk, graph
from tests.knowledge.test_preflight import GATED, MAILED

pytestmark = pytest.mark.slow
GATE = "Add human review before send"


async def test_a_fix_of_a_preflight_is_proposed_replayed_applied_and_taken_back(desk: Desk) -> None:
    task = await desk.new("Task", source="here", source_key="t9")
    before = await desk.draw(task, MAILED)
    agent = await desk.viewer(principal_id="prin_agent", kind=PrincipalKind.agent)
    kept = await desk.keep(task, agent)
    fixes, proposals = desk.services[ProposedFixes], desk.services[Proposals]
    with pytest.raises(FixUnknown) as unknown:
        await fixes.propose(agent, kept, "Mend it")
    assert (unknown.value.code, unknown.value.field) == ("fix_unknown", "fix")
    made = (await fixes.propose(await desk.agent(), kept, GATE)).result["id"]
    [row] = await desk.database.read("MATCH (p:Proposal {id: $id}) RETURN p {.*} AS proposal", id=made)
    told = row["proposal"]
    assert (told["risk"], told["update_kind"], told["origin"]) == ("high", "graph_change", "agent")
    assert "Change its graph: " in told["statement"]
    viewer = await desk.viewer()
    replay = (await desk.services[Replays].replay(viewer, made)).result["id"]
    [row] = await desk.database.read(
        "MATCH (:Replay {id: $id})-[:HAS_CASE]->(c:ReplayCase {decided_id: $kept}) RETURN c {.*} AS case",
        id=replay,
        kept=kept,
    )
    case, asked = row["case"], "warning.human_gate_recommended_before_side_effect (send)"
    assert (case["case_kind"], case["result"], case["drift"]) == ("preflight", "changed", False)
    assert asked in case["recorded"]
    assert asked in case["today"]
    assert asked not in case["candidate"]
    await proposals.review(viewer, ReviewInput(proposal_id=made, decision=ReviewDecision.approve))
    await proposals.apply(viewer, made)
    report = await desk.services[Preflights].examine(await desk.viewer(), Subject(task), PreflightRequest())
    assert "warning.human_gate_recommended_before_side_effect" not in [one.code for one in report.warnings]
    assert report.graph_hash != before["graph_hash"]
    await proposals.roll_back(viewer, made, "Too slow.")
    report = await desk.services[Preflights].examine(await desk.viewer(), Subject(task), PreflightRequest())
    assert report.graph_hash == before["graph_hash"]
    # A patch after which it can no longer be run makes it worse, and the type that it brings in is looked up.
    worse = [
        {"op": "remove_module", "module_key": "write"},
        {"op": "add_module", "module_key": "x", "value": "step.nap"},
    ]
    steps = (ProposalStep(operation=Operation.patch_graph, value=worse),)
    given = ProposalInput(
        proposal_kind=ProposalKind.task_template_update, target=RecordRef(id=task), steps=steps, rationale="-"
    )
    spoiling = (await proposals.propose(await desk.agent(), given)).result["id"]
    replay = (await desk.services[Replays].replay(viewer, spoiling)).result["id"]
    [row] = await desk.database.read("MATCH (r:Replay {id: $id}) RETURN r.regressed AS regressed", id=replay)
    assert row["regressed"] == 1
    with pytest.raises(RegressionsOpen):
        await proposals.review(viewer, ReviewInput(proposal_id=spoiling, decision=ReviewDecision.approve))
    # What was found of a graph that nobody has is no change of anything; what is no patch is refused.
    loose = await desk.keep(None, graph=MAILED)
    with pytest.raises(FixNotProposable) as nobody:
        await fixes.propose(await desk.viewer(), loose, GATE)
    assert (nobody.value.code, nobody.value.field) == ("fix_not_proposable", "fix")
    step = ProposalStep(operation=Operation.patch_graph, value=[{"op": "link_goal"}])
    given = ProposalInput(
        proposal_kind=ProposalKind.task_template_update, target=RecordRef(id=task), steps=(step,), rationale="-"
    )
    with pytest.raises(StepInvalid):
        await proposals.propose(await desk.viewer(), given)
    old, new = Subject(task), Subject(graph=graph(GATED))
    differ = await desk.services[GraphDifferences].between(await desk.viewer(), old, new)
    assert not differ.same
    assert "ok" in {one.of for one in differ.edits}
    assert (await desk.services[GraphDifferences].between(await desk.viewer(), old, old)).edits == ()


async def test_what_an_agent_is_held_to_changes_after_a_run_of_the_suite_that_passes(desk: Desk) -> None:
    contract = await desk.new("CoreContract", name="Contract", hard_rules=["Look before you build."])
    rule = ProposalStep(operation=Operation.add_to_list, field="hard_rules", value=["Ask at most three questions."])
    given = ProposalInput(
        proposal_kind=ProposalKind.task_agent_instruction_candidate,
        target=RecordRef(id=contract),
        steps=(rule,),
        rationale="Users were asked too much.",
    )
    proposals, evaluations = desk.services[Proposals], desk.services[Evaluations]
    made = (await proposals.propose(await desk.agent(), given)).result["id"]
    viewer = await desk.viewer()
    await desk.services[Replays].replay(viewer, made)
    with pytest.raises(EvaluationNotPassed) as none:
        await proposals.review(viewer, ReviewInput(proposal_id=made, decision=ReviewDecision.approve))
    assert (none.value.code, none.value.field) == ("evaluation_not_passed", "eval_result_ref")
    short = (await evaluations.submit(viewer, "designer 1", answers()[:1])).result["id"]
    whole = (await evaluations.submit(viewer, "designer 2", answers())).result["id"]
    viewer = await desk.viewer()
    failed = ReviewInput(proposal_id=made, decision=ReviewDecision.approve, eval_result_ref=short)
    with pytest.raises(EvaluationNotPassed):
        await proposals.review(viewer, failed)
    passed = ReviewInput(proposal_id=made, decision=ReviewDecision.approve, eval_result_ref=whole)
    await proposals.review(viewer, passed)
    await proposals.apply(viewer, made)
    [row] = await desk.database.read("MATCH (c:CoreContract {id: $id}) RETURN c.hard_rules AS rules", id=contract)
    assert row["rules"] == ["Look before you build.", "Ask at most three questions."]
