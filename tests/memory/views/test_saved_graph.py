"""A run of a task whose graph was saved: what its steps are called, what comes next, and which modules they were of."""

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_schema.registry import REGISTRY
from resolvers.engine.execution import ReadSchema
from service.commands import Commands, RecordRef
from service.library.commands import Library
from service.library.graphs import CableInput, GraphInput, ModuleInput
from service.memory.continuation import Continuation
from service.memory.views.facts import SavedGraph, SavedModule
from service.memory.views.graph import Flow, coming
from service.records import Records
from service.runtime.compose import hooks
from tests.conftest import empty
from tests.laws import law
from tests.memory.conftest import Executor
from tests.memory.continuation.conftest import Person
from tests.memory.continuation.conftest import step as at
from tests.memory.stories import Event, Story, step
from tests.memory.views.asking import ask, report
from tests.viewers import viewer_of

TASK = {"source": "exec", "source_key": "draft", "name": "Draft"}
ASKED = """query ($id: ID!) { run(id: $id) {
  steps { rows { moduleLabel moduleType moduleId moduleKey } }
  status { nextWorkSummary nextModuleKeys currentWorkSummary evidence { missing { code } } }
  progress { graphId graphModules begunModules nextModules notBegun }
  found: steps(search: "CONTRACT", kinds: ["step.read"]) { rows { moduleKey } } } }"""
LINKS = """
MATCH (s:Activation)-[:OF_MODULE]->(m:Module)
OPTIONAL MATCH (m)<-[:HAS_MODULE]-(g:GraphSnapshot)
RETURN s.module_key AS step, m.name AS module, g.graph_hash AS graph ORDER BY step, module
"""
NAMES = {"read": "Read the contract", "think": "Think", "red": "Red team", "revise": "Final revision", "judge": "Judge"}


def graph(*cables: tuple[str, str], off: tuple[str, ...] = (), prefix: str = "") -> GraphInput:
    keys = dict.fromkeys(key for cable in cables for key in cable)
    modules = [ModuleInput(key, f"step.{key}", name=f"{prefix}{NAMES[key]}", disabled=key in off) for key in keys]
    return GraphInput(modules, [CableInput(tail, head) for tail, head in cables])


LINE = graph(("read", "think"), ("think", "red"), ("red", "revise"), ("red", "judge"))


@dataclass(frozen=True)
class Studio:
    """Saves graphs of a task, and looks at its runs."""

    executor: Executor
    schema: ReadSchema

    async def task(self) -> str:
        records = Records(self._commands, hooks())
        return (await records.save(await viewer_of(self.executor.database), "Task", TASK)).result["id"]

    async def save(self, task: str, made: GraphInput) -> dict[str, Any]:
        viewer = await viewer_of(self.executor.database)
        return (await Library(self._commands).save_graph(viewer, RecordRef(id=task), made)).result

    async def view(self, run_id: str) -> Any:
        return (await ask(self.schema, self.executor, ASKED, id=run_id))["run"]

    async def links(self) -> list[tuple[str, str, str | None]]:
        rows = await self.executor.database.read(LINKS)
        return [(row["step"], row["module"], row["graph"]) for row in rows]

    @property
    def person(self) -> Person:
        return Person(self.executor, Continuation(self._commands))

    @property
    def _commands(self) -> Commands:
        return Commands(self.executor.database, REGISTRY, lambda _new: None)


@pytest.fixture
def studio(executor: Executor, schema: ReadSchema) -> Studio:
    return Studio(executor, schema)


def going_on(key: str = "run-1", **started: Any) -> list[Event]:
    story = Story({"source": "exec", "key": key}).tell("run_started", task_key="draft", **started)
    story.tell("activation_started", **step("read")).tell("activation_completed", **step("read"))
    story.tell("activation_completed", **step("think"), started_at="2026-01-01T10:00:02.500Z")
    return story.tell("activation_started", **step("red")).events


