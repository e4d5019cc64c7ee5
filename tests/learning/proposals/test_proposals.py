"""Proposals on the real server: proposed, reviewed, applied, taken back."""

from typing import Any

import pytest

from graph_schema.learning.proposal_words import Operation, ProposalKind
from service.access.viewer import KeyScope
from service.commands import RecordRef
from service.learning.proposals.commands import Proposals
from service.learning.proposals.inputs import ProposalInput, ProposalStep, ReviewDecision, ReviewInput
from service.learning.review.decide import Decisions
from service.learning.review.read import Reviews
from tests.learning.world import added, propose, refused, replayed
from tests.routing.office import Office

pytestmark = pytest.mark.slow
KIND = ProposalKind.template_semantic_card_update


async def test_a_proposal_is_read_as_a_sentence_and_waits(office: Office) -> None:
    template = await office.new("Template", name="Complaint evaluation", trigger_phrases=["complaint audit"])
    made = await propose(office, template, added("trigger_phrases", "review the complaint"))
    kept = await office.stored(made)
    assert kept["statement"] == "Complaint evaluation: Add “review the complaint” to trigger phrases."
    assert (kept["risk"], kept["proposal_state"], kept["origin"]) == ("low", "candidate", "person")
    assert (kept["approval_policy"], kept["update_kind"]) == ("auto_apply_low_risk", "semantic_metadata")
    assert "task.design_learning.proposal.created" in await office.events(made)
    assert (await office.stored(template))["trigger_phrases"] == ["complaint audit"]
    assert await office.heads(made, "CHANGES") == {template}


async def test_applied_and_rolled_back_a_record_says_and_links_what_it_did_before(office: Office) -> None:
    capability = await office.new("Capability", name="pacer.search", capability_kind="tool")
    other = await office.new("Capability", name="mail.send", capability_kind="tool")
    template = await office.new("Template", name="Docket watch", trigger_phrases=["docket"], description="Watches.")
    await office.link(template, "ALLOWS", other)
    before, links = await office.stored(template), await _links(office, template)
    steps = (
        *added("trigger_phrases", "filings"),
        ProposalStep(operation=Operation.set_value, field="description", value=None),
        ProposalStep(operation=Operation.link, relation="REQUIRES", head=RecordRef(id=capability)),
        ProposalStep(operation=Operation.unlink, relation="ALLOWS", head=RecordRef(id=other)),
        ProposalStep(operation=Operation.set_lifecycle, value="deprecated"),
    )
    author = await office.viewer(principal_id="prin_author")
    made = await propose(office, template, steps, kind=ProposalKind.task_template_update, viewer=author)
    assert (await office.stored(made))["risk"] == "high"
    await replayed(office, made)
    proposals, curator = office.services[Proposals], await office.viewer()
    review = ReviewInput(proposal_id=made, decision=ReviewDecision.approve)
    assert (await refused(proposals.review(await office.viewer(principal_id="prin_author"), review))).code == (
        "proposal_is_your_own"
    )
    await proposals.review(curator, review)
    outcome = await proposals.apply(curator, made)
    after = await office.stored(template)
    assert (after["trigger_phrases"], after["lifecycle_state"]) == (["docket", "filings"], "deprecated")
    assert "description" not in after
    assert await office.heads(template, "REQUIRES") == {capability}
    assert "task.design_learning.proposal.applied" in await office.events(made)
    entry = await office.stored(outcome.result["promotion"])
    assert (entry["approved_by"], entry["prior_version"], entry["target_kind"]) == ("architect", 1, "task_template")
    await proposals.roll_back(curator, made, "It misled people.")
    back = await office.stored(template)
    aside = {"version", "updated_at", "created_at"}
    assert {k: v for k, v in back.items() if k not in aside} == {k: v for k, v in before.items() if k not in aside}
    assert await _links(office, template) == links
    assert (await office.stored(made))["proposal_state"] == "rolled_back"


