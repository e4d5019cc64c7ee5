"""What somebody who signs in does beside a link: copy, comment, propose, ask for more."""

from typing import Any

import pytest

from graph_schema.learning.proposal_words import Operation
from graph_schema.sharing.words import ShareMode, SharePermission, ShareProfile, ShareRequestKind
from service.learning.proposals.commands import Proposals
from service.learning.proposals.inputs import ProposalStep, ReviewDecision, ReviewInput
from service.learning.replay.commands import Replays
from service.records import Records
from service.sharing.beside import CopySharedTaskInput, ShareCommentInput, SharedProposalInput
from service.sharing.errors import (
    CopyNeedsMatter,
    CopyTellsTooLittle,
    Deferred,
    NotPermitted,
    ProposalKnown,
    ProposalNotTold,
    ShareGone,
    ShareNeedsPerson,
)
from service.sharing.inputs import POLICIES
from service.sharing.opening import Reader
from tests.sharing.scene import Scene, graph, ref, said

DESIGN = ShareMode.task_design_only
GRAPH = graph(("read", "reads the file"), ("write", "writes the letter"))
GUEST = "prin_guest"


async def _guest(scene: Scene, **given: Any) -> Any:
    """Somebody of no matter, who sees what is open to all."""
    return await scene.viewer(GUEST, **{"matters": [], "clearance": "internal", **given})


async def _secret(scene: Scene, permission: SharePermission, **given: Any) -> str:
    ward = await scene.matter("Ward 4")
    task = await scene.task("Discharge letter", GRAPH, matter_ids=[ward], description="for those who go home")
    return await scene.shared(**{"task": ref(task), "share_mode": DESIGN, "permission": permission, **given})


async def test_a_copy_is_a_task_of_the_copiers_own_with_a_receipt(scene: Scene) -> None:
    secret = await _secret(scene, SharePermission.copy_task)
    clinic = await scene.matter("Clinic")
    guest = await _guest(scene, matters=[clinic])
    given = CopySharedTaskInput(secret=secret, name="Our letter", matter_ids=(clinic,))
    outcome = await scene.beside.copy(guest, given, command_id="copy")
    again = await scene.beside.copy(guest, given, command_id="copy")
    assert again.result == outcome.result
    row = await scene.database.read_one(
        "MATCH (t:Task {id: $id})-[:HAS_GRAPH]->(g)-[:HAS_MODULE]->(m) MATCH (r:TaskReceipt)-[:FOR]->(t) "
        "RETURN t {.*} AS task, collect(DISTINCT m.purpose) AS purposes, "
        "r.id AS receipt",
        id=outcome.result["id"],
    )
    assert row is not None
    assert (row["task"]["name"], row["task"]["matter_ids"]) == ("Our letter", [clinic])
    assert row["task"]["description"] == "for those who go home"
    assert sorted(row["purposes"]) == ["reads the file", "writes the letter"]
    assert row["receipt"] == outcome.result["receipt"]
    assert await scene.events() == [("task_copied", GUEST, None)]
    assert secret not in await scene.everything()


async def test_a_copy_does_not_leave_its_matter_for_everybody(scene: Scene) -> None:
    """A member's stays where it comes from; a stranger's goes into a matter of theirs, or is not made."""
    secret = await _secret(scene, SharePermission.copy_task)
    member = await scene.viewer("prin_member")
    copied = await scene.beside.copy(member, CopySharedTaskInput(secret=secret))
    stranger = await _guest(scene, matters=[])
    with pytest.raises(CopyNeedsMatter):
        await scene.beside.copy(stranger, CopySharedTaskInput(secret=secret))
    row = await scene.database.read_one(
        "MATCH (t:Task {id: $id}), (m:Entity {name: 'Ward 4'}) RETURN t.matter_ids = [m.id] AS kept",
        id=copied.result["id"],
    )
    assert row == {"kept": True}


async def test_a_copy_has_no_more_than_the_share_tells(scene: Scene) -> None:
    secret = await _secret(scene, SharePermission.copy_task, redaction_profile=ShareProfile.public_safe)
    own = await scene.matter("Clinic")
    guest, given = (
        await _guest(scene, matters=[own]),
        CopySharedTaskInput(secret=secret, name="Ours", matter_ids=(own,)),
    )
    with pytest.raises(CopyTellsTooLittle):
        await scene.beside.copy(guest, given)


async def test_a_comment_is_feedback_that_the_sender_reads_and_the_guest_does_not(scene: Scene) -> None:
    secret = await _secret(scene, SharePermission.comment_only)
    guest = await _guest(scene)
    outcome = await scene.beside.comment(guest, ShareCommentInput(secret=secret, comment="The second step is late."))
    row = await scene.database.read_one(
        "MATCH (f:Feedback)-[:FEEDBACK_ON]->(t:Task) RETURN f {.*} AS feedback, t.audience AS audience"
    )
    assert row is not None
    assert row["feedback"]["id"] == outcome.result["id"]
    assert row["feedback"]["user_comment"] == "The second step is late."
    assert row["feedback"]["audience"] == row["audience"] not in guest.audiences
    assert await scene.events() == [("comment_made", GUEST, None)]


def _change(secret: str, *steps: ProposalStep) -> SharedProposalInput:
    return SharedProposalInput(secret=secret, steps=steps, rationale="It says who it is for.")


