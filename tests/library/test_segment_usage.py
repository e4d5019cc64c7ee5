"""What a graph says of its modules beyond their content, and how segments are used because of it."""

from typing import Any

import pytest

from graph_schema.registry import REGISTRY
from service.access.viewer import KeyScope
from service.commands import RecordRef
from service.commands.errors import RecordMissing
from service.doctor import examine
from service.library.cypher import assets, blueprints, graphs, segments
from service.library.errors import GraphInvalid, SegmentNotInGraph
from service.library.graphs import CableInput, GraphInput
from service.library.read import LibraryReader, SegmentUsage
from service.library.segment_saving import SegmentInput
from service.library.ties import Placement, Ties
from service.memory.reporting.commands import Reporting
from tests.library.conftest import Desk, chain, module
from tests.memory.stories import Story, step
from tests.plans import operators, plan_anew

pytestmark = pytest.mark.slow


async def taken(desk: Desk, source: str, *modules: str) -> str:
    asked = SegmentInput({"name": "Part"}, None, RecordRef(id=source), modules)
    return (await desk.library.save_segment(await desk.viewer(), asked)).result["id"]


async def put(desk: Desk, of: str, graph: GraphInput, *placements: Placement, **presets: str) -> None:
    ties = Ties({key: RecordRef(id=one) for key, one in presets.items()}, placements)
    await desk.library.save_graph(await desk.viewer(), RecordRef(id=of), graph, ties)


async def used(desk: Desk, segment: str, **viewer: Any) -> SegmentUsage:
    [found] = await LibraryReader(desk.database).usages(await desk.viewer(**viewer), [segment])
    assert found
    return found


async def ran(desk: Desk, key: str, *steps: tuple[str, float], **run: Any) -> None:
    """A run whose steps each take a second and cost something."""
    story = Story({"source": "exec", "key": key}, run.pop("policy", None)).tell("run_started", **run)
    for place, (name, cost) in enumerate(steps, 1):
        story.tell("activation_started", **step(name, place))
        story.tell("activation_completed", cost_usd=cost, **step(name, place))
    reporting = Reporting(desk.database, REGISTRY, lambda _new: None)
    answers = await reporting.report(await desk.viewer(), story.events)
    assert {one.code for one in answers} == {None}


def renamed(**modules: str) -> dict[str, str]:
    return modules


async def test_usage_follows_the_graphs_that_have_the_segment(desk: Desk) -> None:
    source, into = await desk.new("Template", name="Source"), await desk.new("Task", name="Into")
    await desk.graph(source, chain("a", "b", "c"))
    segment = await taken(desk, source, "b", "c")
    assert (await used(desk, segment)).usage_count == 1
    whole = chain("x", "b", "c", "b2", "c2")
    await put(
        desk, into, whole, Placement(RecordRef(id=segment)), Placement(RecordRef(id=segment), renamed(b="b2", c="c2"))
    )
    assert (await used(desk, segment)).usage_count == 2
    [row] = await desk.rows(
        "MATCH (:Module)-[r:IN_SEGMENT]->() RETURN count(r) AS ties, count(DISTINCT r.placement) AS p"
    )
    assert (row["ties"], row["p"]) == (6, 2)
    await desk.graph(into, chain("x", "b", "c", "b2", "c2", "last"))
    assert (await used(desk, segment)).usage_count == 2
    await desk.graph(into, chain("c", "b"))
    assert (await used(desk, segment)).usage_count == 1
    await desk.records.set_state(
        await desk.viewer(), RecordRef(id=source), archived=True, command_id=None, if_version=None
    )
    assert (await used(desk, segment)).usage_count == 0
    assert await LibraryReader(desk.database).usages(await desk.viewer(), ["seg_missing"]) == [None]
    assert await examine(desk.database) == []


async def test_time_and_cost_are_those_of_its_own_modules(desk: Desk) -> None:
    source = await desk.new("Template", name="Source", source="exec", source_key="tpl")
    task = await desk.new("Task", name="Task", source="exec", source_key="task")
    await desk.graph(source, chain("a", "b", "c"))
    segment = await taken(desk, source, "b", "c")
    assert await used(desk, segment) == SegmentUsage(1, 0, None, None, None)
    await put(desk, task, chain("q", "c"), *())
    await ran(desk, "one", ("a", 9.0), ("b", 0.25), ("c", 0.5), ("c", 0.25), template_key="tpl", task_key="other")
    await ran(desk, "two", ("b", 2.0), template_key="tpl", task_key="task")
    await ran(desk, "elsewhere", ("b", 5.0), task_key="another")
    await ran(desk, "without", ("a", 5.0), template_key="tpl")
    found = await used(desk, segment)
    assert (found.usage_count, found.run_count, found.avg_duration_ms, found.avg_cost_usd) == (1, 2, 2000.0, 1.5)
    assert found.last_used_at == "2026-01-01T10:00:00.000Z"
    await desk.graph(source, chain("a", "z"))
    assert ((await used(desk, segment)).usage_count, (await used(desk, segment)).run_count) == (0, 2)


