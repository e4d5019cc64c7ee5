"""Sharing something, opening it, and taking it back."""

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graph_schema.sharing.words import ShareMode, SharePermission, ShareProfile
from service import clock
from service.commands import RecordRef
from service.commands.approval import PersonNeeded
from service.commands.errors import InputInvalid, NotAllowed, RecordMissing
from service.errors import TaskloreError
from service.records import Records
from service.sharing.errors import (
    ShareGone,
    ShareLocalOnly,
    ShareNeedsAdmin,
    ShareNeedsPerson,
    SharePolicyMissing,
    ShareTellsNothing,
)
from service.sharing.inputs import POLICIES, ShareInput
from service.sharing.opening import Look, Reader
from service.sharing.secrets import new_secret
from tests.sharing.scene import OUTSIDE, SENDER, Scene, graph, ids, ref, said

DESIGN = ShareMode.task_design_only
GRAPH = graph(("read", "reads the file"), ("write", "writes the letter"))


async def test_a_link_tells_of_one_task_and_of_nothing_else(scene: Scene) -> None:
    task, other = await scene.task("Discharge letter", GRAPH), await scene.task("Payroll", GRAPH)
    manifest = await scene.open(await scene.shared(task=ref(task), share_mode=DESIGN))
    assert task in ids(manifest)
    assert other not in said(manifest)
    assert "reads the file" in said(manifest)
    assert (manifest.live, manifest.can, manifest.redaction_profile) == (False, (), "external_professional")
    assert await scene.events() == [("share_opened", None, None)]


async def test_the_secret_is_shown_once_and_stored_nowhere(scene: Scene) -> None:
    task, viewer = await scene.task("Discharge letter"), await scene.viewer()
    given = ShareInput(task=ref(task), share_mode=DESIGN)
    made = await scene.shares.create(viewer, given, command_id="once")
    again = await scene.shares.create(viewer, given, command_id="once")
    assert (made.outcome.result["id"], again.secret) == (again.outcome.result["id"], None)
    assert made.secret is not None
    assert made.secret not in await scene.everything()


async def test_what_is_shared_is_told_as_it_was_and_a_workspace_as_it_is(scene: Scene) -> None:
    task = await scene.task("Discharge letter", GRAPH)
    frozen = await scene.shared(task=ref(task), share_mode=DESIGN)
    live = await scene.shared(task=ref(task), share_mode=ShareMode.collaborative_task_workspace)
    await scene.services[Records].save(await scene.admin(), "Task", {"name": "Release letter"}, record_id=task)
    assert "Release letter" not in said(await scene.open(frozen))
    assert "Release letter" in said(await scene.open(live))


async def _gone(scene: Scene, secret: str, reader: Reader = OUTSIDE) -> dict[str, Any]:
    with pytest.raises(ShareGone) as refused:
        await scene.open(secret, reader)
    return {"message": str(refused.value), **refused.value.facts}


async def test_revoked_expired_and_unknown_get_the_same_answer(scene: Scene) -> None:
    task = await scene.task("Discharge letter")
    made = await scene.share(task=ref(task), share_mode=DESIGN)
    late = await scene.shared(task=ref(task), share_mode=DESIGN)
    await scene.database.run_alone(
        "MATCH (s:ShareCapsule) WHERE s.id <> $id SET s.expires_at = $at",
        id=made.outcome.result["id"],
        at="2026-01-01T00:00:00.000Z",
    )
    assert made.secret is not None
    await scene.open(made.secret)
    revoked = await scene.shares.revoke(await scene.viewer(), ref(made.outcome.result["id"]), "sent to the wrong one")
    told = [await _gone(scene, one) for one in (made.secret, late, new_secret(), "tls_nonsense", "")]
    assert all(one == told[0] for one in told)
    again = await scene.shares.revoke(await scene.viewer(), ref(made.outcome.result["id"]))
    assert again.result["version"] == revoked.result["version"]
    kinds = [(kind, reason) for kind, _, reason in await scene.events()]
    assert kinds == [
        ("share_opened", None),
        ("share_revoked", None),
        ("policy_blocked", "revoked"),
        ("policy_blocked", "expired"),
    ]
    rows = await scene.database.read("MATCH (e:Event) WHERE e.kind STARTS WITH 'task.share' RETURN e.kind AS kind")
    assert Counter(one["kind"] for one in rows) == {
        "task.share_capsule.created": 2,
        "task.share_capsule.revoked": 1,
        "task.share.audit_event_recorded": len(kinds),
    }


