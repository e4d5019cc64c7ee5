"""Segments: taken from a graph, told apart by shape, and checked before they are put into another."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_schema.library.words import CapabilityState
from graph_schema.model.fields import DataClass
from service.access.viewer import KeyScope
from service.commands import RecordRef
from service.commands.errors import InputInvalid, RecordMissing
from service.doctor import examine
from service.library.blueprints import BlueprintInput, PartInput
from service.library.capabilities import StateReport
from service.library.errors import SegmentWithoutPorts, SelectionInvalid
from service.library.graphs import CableInput, GraphInput, canonical
from service.library.read import LibraryReader
from service.library.segment_saving import SegmentInput
from service.library.segments import Needs, insertion, ports_of, structure_hash
from service.library.ties import Ties
from tests.laws import law
from tests.library.conftest import Desk, chain, module


async def save(desk: Desk, source: str | None, modules: tuple[str, ...] = (), **values: Any) -> dict[str, Any]:
    record_id = values.pop("record_id", None)
    ref = RecordRef(id=source) if source else None
    asked = SegmentInput({"name": "Part", **values}, record_id, ref, modules)
    return (await desk.library.save_segment(await desk.viewer(), asked)).result


TAKEN = """
MATCH (s:Segment {id: $id})-[:HAS_GRAPH]->(g:GraphSnapshot)-[:HAS_MODULE]->(m:Module)
RETURN s.required_input_ports AS required, s.exposed_output_ports AS exposed, collect(m.module_key) AS modules,
  COUNT { (s)-[:TAKEN_FROM]->(:GraphSnapshot) } AS taken, COUNT { (s)-[:REQUIRES]->(:Capability) } AS needs, g.id AS g