async def test_a_saved_graph_says_what_steps_are_called_and_what_comes_next(studio: Studio) -> None:
    saved = await studio.save(await studio.task(), LINE)
    run = await studio.view(await report(studio.executor, going_on()))
    rows = run["steps"]["rows"]
    assert [(row["moduleLabel"], row["moduleType"]) for row in rows] == [
        ("Read the contract", "step.read"), ("Think", "step.think"), ("Red team", "step.red"),
    ]  # fmt: skip
    assert run["status"] == {
        "nextWorkSummary": "After Red team come Judge and Final revision, by the saved graph.",
        "nextModuleKeys": ["judge", "revise"],
        "currentWorkSummary": "Red team is running.",
        "evidence": {"missing": []},
    }
    assert run["progress"] == {
        "graphId": saved["id"], "graphModules": 5, "begunModules": 3, "nextModules": ["Judge", "Final revision"],
        "notBegun": ["Judge", "Final revision"],
    }  # fmt: skip
    assert run["found"]["rows"] == [{"moduleKey": "read"}]
    assert await studio.links() == [
        ("read", "Read the contract", saved["graph_hash"]), ("red", "Red team", saved["graph_hash"]),
        ("think", "Think", saved["graph_hash"]),
    ]  # fmt: skip
    held = await studio.executor.database.read(
        "MATCH (:GraphSnapshot {id: $id})-[:HAS_MODULE]->(m) RETURN m.module_key AS key, m.id AS id", id=saved["id"]
    )
    assert {row["moduleKey"]: row["moduleId"] for row in rows}.items() <= {
        one["key"]: one["id"] for one in held
    }.items()


@pytest.mark.slow
@law(4, derandomize=True)
@given(order=st.permutations(range(6)))
async def test_run_and_graph_meet_in_any_order_of_arrival(studio: Studio, order: list[int]) -> None:
    """The graph is the last of the six; the others are the events of the run."""
    await empty(studio.executor.database)
    task, events = await studio.task(), [*going_on()]
    saved: dict[str, Any] = {}
    run_id = ""
    for place in order:
        if place < len(events):
            run_id = await report(studio.executor, [events[place]])
        else:
            saved = await studio.save(task, LINE)
    run = await studio.view(run_id)
    assert [row["moduleLabel"] for row in run["steps"]["rows"]] == ["Read the contract", "Think", "Red team"]
    assert run["status"]["nextModuleKeys"] == ["judge", "revise"]
    assert {one[2] for one in await studio.links()} == {saved["graph_hash"]}
    assert len(await studio.links()) == 3


@pytest.mark.slow
async def test_a_run_keeps_to_the_graph_that_its_task_had_when_it_began(studio: Studio) -> None:
    task = await studio.task()
    first = await studio.save(task, LINE)
    await report(studio.executor, going_on("run-old"))  # it began, by its own clock, before any graph was saved
    second = await studio.save(task, graph(("read", "think"), ("think", "red"), ("red", "judge"), prefix="New: "))
    late = going_on("run-new", started_at="2026-01-01T10:00:00.000Z")
    await report(studio.executor, late)
    fresh = [{**one, "run": {"source": "exec", "key": "run-now"}} for one in going_on("run-now")]
    await studio.executor.database.run_alone(
        "MATCH ()-[r:HAD_GRAPH]->() SET r.replaced_at = '2025-12-01T00:00:00.000Z'"
    )
    run_id = await report(studio.executor, fresh)
    assert (await studio.view(run_id))["progress"]["graphId"] == second["id"]
    assert (await studio.view(run_id))["status"]["nextWorkSummary"].startswith("After New: Red team comes New: Judge")
    by_hash = going_on("run-named", graph_snapshot_ref=f"graph://{first['graph_hash']}")
    by_id = going_on("run-by-id", graph_snapshot_ref=first["id"])
    for events in (by_hash, by_id):
        run_id = await report(studio.executor, events)
        assert (await studio.view(run_id))["progress"]["graphId"] == first["id"]
    assert {one[2] for one in await studio.links()} == {first["graph_hash"], second["graph_hash"]}


async def test_a_fork_goes_through_the_graph_of_its_parent(studio: Studio) -> None:
    task = await studio.task()
    first = await studio.save(task, LINE)
    parent = going_on("run-1")
    await report(studio.executor, parent)
    await studio.save(task, graph(("read", "judge"), prefix="New: "))
    await studio.executor.database.run_alone(
        "MATCH ()-[r:HAD_GRAPH]->() SET r.replaced_at = '2026-01-01T12:00:00.000Z'"
    )
    fork = (await studio.person.fork(at("read"))).result["id"]
    child = going_on("child", fork={"id": fork})
    later = [{**one, "occurred_at": one["occurred_at"].replace("2026-01-01", "2026-01-02")} for one in child]
    later[3] = {**later[3], "started_at": "2026-01-02T10:00:02.500Z"}
    run = await studio.view(await report(studio.executor, later))
    assert run["progress"]["graphId"] == first["id"]


