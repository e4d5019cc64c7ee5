"""Saved graphs: checked, hashed, kept once for the same readers, and nobody else's business."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_schema.model.fields import OPAQUE_LENGTH
from service.access.viewer import KeyScope
from service.commands import RecordRef
from service.commands.errors import NotAllowed, RecordMissing, TextTooLong, WrongKind
from service.doctor import examine
from service.library.cypher import graphs as cypher
from service.library.errors import GraphInvalid, GraphTooLarge, OwnerUnsaved
from service.library.graphs import MOST_MODULES, CableInput, GraphInput, canonical, graph_hash, graph_of
from tests.laws import law
from tests.library.conftest import Desk, chain, module

SNAPSHOT = """
MATCH (:Record {id: $id})-[:HAS_GRAPH]->(s:GraphSnapshot)-[:HAS_MODULE]->(m:Module)-[:OF_TYPE]->(t:ModuleType)
RETURN s.id AS id, collect(m.module_key + ':' + t.module_type) AS modules, count(m) AS count
"""


async def test_a_graph_becomes_modules_types_and_cables(desk: Desk) -> None:
    known = await desk.new("ModuleType", name="Judge", module_type="step.judge", family="step")
    template = await desk.new("Template", name="Review")
    graph = GraphInput(
        [module("draft"), module("judge", "step.judge", config='{"b": 1, "a": 2}')],
        [CableInput("draft", "judge", "yes", "in"), CableInput("draft", "judge", "no", "in")],
    )
    saved = await desk.graph(template, graph)
    [row] = await desk.rows(SNAPSHOT, id=template)
    assert (row["id"], sorted(row["modules"])) == (saved["id"], ["draft:step.agent_task", "judge:step.judge"])
    cables = await desk.rows("MATCH (:Module)-[r:CABLE]->(:Module) RETURN r.from_port AS port ORDER BY port")
    assert [one["port"] for one in cables] == ["no", "yes"]
    [judge] = await desk.rows("MATCH (m:Module {module_key: 'judge'})-[:OF_TYPE]->(t) RETURN m.config AS c, t.id AS t")
    assert (judge["c"], judge["t"]) == ('{"a":2,"b":1}', known)
    assert (await desk.stored(template))["graph_hash"] == saved["graph_hash"] == graph_hash(canonical(graph))
    assert await examine(desk.database) == []


async def test_the_same_graph_is_the_same_snapshot_and_the_former_stays(desk: Desk) -> None:
    task, template = await desk.new("Task", name="One"), await desk.new("Template", name="Two")
    first = await desk.graph(task, chain("a", "b"))
    assert await desk.graph(task, chain("a", "b")) == {**first, "changed": False}
    assert (await desk.graph(template, chain("a", "b")))["id"] == first["id"]
    second = await desk.graph(task, chain("a", "b", "c"))
    links = "MATCH (:Record {id: $id})-[r:HAS_GRAPH|HAD_GRAPH]->(s) RETURN type(r) AS type, s.id AS id ORDER BY type"
    assert [(one["type"], one["id"]) for one in await desk.rows(links, id=task)] == [
        ("HAD_GRAPH", first["id"]), ("HAS_GRAPH", second["id"]),
    ]  # fmt: skip
    assert (await desk.graph(task, chain("a", "b")))["id"] == first["id"]
    assert [(one["type"], one["id"]) for one in await desk.rows(links, id=task)] == [
        ("HAD_GRAPH", second["id"]), ("HAS_GRAPH", first["id"]),
    ]  # fmt: skip
    assert await examine(desk.database) == []


async def test_a_graph_of_hidden_readers_is_not_found(desk: Desk) -> None:
    matter = await desk.new("Entity", name="Marex", kind="matter")
    hidden = await desk.new("Template", name="Hidden", matter_ids=[matter])
    secret = await desk.graph(hidden, chain("a", "b"))
    open_to_all = await desk.new("Template", name="Open")
    outsider = await desk.viewer(principal_id="outsider", matters=[], scopes=[KeyScope.read, KeyScope.curate])
    outcome = await desk.library.save_graph(outsider, RecordRef(id=open_to_all), chain("a", "b"))
    assert outcome.result["id"] != secret["id"]
    stored = await desk.stored(secret["id"])
    assert stored["matter_ids"] == [matter]
    rows = await desk.rows("MATCH (m:Module|ModuleType) WHERE $m IN m.matter_ids RETURN count(m) AS n", m=matter)
    assert rows[0]["n"] == 3
    with pytest.raises(RecordMissing):
        await desk.library.save_graph(outsider, RecordRef(id=hidden), chain("a"))


async def test_a_shared_graph_parts_when_one_owner_moves_into_a_matter(desk: Desk) -> None:
    matter = await desk.new("Entity", name="Marex", kind="matter")
    one, other = await desk.new("Template", name="One"), await desk.new("Template", name="Other")
    shared = await desk.graph(one, chain("a", "b"))
    await desk.graph(other, chain("a", "b"))
    await desk.save("Template", one, matter_ids=[matter])
    [moved] = await desk.rows(SNAPSHOT, id=one)
    [stayed] = await desk.rows(SNAPSHOT, id=other)
    assert stayed["id"] == shared["id"] != moved["id"]
    assert (await desk.stored(moved["id"]))["matter_ids"] == [matter]
    assert (await desk.stored(stayed["id"]))["matter_ids"] == []
    await desk.save("Template", one, matter_ids=[])
    assert (await desk.stored(moved["id"]))["matter_ids"] == []
    assert await examine(desk.database) == []


async def test_two_hundred_modules_take_few_statements(desk: Desk) -> None:
    task = await desk.new("Task", name="Long")
    await desk.graph(task, chain(*(f"m{number}" for number in range(200))))
    [row] = await desk.rows(SNAPSHOT, id=task)
    assert row["count"] == 200
    events = await desk.rows("MATCH (e:Event) RETURN e.kind AS kind ORDER BY kind")
    assert [one["kind"] for one in events] == ["graphsnapshot.created", "task.created", "task.updated"]


async def test_a_graph_with_long_names_is_read_as_it_was_hashed(desk: Desk) -> None:
    task = await desk.new("Task", name="Long")
    saved = await desk.graph(task, GraphInput([module("k" * 300), module("b", name="n" * 201)]))
    [row] = await desk.rows(cypher.GRAPHS, ids=[saved["id"]], audiences=(await desk.viewer()).audiences)
    assert graph_hash(graph_of(row)) == saved["graph_hash"]


BAD: list[tuple[GraphInput, type[Exception], str]] = [
    (GraphInput([]), GraphInvalid, "at least one"),
    (GraphInput([module("a"), module("a")]), GraphInvalid, "twice"),
    (GraphInput([module("a")], [CableInput("a", "b")]), GraphInvalid, "'b'"),
    (GraphInput([module("a", " ")]), GraphInvalid, "module_type"),
    (GraphInput([module("a", config="{")]), GraphInvalid, "JSON"),
    (GraphInput([module("a", autonomy="wild")]), GraphInvalid, "manual"),
    (GraphInput([module("a", input_ports=["x", "x"])]), GraphInvalid, "twice"),
    (GraphInput([module("a"), module("b")], [CableInput("a", "b"), CableInput("a", "b")]), GraphInvalid, "twice"),
    (chain(*(str(number) for number in range(MOST_MODULES + 1))), GraphTooLarge, "1,001"),
    (GraphInput([module("a", config=f'"{"x" * OPAQUE_LENGTH}"')]), TextTooLong, "graph.modules[a].config"),
]


@pytest.mark.parametrize("case", BAD, ids=[str(place) for place in range(len(BAD))])
async def test_a_bad_graph_is_refused_and_changes_nothing(desk: Desk, case: tuple[Any, type[Exception], str]) -> None:
    graph, error, said = case
    task = await desk.new("Task", name="One")
    with pytest.raises(error) as refused:
        await desk.graph(task, graph)
    assert said in str(refused.value)
    rows = await desk.rows("MATCH (n:Module|GraphSnapshot|ModuleType) RETURN count(n) AS n")
    assert (rows[0]["n"], (await desk.stored(task))["version"]) == (0, 1)


async def test_only_a_known_task_or_template_has_a_graph(desk: Desk) -> None:
    person = await desk.new("Entity", name="E", kind="person")
    viewer = await desk.viewer()
    with pytest.raises(WrongKind):
        await desk.graph(person, chain("a"))
    with pytest.raises(RecordMissing):
        await desk.library.save_graph(viewer, RecordRef(kind="Task", source="x", key="y"), chain("a"))
    await desk.records.link(viewer, RecordRef(kind="Task", source="x", key="y"), "SCOPED_TO", RecordRef(id=person), {})
    with pytest.raises(OwnerUnsaved):
        await desk.library.save_graph(await desk.viewer(), RecordRef(kind="Task", source="x", key="y"), chain("a"))
    with pytest.raises(NotAllowed):
        await desk.library.save_graph(await desk.viewer(scopes=[KeyScope.read]), RecordRef(id=person), chain("a"))


_KEYS = st.sampled_from("abcdef")


@law(15)
@given(st.sets(_KEYS, min_size=1), st.randoms(), st.data())
def test_order_makes_no_other_graph(keys: set[str], random: Any, data: st.DataObject) -> None:
    ends = data.draw(st.sets(st.tuples(st.sampled_from(sorted(keys)), st.sampled_from(sorted(keys)))))
    modules, cables = [module(key) for key in sorted(keys)], [CableInput(one, other) for one, other in sorted(ends)]
    first = graph_hash(canonical(GraphInput(modules, cables)))
    random.shuffle(modules)
    random.shuffle(cables)
    assert graph_hash(canonical(GraphInput(modules, cables))) == first
    assert graph_hash(canonical(GraphInput([*modules, module("new")], cables))) != first
