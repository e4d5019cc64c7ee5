"""How tasks and templates do in operation, as the API shows it."""

from collections.abc import Awaitable, Callable, Sequence
from enum import StrEnum
from typing import Annotated, Any

import strawberry

from graph_schema.model.names import api_name
from resolvers.engine.loading import RecordInfo, load_record, raw_of, shaped
from resolvers.engine.request import service_of, viewer_of
from resolvers.engine.scalars import Timestamp, enum_type
from resolvers.generated.construction import optional
from resolvers.generated.filters import OrderDirection
from resolvers.generated.inputs import RecordRefInput
from resolvers.generated.naming import id_of
from resolvers.generated.types import record_type
from resolvers.generated.views import view_type
from service.access.viewer import Viewer
from service.memory.statistics import (
    OperationalStatistics,
    SavedTaskConnection,
    TaskFilter,
    TaskOrder,
    TaskOrderField,
    TasksAsked,
    TasksInOperation,
    TaskTab,
)
from service.memory.statistics.paging import MOST_ROWS

enum_type(TaskTab)
_STATISTICS = optional(view_type(OperationalStatistics))


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
    matter: RecordRefInput | None = strawberry.field(default=None, description="Of this matter.")
    template: RecordRefInput | None = strawberry.field(default=None, description="Made from this template.")


async def _filter(info: RecordInfo, given: SavedTaskFilter | None) -> TaskFilter:
    if given is None:
        return TaskFilter()
    plain = {name: value for name, value in vars(given).items() if name not in {"matter", "template"}}
    return TaskFilter(
        **plain,
        matter_id=given.matter and await id_of(info, given.matter.ref(), "filter.matter", "Entity"),
        template_id=given.template and await id_of(info, given.template.ref(), "filter.template", "Template"),
    )


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


@strawberry.type
class TaskFigures:
    """Put on tasks. Those of a list are read together."""

    @strawberry.field(
        graphql_type=_STATISTICS, description="How its runs do, as far as you may see them; null while there are none."
    )
    async def statistics(self, info: RecordInfo) -> Any:
        return shaped(info, await _of_tasks(self, info, TasksInOperation.of_tasks))

    @strawberry.field(graphql_type=optional(record_type("Run")), description="Its run that started last.")
    async def last_run(self, info: RecordInfo) -> Any:
        return await load_record(info, await _of_tasks(self, info, TasksInOperation.last_runs))


Reads = Callable[[TasksInOperation, Viewer, Sequence[str]], Awaitable[Sequence[Any]]]


async def _of_tasks(source: Any, info: RecordInfo, read: Reads) -> Any:
    """One answer for each task of the list that this one is in, from one read."""
    tasks, viewer = service_of(info, TasksInOperation), viewer_of(info)

    async def together(ids: list[str]) -> list[Any]:
        return list(await read(tasks, viewer, ids))

    return await info.context.loader.load((read, id(raw_of(info).field_nodes[0])), source.id, together)


@strawberry.type
class StatisticsQuery:
    @strawberry.field(
        graphql_type=_STATISTICS,
        description="How a task or template does: counts, times, costs. Null when there is no run that you may see.",
    )
    async def operational_statistics(
        self,
        info: RecordInfo,
        of: Annotated[RecordRefInput, strawberry.argument(description="The Task or Template.")],
        since: Annotated[
            Timestamp | None, strawberry.argument(description="Only runs that started then or later.")
        ] = None,
    ) -> Any:
        return shaped(info, await service_of(info, TasksInOperation).of(viewer_of(info), of.ref(), since))

    @strawberry.field(
        graphql_type=view_type(SavedTaskConnection),
        description="Tasks with their statistics: those that were run, and saved ones; the latest run first, unless "
        "another order is given.",
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
    ) -> Any:
        asked = TasksAsked(tab, await _filter(info, filter), search, _order(order_by))
        tasks = service_of(info, TasksInOperation)
        return shaped(info, await tasks.saved(viewer_of(info), asked, first=first, after=after))
