"""What was drawn from a source, as one answer: the same content has the same name, and nothing hidden is in it."""

from typing import Any

import pytest

from graph_schema.learning.words import DesignSignalKind
from service.commands import RecordRef
from service.learning.bundles.read import ExtractionBundles, ExtractionSource, TaskDesignExtractionBundle
from tests.learning.studio import Studio, graph, ref
from tests.learning.world import acted, added, propose, refused, report

pytestmark = pytest.mark.slow


async def _bundle(studio: Studio, of: str, **who: Any) -> TaskDesignExtractionBundle:
    return await studio.services[ExtractionBundles].of(await studio.viewer(**who), RecordRef(id=of))


async def test_what_was_drawn_from_a_design_stands_together(studio: Studio) -> None:
    matter = await studio.matter("Bistro")
    template = await studio.new("Template", name="Seasonal menu", trigger_phrases=["seasonal menu"])
    await studio.draw(template, graph(("read", "source.documents"), ("plan", "step.agent_task")))
    session = await studio.start(
        "Make the seasonal menu for the Bistro. When planning menus, I usually want an allergen table.",
        adapts=ref(template),
    )
    task = await studio.new("Task", name="Menu of spring", matter_ids=[matter])
    await studio.link(task, "INSTANTIATES", template)
    await studio.draw(task, graph(("read", "source.documents"), ("plan", "step.agent_task"), ("taste", "step.judge")))
    assert (await studio.tell(session, saved=ref(task)))["outcome"] == "saved_with_user_edits"
    found = await _bundle(studio, session)
    assert (found.source_kind, found.review_required) == (ExtractionSource.task_creation_session, True)
    assert len(found.user_preference_ids) == 1
    assert found.signal_ids
    evidence = (RecordRef(id=found.signal_ids[0]),)
    made = await propose(studio, template, added("trigger_phrases", "menu of spring"), supported_by=evidence)
    after = await _bundle(studio, session)
    assert (after.template_update_ids, after.preset_update_ids) == ((made,), ())
    assert after.confidence > found.confidence == 0.5
    assert after.bundle_id != found.bundle_id
    assert (await _bundle(studio, session)).bundle_id == after.bundle_id
    refined = await _bundle(studio, task)
    assert (refined.source_kind, {*refined.signal_ids}) == (ExtractionSource.user_refined_task, {*after.signal_ids})
    assert (await _bundle(studio, made)).source_kind is ExtractionSource.template_update
    error = await refused(_bundle(studio, matter))
    assert (error.code, error.field) == ("wrong_kind", "of")


async def test_a_bundle_has_nothing_that_its_reader_does_not_see(studio: Studio) -> None:
    matter = await studio.matter("Bistro")
    template = await studio.new("Template", name="Seasonal menu")
    told: dict[str, Any] = {"payload": None, "about": (RecordRef(id=template),), "pattern_promotion_eligible": True}
    kind = DesignSignalKind.template_selected
    await report(studio, acted("open", signal_kind=kind, **told))
    await report(studio, acted("closed", signal_kind=kind, matter_ids=(matter,), **told))
    stranger: dict[str, Any] = {"principal_id": "prin_other", "matters": []}
    whole, part = await _bundle(studio, template), await _bundle(studio, template, **stranger)
    assert (len(whole.signal_ids), len(part.signal_ids)) == (2, 1)
    closed = await studio.new("Task", name="Menu", matter_ids=[matter])
    assert (await refused(_bundle(studio, closed, **stranger))).code == "not_found"