async def test_a_proposal_goes_the_way_of_proposals_and_changes_nothing(scene: Scene) -> None:
    secret = await _secret(scene, SharePermission.edit_proposal_only)
    guest = await _guest(scene)
    step = ProposalStep(operation=Operation.set_value, field="description", value="for those who stay")
    await scene.beside.propose(guest, _change(secret, step))
    rows = await scene.database.read("MATCH (p:Proposal)-[:CHANGES]->(t:Task) RETURN p {.*} AS p, t {.*} AS t")
    assert [(row["p"]["proposed_by"], row["p"]["proposal_state"]) for row in rows] == [(GUEST, "candidate")]
    assert rows[0]["t"]["description"] == "for those who go home"
    assert rows[0]["p"]["audience"] not in guest.audiences
    with pytest.raises(ProposalKnown) as refused:
        await scene.beside.propose(guest, _change(secret, step))
    assert "prp_" not in str(refused.value)
    assert await scene.events() == [("graph_patch_proposed", GUEST, None)]


async def test_that_a_proposal_was_applied_is_told_under_its_share(scene: Scene) -> None:
    secret = await _secret(scene, SharePermission.edit_proposal_only)
    step = ProposalStep(operation=Operation.set_value, field="description", value="for those who stay")
    await scene.beside.propose(await _guest(scene), _change(secret, step))
    [made], admin, proposals = await scene.of("Proposal"), await scene.admin(), scene.services[Proposals]
    replay = (await scene.services[Replays].replay(admin, made)).result["id"]
    said_yes = ReviewInput(proposal_id=made, decision=ReviewDecision.approve, acknowledged_replay_id=replay)
    await proposals.review(admin, said_yes)
    await proposals.apply(admin, made)
    assert await scene.events() == [
        ("graph_patch_proposed", GUEST, None),
        ("graph_patch_applied", admin.principal_id, None),
    ]


@pytest.mark.parametrize(
    "step",
    [
        ProposalStep(operation=Operation.set_value, field="source_ref", value="x"),
        ProposalStep(operation=Operation.set_value, field="matter_ids", value=[]),
        ProposalStep(operation=Operation.set_value, field="audience", value="public|"),
        ProposalStep(operation=Operation.set_lifecycle, value="archived"),
        ProposalStep(operation=Operation.link, relation="INSTANTIATES", head=ref("tpl_01")),
    ],
)
async def test_only_what_is_told_can_be_proposed(scene: Scene, step: ProposalStep) -> None:
    secret = await _secret(scene, SharePermission.edit_proposal_only)
    with pytest.raises(ProposalNotTold):
        await scene.beside.propose(await _guest(scene), _change(secret, step))


async def test_each_permission_permits_what_it_says(scene: Scene) -> None:
    secret = await _secret(scene, SharePermission.view_only)
    guest = await _guest(scene)
    with pytest.raises(NotPermitted):
        await scene.beside.comment(guest, ShareCommentInput(secret=secret, comment="Hello"))
    with pytest.raises(NotPermitted):
        await scene.beside.copy(guest, CopySharedTaskInput(secret=secret))
    assert await scene.events() == [("policy_blocked", GUEST, "share_not_permitted")] * 2


async def test_what_is_deferred_is_refused_in_use_and_kept(scene: Scene) -> None:
    policies = {f"{name}_policy": made() for name, made in POLICIES.items()}
    secret = await _secret(scene, SharePermission.trusted_collaborator, **policies)
    guest = await _guest(scene)
    with pytest.raises(Deferred) as refused:
        await scene.beside.copy(guest, CopySharedTaskInput(secret=secret))
    assert refused.value.code == "warning.shared_task_feature_deferred_doc50"
    outcome = await scene.beside.ask(guest, secret, ShareRequestKind.run_task)
    assert outcome.result["warnings"] == ["warning.shared_task_feature_deferred_doc50"]
    assert [(kind, reason) for kind, _, reason in await scene.events()] == [
        ("policy_blocked", "warning.shared_task_feature_deferred_doc50"),
        ("task_run_requested", "warning.shared_task_feature_deferred_doc50"),
    ]


async def test_an_agent_and_a_closed_share_do_nothing(scene: Scene) -> None:
    secret = await _secret(scene, SharePermission.copy_task)
    with pytest.raises(ShareNeedsPerson):
        await scene.beside.copy(await scene.agent(), CopySharedTaskInput(secret=secret))
    await scene.shares.revoke(await scene.viewer(), ref((await scene.of("ShareCapsule"))[0]))
    with pytest.raises(ShareGone):
        await scene.beside.copy(await _guest(scene), CopySharedTaskInput(secret=secret))
    assert len(await scene.of("Task")) == 1


async def test_an_agent_may_look(scene: Scene) -> None:
    secret = await _secret(scene, SharePermission.view_only)
    assert "reads the file" in said(await scene.open(secret, Reader("", await scene.agent())))


async def test_what_is_erased_is_told_no_more_and_kept_nowhere(scene: Scene) -> None:
    secret = await _secret(scene, SharePermission.view_only)
    await scene.open(secret)
    [task] = await scene.of("Task")
    await scene.services[Records].erase(await scene.admin(), ref(task), "asked for")
    with pytest.raises(ShareGone):
        await scene.open(secret)
    left = await scene.everything()
    assert "for those who go home" not in left
    assert [(kind, reason) for kind, _, reason in await scene.events()] == [
        ("share_opened", None),
        ("policy_blocked", "erased"),
    ]


async def test_what_is_held_can_be_shared_and_taken_back_and_says_nothing_of_the_hold(scene: Scene) -> None:
    secret = await _secret(scene, SharePermission.view_only)
    [task] = await scene.of("Task")
    await scene.principal("prin_admin", clearance="local_only")
    await scene.services[Records].set_legal_hold(await scene.admin(), ref(task), hold=True)
    held = await scene.shared(task=ref(task), share_mode=DESIGN, viewer=await scene.admin())
    for one in (secret, held):
        assert "legal_hold" not in said(await scene.open(one))
    for share in await scene.of("ShareCapsule"):
        await scene.shares.revoke(await scene.admin(), ref(share))
    with pytest.raises(ShareGone):
        await scene.open(held)