async def test_what_bears_on_security_takes_an_administrator(office: Office) -> None:
    oven = await office.new("Capability", name="oven.start", capability_kind="tool")
    template = await office.new("Template", name="Bake bread")
    steps = (ProposalStep(operation=Operation.link, relation="REQUIRES", head=RecordRef(id=oven)),)
    author = await office.viewer(principal_id="prin_author")
    made = await propose(office, template, steps, kind=ProposalKind.task_template_update, viewer=author)
    assert (await office.stored(made))["approval_policy"] == "architect_review"
    words = await propose(office, template, added("trigger_phrases", "bake"))
    assert (await office.stored(words))["approval_policy"] == "auto_apply_low_risk"
    replay = await replayed(office, made)
    [item] = [one for one in (await office.services[Reviews].queue(author)).items if one.proposal_id == made]
    assert item.next_step == "An administrator other than its author decides (reviewProposal)."
    review = ReviewInput(proposal_id=made, decision=ReviewDecision.approve, acknowledged_replay_id=replay)
    scopes = (KeyScope.read, KeyScope.curate)
    curator = await office.viewer(principal_id="prin_curator", scopes=scopes)
    proposals = office.services[Proposals]
    error = await refused(proposals.review(curator, review))
    assert (error.code, error.field, bool(error.remedy)) == ("architect_review_required", "decision", True)
    chef = await office.viewer(principal_id="prin_chef")
    await proposals.review(chef, review)
    applied = await proposals.apply(curator, made)
    assert (await office.stored(applied.result["promotion"]))["approved_by"] == "architect"


async def test_a_proposal_whose_target_has_moved_is_refused(office: Office) -> None:
    template = await office.new("Template", name="Lease review")
    made = await propose(office, template, added("trigger_phrases", "lease"))
    proposals, curator = office.services[Proposals], await office.viewer()
    unapproved = await refused(proposals.apply(curator, made))
    assert (unapproved.code, unapproved.field) == ("validation.template_update_requires_approval", "proposal_id")
    review = ReviewInput(proposal_id=made, decision=ReviewDecision.approve)
    assert (await refused(proposals.review(curator, review))).code == "proposal_not_replayed"
    await replayed(office, made)
    await proposals.review(curator, review)
    await office.save("Template", template, description="Of leases.")
    stale = await refused(proposals.apply(curator, made))
    assert (stale.code, stale.field, bool(stale.remedy)) == ("proposal_stale", "proposal_id", True)


async def test_what_was_rejected_comes_back_with_new_evidence_only(office: Office) -> None:
    template = await office.new("Template", name="Brief check")
    first, second = await _run_signal(office, "1"), await _run_signal(office, "2")
    change = added("trigger_phrases", "brief")
    made = await propose(office, template, change, supported_by=(RecordRef(id=first),))
    assert (await refused(propose(office, template, change))).code == "proposal_exists"
    proposals, curator = office.services[Proposals], await office.viewer()
    await proposals.review(curator, ReviewInput(proposal_id=made, decision=ReviewDecision.reject, reason="No."))
    again = await refused(propose(office, template, change, supported_by=(RecordRef(id=first),)))
    assert (again.code, again.field) == ("proposal_rejected_before", "supported_by")
    both = (RecordRef(id=first), RecordRef(id=second))
    other = await propose(office, template, change, supported_by=both)
    await proposals.review(curator, ReviewInput(proposal_id=other, decision=ReviewDecision.never_again))
    never = await refused(propose(office, template, added("trigger_phrases", "motion")))
    assert (never.code, never.field) == ("proposal_not_wanted", "proposal_kind")


async def test_an_agent_proposes_and_decides_nothing(office: Office) -> None:
    template = await office.new("Template", name="Memo")
    agent = await office.agent()
    made = await propose(office, template, added("trigger_phrases", "memo"), viewer=agent)
    assert (await office.stored(made))["origin"] == "agent"
    proposals = office.services[Proposals]
    for decision in ReviewDecision:
        review = ReviewInput(proposal_id=made, decision=decision, snooze_until="2999-01-01T00:00:00Z")
        assert (await refused(proposals.review(agent, review))).code == "approval_required"
    assert (await refused(proposals.apply(agent, made))).code == "approval_required"
    assert (await refused(proposals.roll_back(agent, made, None))).code == "approval_required"
    reader = await office.viewer(scopes=[KeyScope.read])
    denied = await refused(proposals.review(reader, ReviewInput(proposal_id=made, decision=ReviewDecision.reject)))
    assert denied.code == "not_allowed"


