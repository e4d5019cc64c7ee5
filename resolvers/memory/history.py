"""The history of runs, as the API shows it."""

from dataclasses import fields
from enum import StrEnum
from typing import Annotated, Any

import strawberry

from graph_schema.context.words import TriggerKind
from graph_schema.memory.words import ArtifactKind, RunStatus
from resolvers.engine.loading import RecordInfo, load_record, load_records
from resolvers.engine.request import viewer_of
from resolvers.engine.scalars import Timestamp
from resolvers.generated.construction import optional
from resolvers.generated.inputs import RecordRefInput
from resolvers.generated.pages import PAGE_INFO, TOTAL, PageFacts, page_facts
from resolvers.generated.types import record_type
from service.memory.history import EmptyReason, HistoryFilter, HistoryPage, HistoryRequest, Kept, task_history
from service.memory.history.read import runs_counted
from service.memory.history.request import DEFAULT, MOST

_KEPT = strawberry.enum(Kept, name="ArtifactsKept", description="What became of the artifacts of a run.")
_REASON = strawberry.enum(EmptyReason, name="HistoryEmptyReason", description="Why no run is shown.")


def _given(description: str) -> Any:
    return strawberry.field(default=None, description=description)


@strawberry.input(
    description="Which runs to show: those that pass every filter that is given. One of a list is enough to pass it."
)
class TaskHistoryFilter:
    tasks: list[RecordRefInput] | None = _given("Runs of these tasks.")
    templates: list[RecordRefInput] | None = _given("Runs that followed these templates.")
    about: list[RecordRefInput] | None = _given("Runs about these entities: a matter, a person, a document.")
    statuses: list[RunStatus] | None = _given("Runs that stand so.")
    started_from: Timestamp | None = _given("Runs that started then or later.")
    started_before: Timestamp | None = _given("Runs that started before.")
    trigger_kinds: list[TriggerKind] | None = _given("Runs that were begun so.")
    output_kinds: list[ArtifactKind] | None = _given("Runs that made an artifact of such a kind.")
    artifacts_kept: Kept | None = _given("Runs with an artifact that goes beyond its run, or was promoted, or neither.")
    min_score: float | None = _given("Runs with evaluation evidence that gives at least so much.")
    max_score: float | None = _given("Runs with evaluation evidence that gives at most so much.")
    failure_codes: list[str] | None = _given("Runs that failed for such a reason.")
    capabilities: list[RecordRefInput] | None = _given("Runs in which one of these was used.")
    min_cost_usd: float | None = _given("Runs that cost at least so many dollars.")
    max_cost_usd: float | None = _given("Runs that cost at most so many dollars.")
    with_errors: bool | None = _given("Runs in which a step ended in an error, or runs in which none did.")

    def wanted(self) -> HistoryFilter:
        values = {one.name: getattr(self, one.name) for one in fields(HistoryFilter)}
        return HistoryFilter(**{name: plain(value) for name, value in values.items() if value is not None})


def plain(value: Any) -> Any:
    """A value of a filter as the service takes it."""
    if isinstance(value, list):
        return tuple(plain(one) for one in value)  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, RecordRefInput):
        return value.ref()
    return value.value if isinstance(value, StrEnum) else value


@strawberry.type(description="A run in the history.")
class TaskHistoryEdge:
    cursor: str = strawberry.field(description="Where the run stands in the history.")
    run_id: strawberry.Private[str]

    @strawberry.field(graphql_type=optional(record_type("Run")), description="The run.")
    async def node(self, info: RecordInfo) -> Any:
        return await load_record(info, self.run_id)


@strawberry.type(description="Runs, the latest start first, or why there are none.")
class TaskHistoryConnection:
    wanted: strawberry.Private[HistoryFilter]
    edges: list[TaskHistoryEdge] = strawberry.field(description="The runs of the page with their cursors.")
    page_info: PageFacts = strawberry.field(graphql_type=PAGE_INFO, description="Where the page begins and ends.")
    empty_reason: EmptyReason | None = strawberry.field(description="Why there are no runs; null when there are some.")
    explanation: str | None = strawberry.field(description="The reason in a sentence.")

    @strawberry.field(graphql_type=list[optional(record_type("Run"))], description="The runs of the page.")
    async def nodes(self, info: RecordInfo) -> Any:
        return await load_records(info, [one.run_id for one in self.edges])

    @strawberry.field(description=TOTAL)
    async def total_count(self, info: RecordInfo) -> int:
        return await runs_counted(info.context.database, viewer_of(info), self.wanted)


@strawberry.type
class HistoryQuery:
    @strawberry.field(description="Runs that have started, the latest first, by the twelve filters of the history.")
    async def task_history(
        self,
        info: RecordInfo,
        filter: Annotated[
            TaskHistoryFilter | None, strawberry.argument(description="Which runs to show; without it, all.")
        ] = None,
        first: Annotated[int, strawberry.argument(description=f"At most so many runs, up to {MOST}.")] = DEFAULT,
        after: Annotated[str | None, strawberry.argument(description="Only runs after this cursor.")] = None,
    ) -> TaskHistoryConnection:
        wanted = filter.wanted() if filter else HistoryFilter()
        request = HistoryRequest(wanted, first, after)
        return _shown(request, await task_history(info.context.database, viewer_of(info), request))


def _shown(request: HistoryRequest, page: HistoryPage) -> TaskHistoryConnection:
    edges = [TaskHistoryEdge(cursor=one.cursor, run_id=one.id) for one in page.runs]
    return TaskHistoryConnection(
        wanted=request.filter,
        edges=edges,
        page_info=page_facts([one.cursor for one in edges], request.after, has_next=page.has_next),
        empty_reason=page.empty_reason,
        explanation=page.explanation,
    )
