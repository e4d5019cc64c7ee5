"""Any two blueprints can be compared, and any two versions of one."""

from dataclasses import replace
from typing import Any

import pytest

from service.commands import RecordRef
from service.commands.errors import RecordMissing
from service.errors import TaskloreError
from service.library.blueprints import BlueprintInput
from service.library.diffs import BlueprintDiff, BlueprintDiffs
from tests.library.conftest import Desk
from tests.library.test_blueprints import FIELDS, save, step

pytestmark = pytest.mark.slow


async def diff(
    desk: Desk, one: str, other: str, versions: tuple[int | None, int | None] = (None, None), **viewer: Any
) -> BlueprintDiff:
    return await BlueprintDiffs(desk.database).between(
        await desk.viewer(**viewer), RecordRef(id=one), RecordRef(id=other), versions
    )


def _told(found: BlueprintDiff) -> tuple[list[Any], list[Any], list[Any]]:
    fields = [(one.field, one.from_, one.to) for one in found.changed_fields]
    steps = [(one.key, one.change.value) for one in found.step_intent_changes]
    needs = [(one.need, one.id, one.step, one.change.value) for one in found.capability_need_changes]
    return fields, steps, needs


async def _versions(desk: Desk) -> tuple[str, str]:
    """A blueprint of three versions, and the capability that its second one needs."""
    pacer = await desk.new("Capability", name="PACER", capability_kind="tool")
    first = await save(desk, BlueprintInput(FIELDS, parts={"steps": [step("draft")]}))
    second = {"steps": [step("draft"), step("judge", requires=[RecordRef(id=pacer)])]}
    asked = BlueprintInput({"domain": "law"}, first["id"], parts=second, links={"requires": [RecordRef(id=pacer)]})
    await save(desk, replace(asked, rationale="It needs a judge.", evidence_refs=["run-7"]))
    await save(desk, BlueprintInput({"domain": "tax"}, first["id"], parts={"steps": [step("judge")]}))
    return first["id"], pacer


async def test_two_versions_of_one_are_compared_whatever_lies_between(desk: Desk) -> None:
    blueprint, pacer = await _versions(desk)
    found = await diff(desk, blueprint, blueprint, (1, 2))
    assert _told(found) == (
        [("domain", None, "law")],
        [("judge", "added")],
        [("requires", pacer, None, "added"), ("requires", pacer, "judge", "added")],
    )
    assert (found.rationale, found.evidence_refs) == ("It needs a judge.", ("run-7",))
    assert found.diff_id == f"{blueprint}@1..{blueprint}@2"
    whole = await diff(desk, blueprint, blueprint, (1, None))
    assert _told(whole) == (
        [("domain", None, "tax")],
        [("draft", "removed"), ("judge", "added")],
        [("requires", pacer, None, "added")],
    )
    assert (whole.prior_version, whole.candidate_version, whole.rationale) == (1, 3, None)
    same = await diff(desk, blueprint, blueprint)
    assert (_told(same), same.prior_version) == (([], [], []), 3)


async def test_two_blueprints_are_compared_and_what_differs_is_the_other_way_round_when_they_are(desk: Desk) -> None:
    one, _ = await _versions(desk)
    other = (await save(desk, BlueprintInput({**FIELDS, "name": "Other", "artifact_policy": "run_only"})))["id"]
    there, back = await diff(desk, one, other), await diff(desk, other, one)
    assert [(change.field, change.to, change.from_) for change in there.changed_fields] == [
        (change.field, change.from_, change.to) for change in back.changed_fields
    ]
    assert [(change.of, change.from_, change.to) for change in there.artifact_policy_changes] == [
        ("blueprint", None, "run_only")
    ]


async def test_what_a_reader_may_not_see_is_in_no_difference(desk: Desk) -> None:
    blueprint, pacer = await _versions(desk)
    await desk.save("Capability", pacer, data_class="privileged")
    reader: dict[str, Any] = {"principal_id": "x", "matters": [], "clearance": "internal"}
    found = await diff(desk, blueprint, blueprint, (1, 2), **reader)
    assert (found.capability_need_changes, pacer in str(found)) == ((), False)
    await save(desk, BlueprintInput({"data_class": "privileged"}, blueprint))
    with pytest.raises(RecordMissing):
        await diff(desk, blueprint, blueprint, **reader)
    await desk.database.run_alone(
        "MATCH (b:Blueprint) SET b.data_class = 'internal', b.own_data_class = 'internal', b.audience = 'internal|' "
        "WITH b MATCH (b)-[:PREVIOUS*2]->(v:Version) SET v.data_class = 'privileged'"
    )
    assert _told(await diff(desk, blueprint, blueprint, **reader)) == ([], [], [])
    with pytest.raises(TaskloreError) as closed:
        await diff(desk, blueprint, blueprint, (1, None), **reader)
    assert (closed.value.code, closed.value.field) == ("not_found", "prior_version")


async def test_a_version_that_is_not_there_or_was_not_kept_says_so(desk: Desk) -> None:
    blueprint, _ = await _versions(desk)
    with pytest.raises(TaskloreError) as missing:
        await diff(desk, blueprint, blueprint, (None, 9))
    assert (missing.value.code, missing.value.field) == ("not_found", "candidate_version")
    await desk.database.run_alone("MATCH (b:Blueprint) REMOVE b.content")
    with pytest.raises(TaskloreError) as bare:
        await diff(desk, blueprint, blueprint)
    assert (bare.value.code, bool(bare.value.remedy)) == ("blueprint_version_not_kept", True)
    await save(desk, BlueprintInput({}, blueprint))
    assert _told(await diff(desk, blueprint, blueprint)) == ([], [], [])
