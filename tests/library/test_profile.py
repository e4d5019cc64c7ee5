"""How much there is to a blueprint follows the graphs of its assets, whoever changes them."""

from typing import Any

import pytest

from graph_schema.library.words import ModuleFamily
from service.commands import RecordRef
from service.library.blueprints import BlueprintInput
from service.library.graphs import GraphInput
from service.library.snapshots import family_of
from tests.library.conftest import Desk, chain, module

VALUES = {"name": "B", "business_or_personal_goal": "-", "task_type": "review"}


async def _blueprint(desk: Desk, of: str | None, record_id: str | None = None, **values: Any) -> str:
    asked = BlueprintInput(values={**VALUES, **values}, record_id=record_id, of=RecordRef(id=of) if of else None)
    return (await desk.library.save_blueprint(await desk.viewer(), asked)).result["id"]


async def _counted(desk: Desk, blueprint: str) -> tuple[int, str]:
    stored = await desk.stored(blueprint)
    return stored["modules_count"], stored["source_dependency"]


async def test_the_catalogue_says_what_a_source_is(desk: Desk) -> None:
    await desk.new("ModuleType", name="Reader", module_type="acme.reader", family="source")
    template = await desk.new("Template", name="T")
    blueprint = await _blueprint(desk, template)
    await desk.graph(template, GraphInput([module("a", "acme.reader"), module("b")]))
    assert await _counted(desk, blueprint) == (2, "single_source")
    await _blueprint(desk, None, blueprint, description="Again.")
    assert await _counted(desk, blueprint) == (2, "single_source")


@pytest.mark.parametrize(
    ("kind", "family"),
    [
        ("n8n-nodes-base.httpRequest", ModuleFamily.source),
        ("n8n-nodes-base.rssFeedRead", ModuleFamily.source),
        ("n8n-nodes-base.gmailTrigger", ModuleFamily.trigger),
        ("n8n-nodes-base.webhook", ModuleFamily.trigger),
        ("@n8n/n8n-nodes-langchain.toolWikipedia", ModuleFamily.source),
        ("n8n-nodes-base.set", ModuleFamily.utility),
        ("n8n-nodes-base.gmail", ModuleFamily.step),
        ("acme.webhook", ModuleFamily.step),
        ("source.mail", ModuleFamily.source),
    ],
)
def test_a_name_tells_a_family(kind: str, family: ModuleFamily) -> None:
    assert family_of(kind) is family


async def test_the_largest_graph_counts_and_no_module_twice(desk: Desk) -> None:
    one, other = await desk.new("Template", name="One"), await desk.new("Template", name="Other")
    await desk.graph(one, chain("a", "b"))
    await desk.graph(other, chain("a", "b", "c"))
    blueprint = await _blueprint(desk, one)
    assert await _counted(desk, blueprint) == (2, "self_contained")
    await desk.link(other, "HAS_BLUEPRINT", blueprint)
    assert (await _counted(desk, blueprint))[0] == 3
    await _blueprint(desk, None, blueprint, description="Again.")
    assert (await _counted(desk, blueprint))[0] == 3
    await desk.graph(one, chain("a"))
    assert (await _counted(desk, blueprint))[0] == 3
    viewer = await desk.viewer()
    ends = (RecordRef(id=other), "HAS_BLUEPRINT", RecordRef(id=blueprint))
    await desk.records.link(viewer, *ends, {}, remove=True)
    assert (await _counted(desk, blueprint))[0] == 1


async def test_a_blueprint_is_current_whoever_changes_the_graph(desk: Desk) -> None:
    matter = await desk.new("Entity", name="Marex", kind="matter")
    template = await desk.new("Template", name="T")
    blueprint = await _blueprint(desk, template, matter_ids=[matter])
    stranger = await desk.viewer(principal_id="x", matters=[])
    await desk.library.save_graph(stranger, RecordRef(id=template), chain("a", "b"))
    assert (await _counted(desk, blueprint))[0] == 2