async def test_a_share_for_somebody_is_opened_by_nobody_else(scene: Scene) -> None:
    task = await scene.task("Discharge letter")
    await scene.principal("prin_colleague", matter_ids=[], all_matters=False, clearance="public")
    secret = await scene.shared(task=ref(task), share_mode=DESIGN, recipients=("prin_colleague",))
    await _gone(scene, secret)
    await _gone(scene, secret, Reader("", await scene.viewer("prin_other")))
    colleague = await scene.viewer("prin_colleague", matters=[], clearance="public")
    assert task in ids(await scene.open(secret, Reader("", colleague)))


async def test_what_the_sender_loses_the_share_loses(scene: Scene) -> None:
    ward = await scene.matter("Ward 4")
    task = await scene.task("Discharge letter", GRAPH, matter_ids=[ward])
    await scene.principal(all_matters=False, matter_ids=[ward])
    secret = await scene.shared(task=ref(task), share_mode=DESIGN, viewer=await scene.viewer(matters=[ward]))
    assert task in ids(await scene.open(secret))
    assert ward not in said(await scene.open(secret))
    await scene.principal(all_matters=False, matter_ids=[])
    await _gone(scene, secret)
    await scene.principal(all_matters=False, matter_ids=[ward], clearance="public")
    await _gone(scene, secret)
    await scene.principal(all_matters=False, matter_ids=[ward])
    assert task in ids(await scene.open(secret))
    await scene.database.run_alone("MATCH (p:Principal {id: $id}) SET p.disabled_at = 'now'", id=SENDER)
    await _gone(scene, secret)


async def test_nobody_shares_what_they_do_not_see(scene: Scene) -> None:
    ward = await scene.matter("Ward 4")
    task = await scene.task("Discharge letter", matter_ids=[ward])
    with pytest.raises(RecordMissing):
        await scene.share(task=ref(task), share_mode=DESIGN, viewer=await scene.viewer(matters=[]))


async def test_a_part_that_becomes_more_closed_is_told_less_of(scene: Scene) -> None:
    task = await scene.task("Discharge letter", GRAPH, description="for patients who go home")
    secret = await scene.shared(task=ref(task), share_mode=DESIGN)
    assert "who go home" in said(await scene.open(secret))
    await scene.services[Records].save(await scene.admin(), "Task", {"data_class": "privileged"}, record_id=task)
    assert "who go home" not in said(await scene.open(secret))
    await scene.services[Records].save(await scene.admin(), "Task", {"data_class": "local_only"}, record_id=task)
    await scene.principal(clearance="local_only")
    await _gone(scene, secret)


async def test_one_section_or_one_record_can_be_looked_at(scene: Scene) -> None:
    task = await scene.task("Discharge letter", GRAPH)
    secret = await scene.shared(task=ref(task), share_mode=DESIGN)
    only = await scene.open(secret, look=Look(section="graph_snapshot"))
    assert [one["section"] for one in only.sections] == ["graph_snapshot"]
    assert ids(await scene.open(secret, look=Look(record=task))) == {task}
    for look in (Look(section="raw_trace"), Look(record="run_01")):
        with pytest.raises(TaskloreError, match="tells of no"):
            await scene.open(secret, look=look)
    assert [kind for kind, _, _ in await scene.events()] == ["graph_viewed", "share_opened"]


