"""A clinic, a newsroom, a shipyard: what somebody outside gets, what they try, and what they must not get."""

import pytest

from graph_schema.sharing.words import FileAccess, ShareMode, SharePermission, ShareProfile
from service.errors import TaskloreError
from service.records import Records
from service.sharing.beside import CopySharedTaskInput
from service.sharing.errors import ShareGone, ShareRateLimited
from service.sharing.inputs import SharedTaskFileAccessPolicy
from service.sharing.opening import TRIES_AT_ONCE, Reader
from service.sharing.secrets import new_secret
from tests.sharing.scene import Scene, graph, ids, ref, said


def _step(module: str, **more: object) -> dict[str, object]:
    return {"kind": "activation_completed", "module_key": module, "activation_seq": 1, **more}


def _made(key: str, name: str, summary: str) -> dict[str, object]:
    at = {"module_key": "write", "activation_seq": 1}
    what = {"artifact_key": key, "artifact_kind": "document", "name": name, "summary": summary}
    return {"kind": "artifact_produced", **at, **what, "output_class": "final_output"}


async def test_a_clinic_shows_a_patient_one_letter_and_no_other_patient(scene: Scene) -> None:
    """Expected: the letter's name and summary; nothing of the other patient's run, of places, of the matter's id."""
    ward = await scene.matter("Ward 4")
    own = await scene.run(
        "visit-1", [_step("write"), _made("l1", "Letter to Ms Brandt", "Rest for ten days.")], matter_ids=[ward]
    )
    await scene.run(
        "visit-2", [_step("write"), _made("l2", "Letter to Mr Oduya", "Surgery in May.")], matter_ids=[ward]
    )
    secret = await scene.shared(run=ref(own), share_mode=ShareMode.specific_run_with_artifacts)
    told = said(await scene.open(secret))
    assert "Rest for ten days." in told
    assert [one for one in ("Oduya", "Surgery", "legal_hold", "matter_ids", "Ward 4", ward) if one in told] == []
    summary = said(await scene.open(await scene.shared(run=ref(own), share_mode=ShareMode.specific_run_summary)))
    assert "Rest for ten days." not in summary
    [letter] = await scene.of("Artifact", name="Letter to Ms Brandt")
    await scene.services[Records].erase(await scene.admin(), ref(letter), "the patient asked")
    with pytest.raises(ShareGone):
        await scene.open(secret)
    assert "Rest for ten days." not in await scene.everything()


async def test_a_newsroom_lends_a_checklist_to_another_paper(scene: Scene) -> None:
    """Expected: the other paper has a task of its own, in a matter of its own, which stays when the link dies; and sees
    nothing of the desk."""
    desk, other = await scene.matter("Investigations"), await scene.matter("The other paper")
    source = graph(("check", "checks every name twice"), ("call", "calls whoever is named"))
    task = await scene.task("Fact check", source, matter_ids=[desk])
    hidden = await scene.task("Leak of the harbour papers", matter_ids=[desk])
    made = await scene.share(
        task=ref(task), share_mode=ShareMode.task_design_only, permission=SharePermission.copy_task
    )
    assert made.secret is not None
    paper = await scene.viewer("prin_paper", matters=[other], clearance="internal")
    given = CopySharedTaskInput(secret=made.secret, matter_ids=(other,))
    copied = (await scene.beside.copy(paper, given)).result["id"]
    await scene.shares.revoke(await scene.viewer(), ref(made.outcome.result["id"]))
    with pytest.raises(ShareGone):
        await scene.beside.copy(paper, given)
    again = await scene.viewer("prin_paper", matters=[other], clearance="internal")
    await scene.principal("prin_paper", all_matters=False, clearance="internal", matter_ids=[other])
    shared = await scene.shared(task=ref(copied), share_mode=ShareMode.task_design_only, viewer=again)
    told = await scene.open(shared)
    assert "checks every name twice" in said(told)
    assert {task, hidden, desk} & ids(told) == set()
    with pytest.raises(TaskloreError):
        await scene.share(task=ref(task), share_mode=ShareMode.task_design_only, viewer=again)


async def test_a_shipyard_shows_an_inspector_two_drawings(scene: Scene) -> None:
    """Expected: the two that were chosen and no third; one that is closed off later is gone, the other stays."""
    await scene.run("hull-7", [_step("write"), *(_made(f"d{n}", f"Drawing {n}", f"Frame {n}") for n in (1, 2, 3))])
    chosen = [(await scene.of("Artifact", name=f"Drawing {n}"))[0] for n in (1, 2)]
    files = SharedTaskFileAccessPolicy(access=FileAccess.selected, files=tuple(ref(one) for one in chosen))
    secret = await scene.shared(share_mode=ShareMode.specific_artifacts_only, file_policy=files)
    assert ids(await scene.open(secret)) == {*chosen}
    await scene.database.run_alone(
        "MATCH (a:Artifact {id: $id}) SET a.data_class = 'local_only', a.audience = 'local_only|'", id=chosen[0]
    )
    assert ids(await scene.open(secret)) == {chosen[1]}
    public = await scene.shared(
        share_mode=ShareMode.specific_artifacts_only,
        redaction_profile=ShareProfile.public_safe,
        file_policy=SharedTaskFileAccessPolicy(access=FileAccess.selected, files=(ref(chosen[1]),)),
    )
    assert "Drawing" not in said(await scene.open(public))


async def test_ten_thousand_guesses_find_nothing_and_ask_little(scene: Scene) -> None:
    secret = await scene.shared(task=ref(await scene.task("Fact check")), share_mode=ShareMode.task_design_only)
    guesser, asked = Reader("198.51.100.9"), 0
    for _ in range(10_000):
        try:
            await scene.open(new_secret(), guesser)
        except ShareGone:
            asked += 1
        except ShareRateLimited:
            continue
    assert TRIES_AT_ONCE <= asked < 4 * TRIES_AT_ONCE
    assert await scene.events() == []
    assert "Fact check" in said(await scene.open(secret))
