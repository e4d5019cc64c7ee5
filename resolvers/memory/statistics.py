"""How tasks and templates do in operation, as the API shows it."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict
from enum import StrEnum
from typing import Annotated, Any

import strawberry

from graph_schema.model.names import api_name
from resolvers.engine.loading import RecordInfo, load_record, raw_of
from resolvers.engine.request import viewer_of
from resolvers.engine.scalars import Timestamp
from resolvers.generated.construction import optional
from resolvers.generated.filters import OrderDirection
from resolvers.generated.inputs import RecordRefInput
from resolvers.generated.pages import PAGE_INFO, TOTAL, PageFacts, page_facts
from resolvers.generated.types import record_type
from service.access.viewer import Viewer
from service.graph.database import Database
from service.memory.statistics import (
    SavedTask,
    Statistics,
    TaskFilter,
    TaskOrder,
    TaskOrderField,
    TaskPage,
    TasksAsked,
    TaskTab,
    last_runs,
    saved_tasks,
    statistics_of,
    task_statistics,
    tasks_counted,
)
from service.memory.statistics.paging import COMMON, MOST_ROWS, RECENT

_TAB = strawberry.enum(TaskTab, name="TaskTab", description="Which tasks a list shows.")


@strawberry.type(
    description="Figures of the runs of a task or template that the viewer may see, computed when asked for."
)
class OperationalStatistics:
    kind: str = strawberry.field(description="Whether it is about a Task or a Template.")
    source: str | None = strawberry.field(description="The executor's system; null for a task that none has named.")
    key: str = strawberry.field(description="What that system calls it; its id when none has named it.")
    display_name: str = strawberry.field(description="What people call it, as far as its latest runs say.")
    run_count: int = strawberry.field(description="Runs that have started.")
    success_count: int = strawberry.field(description="Runs that completed.")
    failure_count: int = strawberry.field(description="Runs that failed.")
    success_rate: float | None = strawberry.field(description="Completed runs among those that completed or failed.")
    avg_duration_ms: float | None = strawberry.field(description="Mean time of the runs that ended.")
    p50_duration_ms: float | None = strawberry.field(description="Half of the runs that ended took no longer.")
    p90_duration_ms: float | None = strawberry.field(description="Nine in ten of the runs that ended took no longer.")
    avg_cost_usd: float | None = strawberry.field(description="Mean cost of the runs whose cost is known.")
    p50_cost_usd: float | None = strawberry.field(description="Half of the runs whose cost is known cost no more.")
    p90_cost_usd: float | None = strawberry.field(
        description="Nine in ten of the runs whose cost is known cost no more."
    )
    last_run_at: Timestamp | None = strawberry.field(description="When a run last started.")
    last_success_at: Timestamp | None = strawberry.field(description="When a run last completed.")
    last_failure_at: Timestamp | None = strawberry.field(description="When a run last failed.")
    common_output_kinds: list[str] = strawberry.field(
        description=f"Kinds of artifact that its latest {RECENT} runs gave out, the commonest first, up to {COMMON}."
    )
    common_failure_modes: list[str] = strawberry.field(
        description=f"Codes that its runs failed with, the commonest first, up to {COMMON}."
    )


@strawberry.type(name="SavedTaskKind", description="What kind of saved task it is.")
class SavedTaskInfo:
    task_id: strawberry.ID = strawberry.field(description="Id of the task.")
    name: str = strawberry.field(description="What people call it.")
    user_facing_label: str | None = strawberry.field(description="What its kind is called, from the facts below.")
    reusable: bool = strawberry.field(description="Whether it is meant to be used again, like a template.")
    scheduled: bool = strawberry.field(description="Whether a schedule runs it.")
    trigger_enabled: bool = strawberry.field(description="Whether an event of the outside world runs it.")
    archived: bool = strawberry.field(description="Whether it was put away.")
    source_template_id: strawberry.ID | None = strawberry.field(description="The template that it was made from.")


@strawberry.input(
    name="SavedTaskFilter",
    description="Which tasks to show. What is left out does not matter, but archived ones have to be asked for.",
)
class SavedTaskFilter:
    reusable: bool | None = strawberry.field(default=None, description="Meant to be used again.")
    scheduled: bool | None = strawberry.field(default=None, description="Saved as run by a schedule.")
    trigger_enabled: bool | None = strawberry.field(default=None, description="Saved as run by events.")
    archived: bool = strawberry.field(default=False, description="Put away.")
    user_facing_labels: list[str] | None = strawberry.field(default=None, description="One of these labels.")
    task_type: str | None = strawberry.field(default=None, description="Of this type.")
    matter_id: strawberry.ID | None = strawberry.field(default=None, description="Of this matter.")
    template_id: strawberry.ID | None = strawberry.field(default=None, description="Made from this template.")


@strawberry.type(description="A task in a list.")
class SavedTaskEdge:
    cursor: str = strawberry.field(description="Where the task stands in the list.")
    node: OperationalStatistics = strawberry.field(description="The task, and how it does.")
    saved: SavedTaskInfo | None = strawberry.field(description="What is saved of it; null when it was only reported.")


_FIELDS: Any = StrEnum("SavedTaskOrderField", {api_name(one.value): one.value for one in TaskOrderField})
_FIELD = strawberry.enum(_FIELDS, description="What such lists can be ordered by.")


@strawberry.input(name="SavedTaskOrder", description="The order of a list. Ties are broken by id.")
class SavedTaskOrder:
    field: TaskOrderField = strawberry.field(
        graphql_type=_FIELD,
        description="The field to order by. Records without a value come last, or first in `desc`.",
    )
    direction: OrderDirection = strawberry.field(default=OrderDirection.asc, description="Ascending or descending.")


def _order(given: SavedTaskOrder | None) -> TaskOrder:
    if given is None:
        return TaskOrder()
    return TaskOrder(TaskOrderField(given.field.value), given.direction is OrderDirection.desc)


@strawberry.type(description="Tasks with how they do.")
class SavedTaskConnection:
    asked: strawberry.Private[TasksAsked]
    edges: list[SavedTaskEdge] = strawberry.field(description="The tasks of the page with their cursors.")
    nodes: list[OperationalStatistics] = strawberry.field(description="The tasks of the page, and how they do.")
    page_info: PageFacts = strawberry.field(graphql_type=PAGE_INFO, description="Where the page begins and ends.")

    @strawberry.field(description=TOTAL)
    async def total_count(self, info: RecordInfo) -> int:
        return await tasks_counted(info.context.database, viewer_of(info), self.asked)


@strawberry.type
class TaskFigures:
    """Put on tasks. Those of a list are read together."""

    @strawberry.field(description="How its runs do, as far as you may see them; null while there are none.")
    async def statistics(self, info: RecordInfo) -> OperationalStatistics | None:
        found = await _of_tasks(self, info, task_statistics)
        return _shown(found) if found else None

    @strawberry.field(graphql_type=optional(record_type("Run")), description="Its run that started last.")
    async def last_run(self, info: RecordInfo) -> Any:
        return await load_record(info, await _of_tasks(self, info, last_runs))


Reads = Callable[[Database, Viewer, Sequence[str]], Awaitable[Sequence[Any]]]


async def _of_tasks(source: Any, info: RecordInfo, read: Reads) -> Any:
    """One answer for each task of the list that this one is in, from one read."""
    context, viewer = info.context, viewer_of(info)

    async def together(ids: list[str]) -> list[Any]:
        return list(await read(context.database, viewer, ids))

    return await context.loader.load((read, id(raw_of(info).field_nodes[0])), source.id, together)


@strawberry.type
class StatisticsQuery:
    @strawberry.field(
        description="How a task or template does: counts, times, costs. Null when there is no run that you may see."
    )
    async def operational_statistics(
        self,
        info: RecordInfo,
        of: Annotated[RecordRefInput, strawberry.argument(description="The Task or Template.")],
        since: Annotated[
            Timestamp | None, strawberry.argument(description="Only runs that started then or later.")
        ] = None,
    ) -> OperationalStatistics | None:
        found = await statistics_of(info.context.database, viewer_of(info), of.ref(), since)
        return _shown(found) if found else None

    @strawberry.field(
        description="Tasks with their statistics: those that were run, and saved ones; the latest run first, unless "
        "another order is given."
    )
    async def saved_tasks(  # noqa: PLR0917 - as GraphQL names them
        self,
        info: RecordInfo,
        tab: Annotated[
            TaskTab,
            strawberry.argument(
                description="active: with a run under way; scheduled: that a schedule runs; saved: all."
            ),
        ] = TaskTab.saved,
        filter: Annotated[SavedTaskFilter | None, strawberry.argument(description="Only these tasks.")] = None,
        search: Annotated[
            str | None, strawberry.argument(description="Only tasks whose name or key contains this, in whatever case.")
        ] = None,
        order_by: Annotated[
            SavedTaskOrder | None, strawberry.argument(description="The order; the latest run first unless given.")
        ] = None,
        first: Annotated[int, strawberry.argument(description=f"At most so many tasks, up to {MOST_ROWS}.")] = 20,
        after: Annotated[str | None, strawberry.argument(description="Only tasks after this cursor.")] = None,
    ) -> SavedTaskConnection:
        asked = TasksAsked(tab, TaskFilter(**vars(filter)) if filter else TaskFilter(), search, _order(order_by))
        page = await saved_tasks(info.context.database, viewer_of(info), asked, first=first, after=after)
        return _page(asked, page, after)


def _page(asked: TasksAsked, page: TaskPage, after: str | None) -> SavedTaskConnection:
    edges = [
        SavedTaskEdge(cursor=one.cursor, node=_shown(one.statistics), saved=_saved(one.saved)) for one in page.rows
    ]
    return SavedTaskConnection(
        asked=asked,
        edges=edges,
        nodes=[one.node for one in edges],
        page_info=page_facts([one.cursor for one in edges], after, has_next=page.has_next),
    )


def _saved(found: SavedTask | None) -> SavedTaskInfo | None:
    if found is None:
        return None
    values: dict[str, Any] = asdict(found)
    return SavedTaskInfo(**values)


def _shown(found: Statistics) -> OperationalStatistics:
    values: dict[str, Any] = asdict(found)
    return OperationalStatistics(**values)
