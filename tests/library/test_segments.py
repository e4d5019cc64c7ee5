"""Segments: taken from a graph, told apart by shape, and checked before they are put into another."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph_schema.fields import DataClass
from graph_schema.library_words import CapabilityState
from service.access.viewer import KeyScope
from service.commands import RecordRef
from service.commands.errors import InputInvalid, RecordMissing
from service.graph.doctor import examine
from service.library.capabilities import StateReport
from service.library.errors import SegmentWithoutPorts, SelectionInvalid
from service.library.graphs import CableInput, GraphInput, canonical
from service.library.segment_saving import SegmentInput, check_insertion
from service.library.segments import ports_of, structure_hash
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
            await check_insertion(desk.database, stranger, RecordRef(id=outcome.result["id"]), RecordRef(id=one))
    with pytest.raises(RecordMissing):
        await check_insertion(desk.database, stranger, RecordRef(id=segment), RecordRef(id=seen))
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
    found = await check_insertion(desk.database, viewer, RecordRef(id=segment), RecordRef(id=into))
    assert found.fits
    assert [(port.port, port.candidates) for port in found.required_inputs] == [("b.in", ("b.out", "x.out"))]
    assert (found.clashing_keys, found.missing_capabilities) == (("b",), ("denied", "down", "granted", "missing"))
    await _report(desk, needs["down"], "down")
    worse = await check_insertion(desk.database, viewer, RecordRef(id=segment), RecordRef(id=bare))
    assert (worse.fits, worse.denied_capabilities, worse.unavailable_capabilities) == (False, ("denied",), ("down",))
    assert (worse.missing_capabilities, len(worse.reasons)) == (("down", "missing"), 3)


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


@settings(max_examples=40, deadline=None)
@given(st.permutations("abcde"), st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4))))
def test_a_shape_does_not_depend_on_names(names: list[str], ends: set[tuple[int, int]]) -> None:
    def shaped(keys: str, kinds: str = "stuvw") -> GraphInput:
        modules = [module(key, kind) for key, kind in zip(keys, kinds, strict=True)]
        return canonical(GraphInput(modules, [CableInput(keys[one], keys[other]) for one, other in ends]))

    first = structure_hash(shaped("abcde"))
    assert structure_hash(shaped("".join(names))) == first
    assert structure_hash(shaped("abcde", "stuvx")) != first


@settings(max_examples=40, deadline=None)
@given(st.sets(st.sampled_from("abcdef"), min_size=1))
def test_a_port_is_served_inside_or_shown_outside(chosen: set[str]) -> None:
    graph = canonical(chain(*"abcdef"))
    ports = ports_of(graph, sorted(chosen))
    inside = [one for one in graph.cables if {one.tail, one.head} <= chosen]
    assert len(ports.required) == len(chosen) - len(inside) == len(ports.exposed)
