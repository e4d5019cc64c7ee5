"""Statistics of tasks and templates: computed from the runs that the viewer may see, and from no others."""

import statistics as reference
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.commands import RecordRef
from service.errors import TaskloreError
from service.memory.statistics import TasksAsked, TasksInOperation, TaskTab
from tests.laws import law
from tests.memory.history.conftest import Past

REPORT = RecordRef(kind="Task", source="exec", key="report")


async def test_a_task_is_summed_up(past: Past) -> None:
    found = await TasksInOperation(past.database).of(past.everybody, REPORT)
    assert found
    assert (found.display_name, found.run_count, found.success_count, found.failure_count) == ("Report", 3, 2, 1)
    assert found.success_rate == pytest.approx(2 / 3)
    assert (found.avg_cost_usd, found.p50_cost_usd, found.p90_cost_usd) == (2.0, 2.0, pytest.approx(2.8))
    assert (found.p50_duration_ms, found.p90_duration_ms) == (180_000, pytest.approx(228_000))
    assert ((found.last_run_at or "")[:10], (found.last_failure_at or "")[:10]) == ("2026-01-04", "2026-01-02")
    assert found.common_failure_modes == ("timeout",)
    assert found.common_output_kinds == ("document", "email")


async def test_what_is_hidden_does_not_count(past: Past) -> None:
    found = await TasksInOperation(past.database).of(past.outsider, REPORT)
    assert found
    assert (found.run_count, found.success_count, found.avg_cost_usd) == (2, 1, 1.0)


async def test_a_template_and_a_time_can_be_asked_for(past: Past) -> None:
    weekly = RecordRef(source="exec", key="weekly")
    found = await TasksInOperation(past.database).of(past.everybody, weekly)
    assert found
    assert (found.kind, found.display_name, found.run_count) == ("Template", "weekly", 2)
    found = await TasksInOperation(past.database).of(past.everybody, weekly, since="2026-01-02T00:00:00.000Z")
    assert found
    assert (found.run_count, found.success_rate) == (1, 0.0)


async def test_what_nobody_ran_and_what_is_hidden_are_not_there(past: Past) -> None:
    rows = await past.database.read("MATCH (n:Task {source_key: 'report'}) RETURN n.id AS id")
    hidden = RecordRef(id=rows[0]["id"])
    missing = RecordRef(kind="Task", source="exec", key="never")
    assert await TasksInOperation(past.database).of(past.everybody, hidden)
    for ref in (hidden, missing, RecordRef(source="exec", key="sales")):
        assert await TasksInOperation(past.database).of(past.outsider, ref) is None


async def _keys(past: Past, viewer: Any, tab: TaskTab) -> list[str]:
    return [one.node.key for one in (await TasksInOperation(past.database).saved(viewer, TasksAsked(tab))).edges]


async def test_tabs_show_their_tasks_latest_run_first(past: Past) -> None:
    assert await _keys(past, past.everybody, TaskTab.saved) == ["report", "other"]
    assert await _keys(past, past.everybody, TaskTab.active) == ["other"]
    assert await _keys(past, past.everybody, TaskTab.scheduled) == ["report"]
    assert await _keys(past, past.outsider, TaskTab.saved) == ["other", "report"]


async def test_pages_of_tasks_follow_each_other(past: Past) -> None:
    first = await TasksInOperation(past.database).saved(past.everybody, TasksAsked(), first=1)
    second = await TasksInOperation(past.database).saved(
        past.everybody, TasksAsked(), first=1, after=first.edges[-1].cursor
    )
    assert [one.node.key for one in (*first.edges, *second.edges)] == ["report", "other"]
    assert (first.page_info.has_next_page, second.page_info.has_next_page) == (True, False)


@pytest.mark.parametrize(("first", "after", "code"), [(0, None, "invalid_paging"), (101, None, "limit_exceeded"),
                                                      (5, "x", "invalid_cursor")])  # fmt: skip
async def test_bad_pages_are_refused(past: Past, first: int, after: str | None, code: str) -> None:
    with pytest.raises(TaskloreError) as refused:
        await TasksInOperation(past.database).saved(past.everybody, TasksAsked(), first=first, after=after)
    assert refused.value.code == code


@law(4)
@given(costs=st.lists(st.integers(0, 10_000), min_size=2, max_size=30))
async def test_percentiles_are_those_of_the_textbook(past: Past, costs: list[int]) -> None:
    await past.database.run_alone("MATCH (r:Run {source: 'law'}) DELETE r")
    await past.database.run_alone(
        "UNWIND range(0, size($costs) - 1) AS i CREATE (r:Run:Record {id: 'run_law' + i, source: 'law', "
        "source_key: 'r' + i, task_key: 'law', started_at: '2026-02-01T00:00:00.000Z', status: 'completed', "
        "audience: $audience, cost_usd: toFloat($costs[i]), duration_ms: $costs[i]})",
        costs=costs,
        audience=past.everybody.audiences[0],
    )
    found = await TasksInOperation(past.database).of(past.everybody, RecordRef(kind="Task", source="law", key="law"))
    await past.database.run_alone("MATCH (r:Run {source: 'law'}) DELETE r")
    assert found
    deciles = reference.quantiles(costs, n=10, method="inclusive")
    assert found.p50_cost_usd == pytest.approx(reference.median(costs))
    assert found.p90_duration_ms == pytest.approx(deciles[8])
    assert found.avg_cost_usd == pytest.approx(reference.fmean(costs))
