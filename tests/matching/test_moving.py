"""An asset that moves from one matter to another is found by those of the new one, and by nobody else."""

import pytest

from graph_schema.registry import REGISTRY
from service.access.viewer import Viewer
from service.commands import Commands, RecordRef
from service.doctor import examine
from service.library.blueprints import BlueprintInput
from service.library.commands import Library
from service.search import Search, SearchRequest
from tests.matching.world import Shelf

SAID = "audit this complaint"
ACCESS = """
MATCH (n:Card|Phrase)-[:DESCRIBES|INVOKES|REPELS]->(r:Record) WHERE r.id IN $ids
RETURN DISTINCT n.matter_ids AS matters, n.audience = r.audience AS same
"""


async def _found(shelf: Shelf, viewer: Viewer, name: str) -> set[str]:
    """What somebody finds, by name and by what it is for."""
    hits = (await Search(shelf.database, shelf.queue, REGISTRY).search(viewer, SearchRequest(name))).hits
    return {hit.id for hit in hits}


async def _matched(shelf: Shelf, viewer: Viewer, kind: str) -> set[str]:
    answer = await shelf.answer(SAID, viewer, kind=kind)
    return {one.asset.id for one in answer.recommended}


async def _blueprint(shelf: Shelf, template: str) -> str:
    values = {"name": "Audit intent", "business_or_personal_goal": "Audit this complaint.", "task_type": "review"}
    library = Library(Commands(shelf.database, REGISTRY, lambda _new: None))
    asked = BlueprintInput(values, of=RecordRef(id=template))
    return (await library.save_blueprint(await shelf.viewer(), asked)).result["id"]


@pytest.mark.slow
async def test_a_template_and_its_blueprint_are_found_where_they_have_moved_to(shelf: Shelf) -> None:
    old = await shelf.add("Old", label="Entity", kind="matter")
    new = await shelf.add("New", label="Entity", kind="matter")
    said = (SAID, "check the complaint")
    against = ["a draft of a contract"]
    template = await shelf.add(
        "Complaint audit", said, non_use_conditions=against, matter_ids=[old], data_class="privileged"
    )
    blueprint = await _blueprint(shelf, template)
    both = {template, blueprint}
    await shelf.embed()
    await shelf.records.save(
        await shelf.viewer(), "Template", {"matter_ids": [new], "data_class": "internal"}, record_id=template
    )
    await shelf.embed()
    assert await shelf.database.read(ACCESS, ids=[*both]) == [{"matters": [new], "same": True}]
    assert await examine(shelf.database) == []
    for matter, expected in ((new, both), (old, set[str]())):
        viewer = await shelf.viewer(principal_id="reader", matters=[matter])
        found = await _found(shelf, viewer, "Complaint audit") | await _found(shelf, viewer, "Audit intent")
        matched = await _matched(shelf, viewer, "Template") | await _matched(shelf, viewer, "Blueprint")
        assert (found & both, matched & both) == (expected, expected)


@pytest.mark.parametrize("label", ["Template", "Preset"])
async def test_a_phrase_that_is_added_has_the_access_of_its_record_at_once(shelf: Shelf, label: str) -> None:
    matter = await shelf.add("M", label="Entity", kind="matter")
    own = {"module_type": "step.judge"} if label == "Preset" else {}
    one = await shelf.add("One", (SAID,), label=label, matter_ids=[matter], **own)
    viewer = await shelf.viewer()
    await shelf.records.save(viewer, label, {"trigger_phrases": [SAID, "another"]}, record_id=one)
    assert await shelf.database.read(ACCESS, ids=[one]) == [{"matters": [matter], "same": True}]
    await shelf.records.save(viewer, label, {"matter_ids": []}, record_id=one)
    assert await shelf.database.read(ACCESS, ids=[one]) == [{"matters": [], "same": True}]
    assert await examine(shelf.database) == []
