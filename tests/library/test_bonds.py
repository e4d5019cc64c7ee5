"""What is said of a module holds of the module that is called the same in the graph that takes its place."""

import pytest

from service.access.viewer import PrincipalKind
from service.commands import RecordRef
from service.commands.approval import TemplateNeedsApproval
from service.doctor import examine
from service.library.blueprints import BlueprintInput, PartInput
from service.library.segment_saving import SegmentInput
from service.library.ties import Placement, Ties
from tests.library.conftest import Desk, chain

pytestmark = pytest.mark.slow

BOUND = """
MATCH (step:StepIntent)-[:BOUND_TO]->(m:Module)<-[:HAS_MODULE]-(g:GraphSnapshot)
RETURN step.step_key AS step, m.module_key AS key, g.id AS graph ORDER BY step, graph
"""
SAID = """
MATCH (:Record {id: $owner})-[:HAS_GRAPH]->(:GraphSnapshot)-[:HAS_MODULE]->(m:Module {module_key: $key})
RETURN [(m)-[r:REQUIRES|ALLOWS|DENIES|SCOPED_TO]->(other) | type(r) + ' ' + other.name + coalesce(' ' + r.role, '')]
  AS own, COUNT { (m)<-[:DECIDED_ABOUT]-() } AS decided
"""


async def _blueprint(desk: Desk, *owners: str) -> None:
    steps = [PartInput({"step_key": key, "purpose": "-"}, bound_modules=[key]) for key in ("a", "b")]
    values = {"name": "B", "business_or_personal_goal": "-", "task_type": "review"}
    asked = BlueprintInput(values=values, of=RecordRef(id=owners[0]), parts={"steps": steps})
    saved = (await desk.library.save_blueprint(await desk.viewer(), asked)).result
    for one in owners[1:]:
        await desk.link(one, "HAS_BLUEPRINT", saved["id"])


async def _module(desk: Desk, owner: str, key: str) -> str:
    [row] = await desk.rows(
        "MATCH (:Record {id: $id})-[:HAS_GRAPH]->()-[:HAS_MODULE]->(m {module_key: $key}) RETURN m.id AS id",
        id=owner,
        key=key,
    )
    return row["id"]


async def test_steps_stay_bound_to_the_modules_of_the_present_graph(desk: Desk) -> None:
    template = await desk.new("Template", name="T")
    await desk.graph(template, chain("a", "b"))
    await _blueprint(desk, template)
    second = await desk.graph(template, chain("a", "b", "c"))
    bound = [(one["step"], one["key"], one["graph"]) for one in await desk.rows(BOUND)]
    assert bound == [("a", "a", second["id"]), ("b", "b", second["id"])]
    assert "validation.blueprint_graph_mismatch" not in second["warnings"]
    third = await desk.graph(template, chain("a", "c"))
    assert "validation.blueprint_graph_mismatch" in third["warnings"]
    assert [(one["step"], one["graph"]) for one in await desk.rows(BOUND)] == [("a", third["id"])]
    assert "validation.blueprint_graph_mismatch" not in (await desk.graph(template, chain("a")))["warnings"]
    assert await examine(desk.database) == []


async def test_a_graph_that_another_owner_of_the_blueprint_has_keeps_its_bindings(desk: Desk) -> None:
    one, other = await desk.new("Template", name="One"), await desk.new("Template", name="Other")
    first = await desk.graph(one, chain("a", "b"))
    await desk.graph(other, chain("a", "b"))
    await _blueprint(desk, one, other)
    second = await desk.graph(one, chain("a", "x"))
    bound = {(row["step"], row["graph"]) for row in await desk.rows(BOUND)}
    assert bound == {("a", first["id"]), ("b", first["id"]), ("a", second["id"])}