"""


@pytest.mark.slow
async def test_a_segment_is_taken_from_chosen_modules(desk: Desk) -> None:
    template = await desk.new("Template", name="Whole")
    snapshot = (await desk.graph(template, chain("a", "b", "c", "d")))["id"]
    [judge] = await desk.rows("MATCH (m:Module {module_key: 'b'}) RETURN m.id AS id")
    capability = await desk.new("Capability", name="PACER", capability_kind="tool")
    await desk.link(judge["id"], "REQUIRES", capability)
    for source in (template, snapshot):
        saved = await save(desk, source, ("b", "c"))
        [row] = await desk.rows(TAKEN, id=saved["id"])
        assert (row["required"], row["exposed"], sorted(row["modules"])) == (["b.in"], ["c.out"], ["b", "c"])
        assert (row["taken"], row["needs"]) == (1, 1)
    assert await examine(desk.database) == []
    again = await save(desk, None, record_id=saved["id"], description="Better.")
    assert again["version"] == saved["version"] + 1
    other = await save(desk, template, ("c",), record_id=saved["id"])
    [row] = await desk.rows(TAKEN, id=other["id"])
    assert (row["modules"], row["required"]) == (["c"], ["c.in"])


async def test_a_segment_that_nothing_could_be_cabled_to_is_refused(desk: Desk) -> None:
    template = await desk.new("Template", name="Whole")
    await desk.graph(template, GraphInput([module("a"), module("b")], [CableInput("a", "b")]))
    with pytest.raises(SegmentWithoutPorts) as error:
        await save(desk, template, ("a", "b"))
    assert error.value.code == "validation.task_segment_missing_exposed_io"
    assert (await save(desk, template, ("a",)))["warnings"] == []
    for modules in ((), ("nowhere",)):
        with pytest.raises((SelectionInvalid, SegmentWithoutPorts)):
            await save(desk, template, modules)
    with pytest.raises(InputInvalid):
        await save(desk, None)


async def test_the_same_shape_under_other_names_is_a_possible_duplicate(desk: Desk) -> None:
    one, other = await desk.new("Template", name="One"), await desk.new("Template", name="Other")
    await desk.graph(one, chain("a", "b", "c"))
    await desk.graph(other, chain("x", "y", "z"))
    first = await save(desk, one, ("a", "b"))
    assert first["warnings"] == []
    second = await save(desk, other, ("y", "z"))
    assert (second["warnings"], second["duplicates"]) == (["warning.task_segment_possible_duplicate"], [first["id"]])
    assert (await save(desk, one, ("a", "b", "c")))["warnings"] == []


@pytest.mark.slow
async def test_hidden_segments_and_graphs_are_not_there(desk: Desk) -> None:
    matter = await desk.new("Entity", name="Marex", kind="matter")
    hidden = await desk.new("Template", name="Hidden", matter_ids=[matter])
    seen = await desk.new("Template", name="Seen")
    await desk.graph(hidden, chain("a", "b"))
    await desk.graph(seen, chain("a", "b"))
    segment = (await save(desk, hidden, ("a",)))["id"]
    assert (await desk.stored(segment))["matter_ids"] == [matter]
    [row] = await desk.rows(TAKEN, id=segment)
    assert (await desk.stored(row["g"]))["matter_ids"] == [matter]
    stranger = await desk.viewer(principal_id="x", matters=[], scopes=[KeyScope.read, KeyScope.curate])
    outcome = await desk.library.save_segment(stranger, SegmentInput({"name": "P"}, None, RecordRef(id=seen), ["a"]))
    assert (outcome.result["warnings"], outcome.result["duplicates"]) == ([], [])
    for one in (hidden, "tpl_missing"):
        with pytest.raises(RecordMissing):
            await desk.library.save_segment(stranger, SegmentInput({"name": "P"}, None, RecordRef(id=one), ["a"]))
        with pytest.raises(RecordMissing):
            await LibraryReader(desk.database).check_insertion(
                stranger, RecordRef(id=outcome.result["id"]), RecordRef(id=one)
            )
    with pytest.raises(RecordMissing):
        await LibraryReader(desk.database).check_insertion(stranger, RecordRef(id=segment), RecordRef(id=seen))
    assert await examine(desk.database) == []


async def test_an_insertion_is_checked_for_ports_names_and_capabilities(desk: Desk) -> None:
    one, into = await desk.new("Template", name="One"), await desk.new("Task", name="Into")
    await desk.graph(one, chain("a", "b"))
    await desk.graph(into, chain("x", "b"))
    segment = (await save(desk, one, ("b",)))["id"]
    names = ("granted", "denied", "missing", "down")
    needs = {name: await desk.new("Capability", name=name, capability_kind="tool") for name in names}
    for one_id in needs.values():
        await desk.link(segment, "REQUIRES", one_id)
    bare = await desk.new("Template", name="Bare")
    await desk.graph(bare, GraphInput([module("only")]))
    await desk.link(bare, "ALLOWS", needs["granted"])
    await desk.link(bare, "DENIES", needs["denied"])
    viewer = await desk.viewer()
    found = await LibraryReader(desk.database).check_insertion(viewer, RecordRef(id=segment), RecordRef(id=into))
    assert found.fits
    assert [(port.port, port.candidates) for port in found.required_inputs] == [("b.in", ("b.out", "x.out"))]
    assert (found.clashing_keys, found.missing_capabilities) == (("b",), ("denied", "down", "granted", "missing"))
    await _report(desk, needs["down"], "down")
    worse = await LibraryReader(desk.database).check_insertion(viewer, RecordRef(id=segment), RecordRef(id=bare))
    assert (worse.fits, worse.denied_capabilities, worse.unavailable_capabilities) == (False, ("denied",), ("down",))
    assert (worse.missing_capabilities, len(worse.reasons)) == (("down", "missing"), 3)


async def test_what_is_said_around_the_owner_of_a_graph_counts(desk: Desk) -> None:
    one, into = await desk.new("Template", name="One"), await desk.new("Task", name="Into")
    await desk.graph(one, chain("a", "b"))
    await desk.graph(into, chain("x", "y"))
    segment = (await save(desk, one, ("b",)))["id"]
    names = ("template", "blueprint", "group", "hidden", "free")
    needs = {name: await desk.new("Capability", name=name, capability_kind="tool") for name in names}
    for one_id in needs.values():
        await desk.link(segment, "REQUIRES", one_id)
    matter = await desk.new("Entity", name="Marex", kind="matter")
    group, unseen = (
        await desk.new("TemplateGroup", name="G"),
        await desk.new("TemplateGroup", name="H", matter_ids=[matter]),
    )
    template = await desk.new("Template", name="Made from")
    values = {"name": "B", "business_or_personal_goal": "-", "task_type": "review"}
    denied = {"denies": [RecordRef(id=needs["blueprint"])]}
    blueprint = BlueprintInput(values=values, of=RecordRef(id=into), links=denied)
    await desk.library.save_blueprint(await desk.viewer(), blueprint)
    await desk.link(into, "INSTANTIATES", template)
    await desk.link(template, "DENIES", needs["template"])
    for place, name in ((group, "group"), (unseen, "hidden")):
        await desk.link(template, "IN_GROUP", place)
        await desk.link(place, "DENIES", needs[name])
    stranger = await desk.viewer(principal_id="x", matters=[])
    found = await LibraryReader(desk.database).check_insertion(stranger, RecordRef(id=segment), RecordRef(id=into))
    assert (found.fits, found.denied_capabilities) == (False, ("blueprint", "group", "template"))
    assert found.missing_capabilities == ("free", "hidden")


@pytest.mark.slow
async def test_a_segment_needs_what_its_nodes_and_presets_need(desk: Desk) -> None:
    template = await desk.new("Template", name="Whole")
    kinds = {
        "a": "n8n-nodes-base.gmail",
        "b": "n8n-nodes-base.set",
        "c": "step.agent_task",
        "d": "n8n-nodes-base.slack",
    }
    ports: dict[str, Any] = {"input_ports": ("main:0",), "output_ports": ("main:0",)}
    modules = [module(key, kind, disabled=key == "d", **ports) for key, kind in kinds.items()]
    preset = await desk.new("Preset", name="P", module_type="step.agent_task")
    ties = Ties({"c": RecordRef(id=preset)})
    await desk.library.save_graph(await desk.viewer(), RecordRef(id=template), GraphInput(modules), ties)
    known = {"source": "n8n", "capability_kind": "connector"}
    for key in ("gmail", "slack"):
        await desk.new("Capability", name=key, source_key=key, **known)
    for name in ("preset", "by hand"):
        await desk.new("Capability", name=name, capability_kind="tool")
    ids = {row["name"]: row["id"] for row in await desk.rows("MATCH (c:Capability) RETURN c.name AS name, c.id AS id")}
    await desk.link(preset, "REQUIRES", ids["preset"])
    segment = (await save(desk, template, ("a", "b", "c", "d")))["id"]
    needs = "MATCH (:Segment {id: $id})-[:REQUIRES]->(c) RETURN c.name AS name ORDER BY name"
    assert [row["name"] for row in await desk.rows(needs, id=segment)] == ["gmail", "preset"]
    await desk.link(segment, "REQUIRES", ids["by hand"])
    await save(desk, template, ("b", "c"), record_id=segment)
    assert [row["name"] for row in await desk.rows(needs, id=segment)] == ["by hand", "preset"]


async def test_a_segment_that_is_taken_anew_is_from_there_alone(desk: Desk) -> None:
    task, other = await desk.new("Task", name="Task"), await desk.new("Template", name="Other")
    first = await desk.graph(task, chain("a", "b"))
    steps = [PartInput({"step_key": key, "purpose": "-"}, bound_modules=[key]) for key in ("a", "b")]
    values = {"name": "B", "business_or_personal_goal": "-", "task_type": "review"}
    blueprint = BlueprintInput(values=values, of=RecordRef(id=task), parts={"steps": steps})
    await desk.library.save_blueprint(await desk.viewer(), blueprint)
    [judge] = await desk.rows("MATCH (m:Module {module_key: 'b'}) RETURN m.id AS id")
    await desk.link(judge["id"], "REQUIRES", await desk.new("Capability", name="PACER", capability_kind="tool"))
    segment = (await save(desk, task, ("b",)))["id"]
    links = """
    MATCH (:Segment {id: $id})-[r:TAKEN_FROM|SAVED_FROM|COVERS_STEP|REQUIRES]->(n)
    RETURN type(r) + ' ' + coalesce(n.step_key, n.graph_hash, n.name) AS link ORDER BY link
    """
    assert [row["link"] for row in await desk.rows(links, id=segment)] == [
        "COVERS_STEP b", "REQUIRES PACER", "SAVED_FROM " + first["graph_hash"], "TAKEN_FROM " + first["graph_hash"],
    ]  # fmt: skip
    second = await desk.graph(other, chain("a", "b", "c"))
    await save(desk, other, ("b",), record_id=segment)
    assert [row["link"] for row in await desk.rows(links, id=segment)] == [
        "SAVED_FROM " + second["graph_hash"], "TAKEN_FROM " + second["graph_hash"],
    ]  # fmt: skip
    assert await examine(desk.database) == []


async def test_a_segment_covers_the_steps_of_where_it_is_taken_from(desk: Desk) -> None:
    values = {"business_or_personal_goal": "-", "task_type": "review"}
    owners: dict[str, str] = {}
    for name in ("One", "Two"):
        owners[name] = await desk.new("Template", name=name)
        await desk.graph(owners[name], chain("a", "b"))
        steps = [PartInput({"step_key": f"{name} b", "purpose": "-"}, bound_modules=["b"])]
        asked = BlueprintInput(values={**values, "name": name}, of=RecordRef(id=owners[name]), parts={"steps": steps})
        await desk.library.save_blueprint(await desk.viewer(), asked)
    segment = (await save(desk, owners["One"], ("b",)))["id"]
    covered = "MATCH (:Segment {id: $id})-[:COVERS_STEP]->(s) RETURN s.step_key AS key"
    assert [row["key"] for row in await desk.rows(covered, id=segment)] == ["One b"]


@law(15)
@given(st.sets(st.sampled_from(["main:0", "main:1", "ai_tool:0", "out"]), min_size=1))
def test_a_port_is_fed_by_its_own_kind(offered: set[str]) -> None:
    into = canonical(GraphInput([module("x.y", output_ports=sorted(offered))]))
    part = canonical(GraphInput([module("b", input_ports=["ai_tool:1", "in"])]))
    found = insertion(part, ports_of(part, ["b"]), into, Needs(*[frozenset[str]()] * 4))
    candidates = {one.port: {*one.candidates} for one in found.required_inputs}
    assert candidates["b.in"] == {f"x.y.{port}" for port in offered}
    assert candidates["b.ai_tool:1"] == {f"x.y.{port}" for port in offered & {"ai_tool:0", "out"}}
    assert found.fits == bool(candidates["b.ai_tool:1"])


async def _report(desk: Desk, capability: str, state: str, generation: int = 0, minute: int = 0) -> dict[str, Any]:
    told = StateReport(CapabilityState(state), f"2026-01-01T00:{minute:02}:00.000Z", generation)
    viewer = await desk.viewer(scopes=[KeyScope.report])
    return (await desk.library.report_capability_state(viewer, RecordRef(id=capability), told)).result


async def test_the_newest_state_of_a_capability_holds_whatever_comes_last(desk: Desk) -> None:
    capability = await desk.new("Capability", name="PACER", capability_kind="tool")
    assert "state" not in await desk.stored(capability)
    reports = [("up", 1, 5), ("down", 1, 4), ("authorisation_missing", 0, 9), ("down", 2, 0), ("up", 2, 0)]
    changed = [(await _report(desk, capability, *one))["changed"] for one in reports]
    assert changed == [True, False, False, True, False]
    stored = await desk.stored(capability)
    assert (stored["state"], stored["state_generation"], stored["state_reported_by"]) == ("down", 2, "prin_admin")
    hidden = await desk.new("Capability", name="H", capability_kind="tool", data_class="local_only")
    told = StateReport(CapabilityState.up, stored["state_as_of"], 3)
    stranger = await desk.viewer(clearance=DataClass.internal, principal_id="x", scopes=[KeyScope.report])
    for unknown in ("cap_missing", hidden):
        with pytest.raises(RecordMissing):
            await desk.library.report_capability_state(stranger, RecordRef(id=unknown), told)
    assert await examine(desk.database) == []


@law(15)
@given(st.permutations("abcde"), st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4))))
def test_a_shape_does_not_depend_on_names(names: list[str], ends: set[tuple[int, int]]) -> None:
    def shaped(keys: str, kinds: str = "stuvw") -> GraphInput:
        modules = [module(key, kind) for key, kind in zip(keys, kinds, strict=True)]
        return canonical(GraphInput(modules, [CableInput(keys[one], keys[other]) for one, other in ends]))

    first = structure_hash(shaped("abcde"))
    assert structure_hash(shaped("".join(names))) == first
    assert structure_hash(shaped("abcde", "stuvx")) != first


@law(15)
@given(st.sets(st.sampled_from("abcdef"), min_size=1))
def test_a_port_is_served_inside_or_shown_outside(chosen: set[str]) -> None:
    graph = canonical(chain(*"abcdef"))
    ports = ports_of(graph, sorted(chosen))
    inside = [one for one in graph.cables if {one.tail, one.head} <= chosen]
    assert len(ports.required) == len(chosen) - len(inside) == len(ports.exposed)
