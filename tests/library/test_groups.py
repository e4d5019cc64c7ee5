"""Groups of templates: what earns one its place."""

from typing import Any

import pytest

from service.library.groups import worth
from service.library.read import LibraryReader
from tests.library.conftest import Desk

SHARED: list[dict[str, Any]] = [
    {"setup_guidance": "Ask for PACER first."},
    {"handoffs": ["Draft, then evaluate."]},
    {"default_output_archetypes": ["memo"]},
    {"shared_judge_rubric_refs": ["rubric"]},
    {"shared_eval_dataset_refs": ["data"]},
    {"sample_input_refs": ["in"]},
    {"example_output_refs": ["out"]},
    {"shared_connector_requirements": ["pacer"]},
    {"shared_artifact_policy_ref": "policy"},
    {"shared_assessment_plan_ref": "plan"},
]


@pytest.mark.parametrize("values", SHARED)
def test_whatever_templates_share_is_enough(values: dict[str, Any]) -> None:
    found = worth(values, 1, 0, 0)
    assert (found.earns_its_place, len(found.reasons)) == (True, 1)


async def test_a_group_of_one_with_nothing_to_share_is_flagged(desk: Desk) -> None:
    matter = await desk.new("Entity", name="Marex", kind="matter")
    group = await desk.new("TemplateGroup", name="Complaints")
    one, hidden = await desk.new("Template", name="One"), await desk.new("Template", name="H", matter_ids=[matter])
    viewer = await desk.viewer()
    [found] = await LibraryReader(desk.database).worths(viewer, [group])
    assert found
    assert (found.earns_its_place, "no template" in found.reasons[0]) == (False, True)
    await desk.link(one, "IN_GROUP", group)
    await desk.link(group, "HAS_PRIMARY", one)
    await desk.link(group, "HAS_PRIMARY", hidden)
    [whole] = await LibraryReader(desk.database).worths(await desk.viewer(), [group])
    [part] = await LibraryReader(desk.database).worths(await desk.viewer(principal_id="x", matters=[]), [group])
    assert whole
    assert part
    assert (whole.reasons, part.earns_its_place) == (("It holds 2 templates.",), False)
    preset = await desk.new("Preset", name="P", module_type="step.judge")
    await desk.link(group, "SHARES", preset)
    [shared] = await LibraryReader(desk.database).worths(await desk.viewer(principal_id="x", matters=[]), [group])
    assert shared
    assert shared.earns_its_place
    assert await LibraryReader(desk.database).worths(await desk.viewer(), ["grp_missing"]) == [None]