async def test_what_is_hidden_counts_for_nobody_else(desk: Desk) -> None:
    matter = await desk.new("Entity", name="Marex", kind="matter")
    source = await desk.new("Template", name="Source", source="exec", source_key="tpl")
    hidden = await desk.new("Template", name="Hidden", matter_ids=[matter], source="exec", source_key="hidden")
    await desk.graph(source, chain("a", "b"))
    segment = await taken(desk, source, "b")
    await put(desk, hidden, chain("y", "b"), Placement(RecordRef(id=segment)))
    policy = {"memory_mode": "standard", "data_class": "internal", "matter_ids": [matter]}
    await ran(desk, "one", ("b", 1.0), template_key="hidden", policy=policy)
    await ran(desk, "two", ("b", 3.0), template_key="tpl", policy=policy)
    stranger: dict[str, Any] = {"principal_id": "x", "matters": [], "scopes": [KeyScope.read, KeyScope.curate]}
    assert (await used(desk, segment)).run_count == 2
    assert await used(desk, segment, **stranger) == SegmentUsage(1, 0, None, None, None)
    theirs = await taken(desk, hidden, "y")
    assert await LibraryReader(desk.database).usages(await desk.viewer(**stranger), [theirs]) == [None]
    viewer = await desk.viewer(**stranger)
    for one in (theirs, "seg_missing"):
        ties = Ties(segments=[Placement(RecordRef(id=one))])
        with pytest.raises(RecordMissing):
            await desk.library.save_graph(viewer, RecordRef(id=source), chain("y"), ties)


@pytest.mark.parametrize(
    ("graph", "modules"),
    [
        (chain("b"), {}),
        (chain("b", "x"), {}),
        (chain("c", "b"), {}),
        (chain("b", "c"), {"b": "c"}),
        (chain("b", "c"), {"nowhere": "b"}),
        (GraphInput([module("b", "step.judge"), module("c")], [CableInput("b", "c", "out", "in")]), {}),
    ],
)
async def test_a_segment_that_is_not_in_the_graph_is_refused(
    desk: Desk, graph: GraphInput, modules: dict[str, str]
) -> None:
    source, into = await desk.new("Template", name="Source"), await desk.new("Template", name="Into")
    await desk.graph(source, chain("a", "b", "c"))
    segment = await taken(desk, source, "b", "c")
    with pytest.raises(SegmentNotInGraph) as error:
        await put(desk, into, graph, Placement(RecordRef(id=segment), modules))
    assert (error.value.code, error.value.field) == ("segment_not_in_graph", "graph.segments")


PRESETS = """
MATCH (:Record {id: $id})-[:HAS_GRAPH]->(g:GraphSnapshot)-[:HAS_MODULE]->(m:Module)-[:USES_PRESET]->(p:Preset)
RETURN m.module_key AS module, p.name AS preset ORDER BY module
"""


async def presets(desk: Desk, owner: str) -> dict[str, str]:
    return {row["module"]: row["preset"] for row in await desk.rows(PRESETS, id=owner)}


async def test_a_module_keeps_its_preset_until_it_changes(desk: Desk) -> None:
    template = await desk.new("Template", name="Whole")
    one = await desk.new("Preset", name="One", module_type="step.agent_task")
    other = await desk.new("Preset", name="Other", module_type="step.agent_task")
    await put(desk, template, chain("a", "b"), a=one, b=one)
    assert await presets(desk, template) == {"a": "One", "b": "One"}
    await put(desk, template, chain("a", "b"), b=other)
    assert await presets(desk, template) == {"a": "One", "b": "Other"}
    segment = await taken(desk, template, "b")
    assert await presets(desk, segment) == {"b": "Other"}
    await put(desk, template, chain("a", "b", "c"), a=other)
    assert await presets(desk, template) == {"a": "Other", "b": "Other"}
    changed = GraphInput([module("a", config='{"x": 1}'), module("b", "step.judge"), module("c")])
    await desk.graph(template, changed)
    assert await presets(desk, template) == {}
    with pytest.raises(GraphInvalid):
        await put(desk, template, changed, b=one)
    with pytest.raises(RecordMissing):
        await put(desk, template, changed, a="pre_missing")
    assert await examine(desk.database) == []


async def test_no_statement_scans(desk: Desk) -> None:
    """The cost follows the answer: every record is found by an index or by a link."""
    given = {"ids": ["a"], "id": "a", "audiences": ["a"], "recent": 9, "latest": "9", "owner": "a", "shape": "s",
             "graphs": [], "leaving": [], "changed": [], "blueprints": [], "gained": [], "lost": [], "together": [],
             "keys": ["a"], "source": "n8n", "key": "a", "kinds": []}  # fmt: skip
    statements = (
        segments.SEGMENT_USAGE,
        graphs.TIED_MODULES,
        segments.SEGMENT_GRAPHS,
        assets.DESIGN_FACTS,
        assets.GROUP_WORTH,
        graphs.GRAPHS,
        assets.TASK_LINKS,
        graphs.MODULE_BONDS,
        blueprints.BLUEPRINT_MEASURES,
        segments.TAKEN_BEFORE,
        segments.CAPABILITIES_CALLED,
        blueprints.OWN_BLUEPRINTS,
        graphs.PRESENT_EXTRA,
        graphs.SHARED_GRAPHS,
        segments.SEGMENT_SOURCE,
        segments.GRAPH_TO_CHECK,
    )
    await plan_anew(desk.database)
    for one in statements:
        used = await operators(desk.database, one, **given)
        assert not [operator for operator in used if operator.endswith("Scan")], (one, used)