async def test_bad_proposals_are_refused_with_field_and_remedy(office: Office) -> None:
    template = await office.new("Template", name="Memo", trigger_phrases=["memo"])
    matter = await office.matter()

    def step(operation: Operation, **told: Any) -> dict[str, Any]:
        return {"steps": (ProposalStep(operation=operation, **told),)}

    cases: list[tuple[str, str, dict[str, Any]]] = [
        ("not_found", "target", {"target": RecordRef(id="tpl_missing")}),
        ("wrong_kind", "target", {"target": RecordRef(id=matter)}),
        ("proposal_target_unfit", "target", {"proposal_kind": ProposalKind.module_preset_update}),
        ("proposal_target_unfit", "target", {"proposal_kind": ProposalKind.task_design_hint_card_update}),
        ("proposal_changes_nothing", "steps", {"steps": ()}),
        ("proposal_changes_nothing", "steps", {"steps": added("trigger_phrases", "memo")}),
        ("invalid_step", "steps.0", step(Operation.set_value, field="nonsense", value="x")),
        ("invalid_step", "steps.0", step(Operation.add_to_list, field="description", value="x")),
        ("invalid_step", "steps.0", step(Operation.set_lifecycle, value="great")),
        ("invalid_step", "steps.0", step(Operation.link, relation="ALLOWS")),
        ("text_too_long", "description", step(Operation.set_value, field="description", value="x" * 3000)),
    ]
    proposals, curator = office.services[Proposals], await office.viewer()
    for code, field, more in cases:
        told: dict[str, Any] = {
            "proposal_kind": KIND,
            "target": RecordRef(id=template),
            "steps": added("trigger_phrases", "y"),
            "rationale": "-",
        }
        error = await refused(proposals.propose(curator, ProposalInput(**{**told, **more})))
        assert (error.code, error.field, bool(error.remedy)) == (code, field, True), more


async def _run_signal(office: Office, key: str) -> str:
    return (await office.say(user_request_ref=key))["id"]


async def _links(office: Office, record_id: str) -> list[Any]:
    rows = await office.database.read(
        "MATCH (:Record {id: $id})-[l]-(n:Record) WHERE NOT n:Proposal AND NOT n:Promotion "
        "RETURN type(l) AS type, n.id AS id, properties(l) AS said ORDER BY type, id",
        id=record_id,
    )
    return [dict(row) for row in rows]


async def test_several_are_decided_about_in_one_call_each_for_itself(office: Office) -> None:
    template = await office.new("Template", name="Docket watch")
    first, second = [await propose(office, template, added("trigger_phrases", one)) for one in ("docket", "filings")]
    inputs = [
        ReviewInput(proposal_id=first, decision=ReviewDecision.reject),
        ReviewInput(proposal_id=second, decision=ReviewDecision.approve),
        ReviewInput(proposal_id="prop_missing", decision=ReviewDecision.reject),
    ]
    decisions = office.services[Decisions]
    told = await decisions.decide(await office.viewer(), inputs, "once")
    assert [(one.outcome.value, one.code) for one in told.answers] == [
        ("accepted", None),
        ("rejected", "proposal_not_replayed"),
        ("rejected", "not_found"),
    ]
    assert (await office.stored(first))["proposal_state"] == "rejected"
    again = await decisions.decide(await office.viewer(), inputs[:1], "once")
    assert (again.duplicates, again.accepted) == (1, 0)
    assert (await refused(decisions.decide(await office.viewer(), []))).field == "inputs"
    assert (await refused(decisions.decide(await office.agent(), inputs))).code == "approval_required"