async def test_a_step_is_bound_in_the_graphs_of_all_owners(desk: Desk) -> None:
    one, other = await desk.new("Template", name="One"), await desk.new("Template", name="Other")
    first, second = await desk.graph(one, chain("a", "b")), await desk.graph(other, chain("a", "b", "c"))
    await _blueprint(desk, one, other)
    await _blueprint(desk, one)
    everywhere = {(key, graph["id"]) for key in ("a", "b") for graph in (first, second)}
    assert {(row["step"], row["graph"]) for row in await desk.rows(BOUND)} == everywhere
    [before] = await desk.rows("MATCH (b:Blueprint) RETURN b.version AS version")
    await _blueprint(desk, one)
    assert await desk.rows("MATCH (b:Blueprint) RETURN b.version AS version") == [before]


async def test_a_hidden_step_is_not_told(desk: Desk) -> None:
    matter = await desk.new("Entity", name="Marex", kind="matter")
    template = await desk.new("Template", name="T")
    await desk.graph(template, chain("a", "b"))
    await _blueprint(desk, template)
    [row] = await desk.rows("MATCH (b:Blueprint) RETURN b.id AS id")
    await desk.save("Blueprint", row["id"], matter_ids=[matter])
    stranger = await desk.viewer(principal_id="x", matters=[])
    done = await desk.library.save_graph(stranger, RecordRef(id=template), chain("a"))
    assert "validation.blueprint_graph_mismatch" not in done.result["warnings"]
    assert [one["step"] for one in await desk.rows(BOUND)] == ["a"]


async def test_needs_scope_and_decisions_follow_the_module(desk: Desk) -> None:
    template = await desk.new("Template", name="T")
    await desk.graph(template, chain("a", "b"))
    module = await _module(desk, template, "a")
    for kind, name in (("REQUIRES", "Mail"), ("ALLOWS", "Web"), ("DENIES", "Shell")):
        await desk.link(module, kind, await desk.new("Capability", name=name, capability_kind="tool"))
    viewer = await desk.viewer()
    person = RecordRef(id=await desk.new("Entity", name="Ada", kind="person"))
    await desk.records.link(viewer, RecordRef(id=module), "SCOPED_TO", person, {"role": "client"})
    lesson = await desk.new("Lesson", name="L", design_choice="Ask first.", because="It errs.")
    await desk.link(lesson, "DECIDED_ABOUT", module)
    await desk.graph(template, chain("a", "c"))
    [row] = await desk.rows(SAID, owner=template, key="a")
    assert sorted(row["own"]) == ["ALLOWS Web", "DENIES Shell", "REQUIRES Mail", "SCOPED_TO Ada client"]
    assert row["decided"] == 1
    decided = await desk.rows("MATCH (:Lesson)-[:DECIDED_ABOUT]->(m) RETURN m.id AS id")
    assert [one["id"] for one in decided] == [await _module(desk, template, "a")]
    assert await examine(desk.database) == []


TIED = """
MATCH (:Record {id: $owner})-[:HAS_GRAPH]->(g:GraphSnapshot)
RETURN g.id AS graph, COLLECT { MATCH (g)-[:HAS_MODULE]->()-[:USES_PRESET]->(p) RETURN p.id } AS presets,
  COUNT { (g)-[:HAS_MODULE]->()-[:REQUIRES|ALLOWS|DENIES|IN_SEGMENT]->() } AS others,
  COUNT { (g)-[:HAS_MODULE]->()<-[:DECIDED_ABOUT]-() } AS decided
"""


async def _segment(desk: Desk) -> str:
    source = await desk.new("Task", name="Source")
    await desk.graph(source, chain("a", "b", "c"))
    asked = SegmentInput({"name": "Part"}, None, RecordRef(id=source), ("a", "b"))
    return (await desk.library.save_segment(await desk.viewer(), asked)).result["id"]