async def test_only_a_person_shares_and_takes_back(scene: Scene) -> None:
    task = await scene.task("Discharge letter")
    made = await scene.share(task=ref(task), share_mode=DESIGN)
    agent = await scene.agent()
    for refused in (ShareNeedsPerson, PersonNeeded):
        assert refused.code == "approval_required"
    with pytest.raises(ShareNeedsPerson):
        await scene.share(task=ref(task), share_mode=DESIGN, viewer=agent)
    with pytest.raises(ShareNeedsPerson):
        await scene.shares.revoke(agent, ref(made.outcome.result["id"]))
    with pytest.raises(NotAllowed):
        await scene.share(task=ref(task), share_mode=DESIGN, viewer=await scene.viewer(scopes=("read",)))


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"share_mode": ShareMode.specific_run_summary}, "run"),
        ({"share_mode": ShareMode.audit_packet}, "run"),
        ({"share_mode": ShareMode.specific_artifacts_only}, "file_policy"),
        ({"share_mode": DESIGN, "task": None}, "task"),
        ({"expires_at": "2020-01-01T00:00:00Z"}, "expires_at"),
        ({"expires_at": "2099-01-01T00:00:00Z"}, "expires_at"),
        ({"memory_policy": {"access": "selected"}}, "memory_policy"),
        ({"email_policy": {"delivery": "draft_only"}}, "email_policy"),
        ({"cost_policy": {"max_runs": -1}}, "cost_policy"),
        ({"output_policy": {"may_write_sender_memory": True}}, "output_policy"),
        ({"agent_policy": {"may_modify_task_directly": True}}, "agent_policy"),
        ({"agent_policy": {"enabled": True}}, "agent_policy"),
    ],
)
async def test_what_contradicts_itself_is_refused(scene: Scene, given: dict[str, Any], field: str) -> None:
    task = await scene.task("Discharge letter")
    policies = {
        name: POLICIES[name.removesuffix("_policy")](**one) if name.endswith("_policy") else one
        for name, one in given.items()
    }
    with pytest.raises(InputInvalid) as refused:
        await scene.share(**{"task": ref(task), "share_mode": DESIGN, **policies})
    assert refused.value.field == field


async def test_what_is_granted_in_vain_is_kept_and_said(scene: Scene) -> None:
    task = await scene.task("Discharge letter")
    wanted = {f"{name}_policy": POLICIES[name]() for name in ("output", "cost", "approval")}
    given: dict[str, Any] = {"task": ref(task), "share_mode": DESIGN}
    with pytest.raises(SharePolicyMissing) as refused:
        await scene.share(**given, permission=SharePermission.run_with_sender_approval)
    assert refused.value.code == "validation.task_share_capsule_policy_missing"
    assert refused.value.facts == {"missing": [*wanted]}
    made = await scene.share(**given, **wanted, permission=SharePermission.run_with_sender_approval)
    assert made.outcome.result["warnings"] == ["warning.shared_task_feature_deferred_doc50"]
    assert made.secret is not None
    manifest = await scene.open(made.secret)
    assert (manifest.can, manifest.deferred) == ((), ("run",))
    assert (await scene.share(**given)).outcome.result["warnings"] == []


async def test_full_access_is_warned_of_ends_and_leaves_a_receipt(scene: Scene) -> None:
    task, admin = await scene.task("Discharge letter", GRAPH), await scene.admin()
    given = ShareInput(task=ref(task), share_mode=DESIGN, redaction_profile=ShareProfile.full_access_warned)
    with pytest.raises(SharePolicyMissing) as refused:
        await scene.shares.create(admin, given)
    assert refused.value.facts == {"missing": ["acknowledge_full_access", "expires_at"]}
    soon = clock.stamp(datetime.now(UTC) + timedelta(hours=1))
    said_so = replace(given, acknowledge_full_access=True, expires_at=soon)
    with pytest.raises(ShareNeedsAdmin):
        await scene.shares.create(await scene.viewer(), said_so)
    made = await scene.shares.create(admin, said_so)
    row = await scene.database.read_one("MATCH (s:ShareCapsule) RETURN s {.*} AS share")
    assert row is not None
    assert row["share"]["acknowledged_at"]
    assert row["share"]["expires_at"] == soon
    rows = await scene.database.read("MATCH (e:Event {about: $id}) RETURN e.kind AS kind", id=made.outcome.result["id"])
    assert [one["kind"] for one in rows] == ["task.share_capsule.created"]


async def test_what_must_not_leave_is_not_shared(scene: Scene) -> None:
    await scene.principal(clearance="local_only")
    viewer = await scene.viewer(clearance="local_only")
    closed = await scene.task("Discharge letter", data_class="local_only")
    with pytest.raises(ShareLocalOnly):
        await scene.share(task=ref(closed), share_mode=DESIGN, viewer=await scene.admin())
    privileged = await scene.task("Settlement", data_class="privileged")
    with pytest.raises(ShareTellsNothing):
        await scene.share(
            task=ref(privileged),
            share_mode=DESIGN,
            redaction_profile=ShareProfile.public_safe,
            viewer=await scene.admin(),
        )
    del viewer


async def test_a_share_is_no_thing_to_share(scene: Scene) -> None:
    made = await scene.share(task=ref(await scene.task("Discharge letter")), share_mode=DESIGN)
    with pytest.raises(TaskloreError) as refused:
        await scene.share(task=RecordRef(id=made.outcome.result["id"]), share_mode=DESIGN)
    assert refused.value.code == "wrong_kind"
