"""The tasks page: saved tasks by tab and filter, whether or not they have run."""

from typing import Any

import pytest

from service.memory.statistics import (
    TaskFilter,
    TaskOrder,
    TaskOrderField,
    TasksAsked,
    TasksInOperation,
    TaskTab,
)
from tests.library.conftest import Desk

RUN = """
CREATE (r:Run:Record {id: 'run_' + $key, source: 'exec', source_key: 'run-' + $key, task_key: $key, status: 'running',
  started_at: '2026-02-01T00:00:00.000Z', trigger_kind: 'schedule', audience: $audience})
"""


async def _shown(desk: Desk, tab: TaskTab = TaskTab.saved, viewer: Any = None, **where: Any) -> list[str]:
    viewer = viewer or await desk.viewer()
    page = await TasksInOperation(desk.database).saved(viewer, TasksAsked(tab, TaskFilter(**where)))
    return [one.node.display_name for one in page.edges]


@pytest.mark.slow
async def test_saved_tasks_are_listed_by_tab_and_filter(desk: Desk) -> None:
    matter = await desk.new("Entity", name="Marex", kind="matter")
    ran = await desk.new("Task", name="Ran", source="exec", source_key="ran", task_type="review")
    await desk.new("Task", name="Planned", scheduled=True)
    template = await desk.new("Template", name="T")
    again = await desk.new("Task", name="Again", trigger_enabled=True, matter_ids=[matter])
    await desk.link(again, "INSTANTIATES", template)
    await desk.save("Task", again, reusable=True)
    await desk.new("Task", name="Gone", archived=True)
    audience = (await desk.stored(ran))["audience"]
    for key in ("ran", "reported"):
        await desk.database.run_alone(RUN, key=key, audience=audience)

    assert await _shown(desk) == ["Ran", "reported", "Planned", "Again"]
    assert await _shown(desk, TaskTab.active) == ["Ran", "reported"]
    assert await _shown(desk, TaskTab.scheduled) == ["Ran", "reported", "Planned"]
    assert await _shown(desk, archived=True) == ["Gone"]
    assert await _shown(desk, reusable=True) == await _shown(desk, template_id=template) == ["Again"]
    assert await _shown(desk, user_facing_labels=["Scheduled Saved Task", "Triggered Saved Task"]) == [
        "Planned",
        "Again",
    ]
    assert (await _shown(desk, task_type="review"), await _shown(desk, matter_id=matter)) == (["Ran"], ["Again"])
    stranger = await desk.viewer(principal_id="x", matters=[])
    assert await _shown(desk, viewer=stranger) == ["Ran", "reported", "Planned"]
    assert await _shown(desk, viewer=stranger, template_id=template) == []

    one = await TasksInOperation(desk.database).saved(await desk.viewer(), TasksAsked(), first=3)
    two = await TasksInOperation(desk.database).saved(
        await desk.viewer(), TasksAsked(), first=3, after=one.edges[-1].cursor
    )
    assert [(row.node.run_count, row.saved is not None) for row in (*one.edges, *two.edges)] == [
        (1, True), (1, False), (0, True), (0, True),
    ]  # fmt: skip
    assert two.edges[0].saved
    assert (two.edges[0].saved.source_template_id, two.edges[0].saved.task_id) == (template, again)


@pytest.mark.slow
async def test_tasks_are_found_by_name_and_put_in_order(desk: Desk) -> None:
    for key, name in (("t1", "Weekly report"), ("t2", "audit of Bills"), ("t3", "Bill of costs")):
        await desk.new("Task", name=name, source="exec", source_key=key)
    for key in ("t2", "other"):
        await desk.database.run_alone(RUN, key=key, audience="internal|")
    viewer = await desk.viewer()

    async def names(field: TaskOrderField, *, falling: bool, search: str | None = None) -> list[str]:
        asked, found, after = TasksAsked(search=search, order=TaskOrder(field, falling)), list[str](), None
        while True:
            page = await TasksInOperation(desk.database).saved(viewer, asked, first=1, after=after)
            found += [row.node.display_name for row in page.edges]
            if not page.page_info.has_next_page:
                assert await page.total_count() == len(found)
                return found
            after = page.edges[-1].cursor

    by_name = ["audit of Bills", "Bill of costs", "other", "Weekly report"]
    assert await names(TaskOrderField.by_name, falling=False) == by_name
    assert await names(TaskOrderField.by_name, falling=True) == by_name[::-1]
    assert await names(TaskOrderField.by_name, falling=False, search=" BILL") == by_name[:2]
    assert (await names(TaskOrderField.by_run_count, falling=True))[2:] == ["Weekly report", "Bill of costs"]


async def test_figures_and_the_last_run_of_several_tasks_are_read_together(desk: Desk) -> None:
    ran, never = [await desk.new("Task", name=key, source="exec", source_key=key) for key in ("ran", "never")]
    await desk.database.run_alone(RUN, key="ran", audience="internal|")
    viewer = await desk.viewer()
    figures = await TasksInOperation(desk.database).of_tasks(viewer, [never, ran, "task_missing"])
    assert [one.run_count if one else None for one in figures] == [None, 1, None]
    assert await TasksInOperation(desk.database).last_runs(viewer, [never, ran, "task_missing"]) == [
        None,
        "run_ran",
        None,
    ]