async def _busy_task(desk: Desk, preset: str) -> str:
    """A task whose module `a` is tied to all that a module may be tied to."""
    task, capability = (
        await desk.new("Task", name="Mine"),
        await desk.new("Capability", name="C", capability_kind="tool"),
    )
    lesson = await desk.new("Lesson", name="L", design_choice="Ask first.", because="It errs.")
    await desk.graph(task, chain("a", "x"), ties=Ties({"a": RecordRef(id=preset)}))
    module = await _module(desk, task, "a")
    denied = await desk.new("Capability", name="D", capability_kind="tool")
    for kind, bound in (("REQUIRES", capability), ("ALLOWS", capability), ("DENIES", denied)):
        await desk.link(module, kind, bound)
    await desk.link(lesson, "DECIDED_ABOUT", module)
    return task


async def test_an_agent_ties_nothing_to_the_modules_of_a_template_in_use(desk: Desk) -> None:
    approved = RecordRef(id=await desk.new("Preset", name="Approved", module_type="step.agent_task"))
    other = RecordRef(id=await desk.new("Preset", name="Other", module_type="step.agent_task"))
    template = await desk.new("Template", name="T")
    graph = await desk.graph(template, chain("a", "b"), ties=Ties({"b": approved}))
    segment = Placement(RecordRef(id=await _segment(desk)))
    task = await _busy_task(desk, str(other.id))
    await desk.proposed(task)
    expected = [{"graph": graph["id"], "presets": [approved.id], "others": 0, "decided": 0}]
    agent, mine = await desk.viewer(principal_id="agent", kind=PrincipalKind.agent), RecordRef(id=task)
    for stated in (Ties({"b": other}), Ties({"a": other}), Ties(segments=[segment])):
        with pytest.raises(TemplateNeedsApproval):
            await desk.library.save_graph(agent, mine, chain("a", "b"), stated)
    for stated in (Ties(), Ties({"b": approved})):
        await desk.library.save_graph(agent, mine, chain("a", "x"))
        saved = await desk.library.save_graph(agent, mine, chain("a", "b"), stated)
        assert saved.result["id"] == graph["id"]
        assert await desk.rows(TIED, owner=template) == expected
    with pytest.raises(TemplateNeedsApproval):
        await desk.library.save_graph(agent, mine, chain("a", "b"), Ties({"a": other}))
    assert await examine(desk.database) == []


async def test_steps_of_an_agents_task_are_bound_to_the_modules_that_it_shares(desk: Desk) -> None:
    template, task = await desk.new("Template", name="T"), await desk.new("Task", name="Mine")
    shared = await desk.graph(template, chain("a", "b"))
    await desk.graph(task, chain("a", "b", "c"))
    await _blueprint(desk, task)
    await desk.proposed(task, *(one["id"] for one in await desk.rows("MATCH (b:Blueprint) RETURN b.id AS id")))
    agent = await desk.viewer(principal_id="agent", kind=PrincipalKind.agent)
    await desk.library.save_graph(agent, RecordRef(id=task), chain("a", "b"))
    assert [(one["step"], one["graph"]) for one in await desk.rows(BOUND)] == [("a", shared["id"]), ("b", shared["id"])]


async def test_a_person_or_a_draft_lets_ties_come_along(desk: Desk) -> None:
    preset = await desk.new("Preset", name="P", module_type="step.agent_task")
    for state, kind in (("active", PrincipalKind.person), ("draft", PrincipalKind.agent)):
        template = await desk.new("Template", name="T", matter_ids=[await desk.new("Entity", name="M", kind="matter")])
        await desk.graph(template, chain("a", "b"))
        await desk.records.set_lifecycle(await desk.viewer(), RecordRef(id=template), state, None)
        task = await _busy_task(desk, preset)
        await desk.save("Task", task, matter_ids=(await desk.stored(template))["matter_ids"])
        if kind is PrincipalKind.agent:
            lessons = [row["id"] for row in await desk.rows("MATCH (l:Lesson) RETURN l.id AS id")]
            await desk.proposed(template, task, *lessons)
        viewer = await desk.viewer(principal_id="agent", kind=kind)
        await desk.library.save_graph(viewer, RecordRef(id=task), chain("a", "b"))
        [row] = await desk.rows(TIED, owner=template)
        assert (row["presets"], row["others"], row["decided"]) == ([preset], 3, 1)