async def test_what_is_not_known_here_is_said_only_of_a_graph_that_is_not(studio: Studio) -> None:
    run = await studio.view(await report(studio.executor, going_on()))
    assert {one["code"] for one in run["status"]["evidence"]["missing"]} == {"graph_not_reported"}
    assert run["progress"] == {
        "graphId": None, "graphModules": None, "begunModules": None, "nextModules": [], "notBegun": [],
    }  # fmt: skip
    assert run["status"]["nextWorkSummary"] == "What comes next has not been reported."


async def test_steps_of_which_nobody_said_what_set_them_going_follow_the_cables(studio: Studio) -> None:
    two = graph(("read", "think"), ("read", "red"), ("think", "revise"), ("red", "judge"))
    await studio.save(await studio.task(), two)
    story = Story().tell("run_started", task_key="draft")
    for key in ("read", "think", "red", "revise", "judge"):
        story.tell("activation_started", **step(key))
    run = await studio.view(await report(studio.executor, story.events))
    assert [row["moduleKey"] for row in run["steps"]["rows"]] == ["read", "think", "revise", "red", "judge"]


async def test_that_nothing_more_comes_is_said_only_where_the_graph_leads_no_further(studio: Studio) -> None:
    task = await studio.task()
    await studio.save(task, graph(("read", "think"), ("think", "red"), ("red", "judge")))

    async def told(key: str, *ends: tuple[str, str], at_work: str | None = None) -> str:
        story = Story({"source": "exec", "key": key}).tell("run_started", task_key="draft")
        for module, how in ends:
            why = {"error_code": "broken"} if how == "failed" else {}
            story.tell("activation_started", **step(module)).tell(f"activation_{how}", **step(module), **why)
        if at_work:
            story.tell("activation_started", **step(at_work))
        return (await studio.view(await report(studio.executor, story.events)))["status"]["nextWorkSummary"]

    done = [(one, "completed") for one in ("read", "think", "red")]
    rest = "it is not known what comes: Red team and Judge have not begun."
    assert await told("failed", ("read", "completed"), ("think", "failed")) == f"Now {rest}"
    assert await told("passed over", ("read", "completed"), ("think", "skipped")) == f"Now {rest}"
    assert await told("last", *done, at_work="judge") == "After Judge nothing more comes by the saved graph."
    assert await told("all", *done, ("judge", "completed")) == "Now nothing more comes by the saved graph."
    jumped = await told("jumped", ("read", "completed"), at_work="judge")
    assert jumped == "After Judge it is not known what comes: Think and Red team have not begun."
    await studio.save(task, graph(("read", "think"), ("think", "read")))
    await studio.executor.database.run_alone("MATCH ()-[r:HAD_GRAPH]->() DELETE r")
    assert await told("round", ("read", "completed"), ("think", "completed")) == (
        "Now it is not known whether more comes: the saved graph goes round."
    )


def _flow(*cables: tuple[str, str], off: tuple[str, ...] = (), begun: tuple[str, ...] = ()) -> Flow:
    keys = sorted({key for cable in cables for key in cable})
    modules = [
        SavedModule(key, key, key, None, key in off, key in begun, tuple(head for tail, head in cables if tail == key))
        for key in keys
    ]
    return Flow(SavedGraph("graph_1", tuple(modules)))


def test_what_comes_next_passes_over_what_is_switched_off_and_comes_round_in_a_loop() -> None:
    line = (("a", "b"), ("b", "c"), ("c", "d"))
    assert [one.name for one in coming(_flow(*line), (), ())] == ["a"]
    assert [one.name for one in coming(_flow(*line, off=("b", "c"), begun=("a",)), ("a",), ())] == ["d"]
    assert [one.name for one in coming(_flow(*line, begun=("a", "b")), (), ("b",))] == ["c"]
    loop = _flow(("a", "b"), ("b", "a"), begun=("a", "b"))
    assert [one.name for one in coming(loop, ("b",), ())] == ["a"]
    assert coming(loop, (), ("b",)) == []
    assert [one.name for one in _flow(("a", "b"), ("c", "b"), ("b", "a")).in_order()] == ["c", "b", "a"]
