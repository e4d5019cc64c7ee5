"""Steps page by page, and the head of a run without its steps: the same as from the whole run."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_schema.model.fields import DataClass
from graph_schema.registry import REGISTRY
from resolvers.engine.execution import ReadSchema
from service.access.viewer import KeyScope
from service.commands import Commands, RecordRef
from service.graph.reads.errors import CursorInvalid, LimitExceeded, PagingInvalid
from service.memory.views import Part, RunIndex, Runs, StepsRequest, load_run, steps
from service.memory.views.paging import StepPages
from service.memory.views.table import VIEWS
from service.records import Records
from service.runtime.compose import hooks
from tests.conftest import empty
from tests.laws import law
from tests.memory.conftest import Executor
from tests.memory.stories import Event, Story, step, whole_run
from tests.memory.views.asking import ask, failed, fanned_out, looped, report, sequential, waiting
from tests.viewers import viewer_of

NOW = "2026-01-03T10:00:00.000Z"
FEW = 3
"""Steps of a block here, so that a few steps are several of them."""
BRIEF = ("header", "status", "progress")

_ends = st.sampled_from(["activation_completed", "activation_failed", "activation_started", "activation_skipped"])
_steps = st.lists(
    st.tuples(st.sampled_from("abc"), _ends, st.lists(st.integers(0, 8), max_size=2)), min_size=1, max_size=9
)


async def _index(executor: Executor, run_id: str, parts: tuple[Part, ...] = tuple(Part), **viewer: Any) -> RunIndex:
    facts = await load_run(executor.database, await viewer_of(executor.database, **viewer), run_id, parts)
    assert facts
    return RunIndex(facts, NOW)


async def _pages(executor: Executor, index: RunIndex, block: int, request: StepsRequest) -> list[Any]:
    """All pages, one after another."""
    pages = StepPages(executor.database, await viewer_of(executor.database), index, block)
    found = [await pages.page(request)]
    while found[-1].page_info.has_next_page:
        assert len(found[-1].rows) == request.first
        found.append(await pages.page(replace(request, after=found[-1].page_info.end_cursor)))
    return found


def _story(made: list[tuple[str, str, list[int]]]) -> list[Event]:
    story, seen = Story().tell("run_started", task_key="t"), list[Event]()
    for module, kind, causes in made:
        own = step(module, 1 + sum(one["module_key"] == module for one in seen))
        before = [seen[one] for one in causes if one < len(seen)]
        more: dict[str, Any] = {"error_code": "x"} if kind == "activation_failed" else {}
        more |= {"triggered_by": before} if kind != "activation_skipped" else {}
        story.tell(kind, **own, **more)
        seen.append(own)
    return story.events


@pytest.mark.slow
@law(6, derandomize=True)
@given(made=_steps, first=st.integers(1, 4), states=st.sampled_from([None, ["success"], ["error", "running"]]))
async def test_pages_hold_every_step_once_where_the_whole_run_has_it(
    executor: Executor, made: list[tuple[str, str, list[int]]], first: int, states: list[str] | None
) -> None:
    await empty(executor.database)
    run_id = await report(executor, _story(made))
    whole, run = await _index(executor, run_id), await _index(executor, run_id, (Part.run,))
    for request in (StepsRequest(first=first, status=states), StepsRequest(first=first, search="A")):
        told = steps(whole, replace(request, first=100))
        pages = await _pages(executor, run, 500, request)
        assert [row for page in pages for row in page.rows] == list(told.rows)
        assert {(page.total, page.found) for page in pages} == {(told.total, told.found)}
    every = [page.rows for page in await _pages(executor, run, FEW, StepsRequest(first=100))]
    places = {row.activation_id: row.display_order for rows in every for row in rows}
    assert sorted(places.values()) == list(range(1, len(made) + 1))
    for request in (
        StepsRequest(first=first),
        StepsRequest(first=first, status=states),
        StepsRequest(first=2, search="b"),
    ):
        rows = [row for page in await _pages(executor, run, FEW, request) for row in page.rows]
        assert [row.display_order for row in rows] == sorted(row.display_order for row in rows)
        assert {row.activation_id: row.display_order for row in rows}.items() <= places.items()
        wanted = {row.activation_id for row in steps(whole, replace(request, first=100)).rows}
        assert {row.activation_id for row in rows} == wanted
        assert len(rows) == len(wanted)


@pytest.mark.slow
@pytest.mark.parametrize("story", [sequential, fanned_out, looped, waiting, failed, whole_run])
async def test_the_head_of_a_run_says_the_same_without_its_steps(executor: Executor, story: Any) -> None:
    run_id = await report(executor, story())
    whole = await _index(executor, run_id)
    brief = await _index(executor, run_id, (Part.brief,))
    for name in BRIEF:
        told, alone = VIEWS[name].make(whole), VIEWS[name].make(brief)
        assert alone == told
    assert brief.tally == RunIndex(replace(whole.facts, tally=None), NOW).tally


@pytest.mark.slow
@law(3, derandomize=True)
@given(made=_steps)
async def test_a_run_counts_its_steps_as_whoever_sees_them_all_would(
    executor: Executor, made: list[tuple[str, str, list[int]]]
) -> None:
    await empty(executor.database)
    events = _story(made)
    run_id = await report(executor, [events[0]])
    for one in reversed(events[1:]):
        await report(executor, [one])
    whole = await _index(executor, run_id)
    assert RunIndex(replace(whole.facts, tally=None), NOW).tally == whole.tally


async def test_what_is_hidden_is_counted_neither_in_the_head_nor_on_a_page(executor: Executor) -> None:
    run_id = await report(executor, looped())
    await executor.database.run_alone(
        "MERGE (:Audience {audience: 'hid', data_class: 'local_only', rank: 3, matter_ids: []}) "
        "WITH * MATCH (n:Activation {module_key: 'judge'}) SET n.audience = 'hid'"
    )
    low: dict[str, Any] = {"clearance": DataClass.internal}
    index = await _index(executor, run_id, (Part.brief,), **low)
    header = VIEWS["header"].make(index)
    assert (header.step_count, header.module_count, header.cost_usd) == (4, 2, 0.3)
    viewer = await viewer_of(executor.database, **low)
    page = await StepPages(executor.database, viewer, index).page(StepsRequest(search="e"))
    assert (page.total, page.found, {one.module_key for one in page.rows}) == (4, 1, {"send"})
    assert "judge" not in repr(page)
    assert "judge" not in repr(VIEWS["progress"].make(index))


async def test_a_row_comes_with_the_steps_that_led_to_it(schema: ReadSchema, executor: Executor) -> None:
    run_id = await report(executor, looped())
    query = """query ($id: ID!, $after: String) { run(id: $id) {
      last: steps(search: "send") { rows { displayOrder after } ancestors { moduleKey activationSeq after } }
      page: steps(first: 2, after: $after) { total found rows { moduleKey activationSeq }
        pageInfo { hasNextPage endCursor } ancestors { moduleKey activationSeq } } } }"""
    told = (await ask(schema, executor, query, id=run_id))["run"]
    assert [one["displayOrder"] for one in told["last"]["rows"]] == [7]
    led = [(one["moduleKey"], one["activationSeq"]) for one in told["last"]["ancestors"]]
    assert led == [(name, turn) for turn in (1, 2, 3) for name in ("draft", "judge")]
    assert len(told["last"]["rows"][0]["after"]) == 1
    assert told["page"]["ancestors"] == []
    second = (await ask(schema, executor, query, id=run_id, after=told["page"]["pageInfo"]["endCursor"]))["run"]["page"]
    assert [(one["moduleKey"], one["activationSeq"]) for one in second["rows"]] == [("draft", 2), ("judge", 2)]
    assert [(one["moduleKey"], one["activationSeq"]) for one in second["ancestors"]] == [("draft", 1), ("judge", 1)]
    assert (second["total"], second["found"], second["pageInfo"]["hasNextPage"]) == (7, 7, True)


async def test_a_page_that_cannot_be_is_refused(executor: Executor) -> None:
    run_id = await report(executor, sequential())
    index, viewer = await _index(executor, run_id, (Part.run,)), await viewer_of(executor.database)
    refused: list[tuple[type[Exception], StepsRequest]] = [
        (PagingInvalid, StepsRequest(first=0)),
        (LimitExceeded, StepsRequest(first=501)),
        (CursorInvalid, StepsRequest(after="nothing")),
    ]
    for error, request in refused:
        with pytest.raises(error):
            await Runs(executor.database).steps(viewer, index, request)


async def test_a_step_that_was_erased_is_counted_no_more(executor: Executor) -> None:
    run_id = await report(executor, whole_run())
    records = Records(Commands(executor.database, REGISTRY, lambda _new: None), hooks())
    step_id = (await executor.one("Activation", module_key="intake"))["id"]
    admin = await viewer_of(executor.database, scopes=tuple(KeyScope))
    await records.erase(admin, RecordRef(id=step_id), "asked for")
    whole = await _index(executor, run_id)
    assert whole.tally.total == len(whole.facts.activations) == 9
    assert RunIndex(replace(whole.facts, tally=None), NOW).tally == whole.tally
