"""The history of runs, as the API shows it."""

from dataclasses import fields
from enum import StrEnum
from typing import Annotated, Any

import strawberry

from graph_schema.context.words import TriggerKind
from graph_schema.memory.words import ArtifactKind, RunStatus
from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of, viewer_of
from resolvers.engine.scalars import Timestamp, enum_type
from resolvers.generated.inputs import RecordRefInput
from resolvers.generated.views import view_type
from service.memory.history import ArtifactsKept, HistoryFilter, HistoryRequest, TaskHistory, TaskHistoryConnection
from service.memory.history.request import DEFAULT, MOST

enum_type(ArtifactsKept)


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
    artifacts_kept: ArtifactsKept | None = _given(
        "Runs with an artifact that goes beyond its run, or was promoted, or neither."
    )
    min_score: float | None = _given("Runs with evaluation evidence that gives at least so much.")
    max_score: float | None = _given("Runs with evaluation evidence that gives at most so much.")
    failure_codes: list[str] | None = _given("Runs that failed for such a reason.")
    capabilities: list[RecordRefInput] | None = _given("Runs in which one of these was used.")
    min_cost_usd: float | None = _given("Runs that cost at least so many dollars.")
    max_cost_usd: float | None = _given("Runs that cost at most so many dollars.")
    with_errors: bool | None = _given("Runs in which a step ended in an error, or runs in which none did.")
    assessed: bool | None = _given("Runs that were assessed, or runs that were not.")
    min_quality: float | None = _given("Runs of which an assessment came to at least so much, of 1.")
    max_quality: float | None = _given("Runs of which an assessment came to at most so much.")

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


@strawberry.type
class HistoryQuery:
    @strawberry.field(
        graphql_type=view_type(TaskHistoryConnection),
        description="Runs that have started, the latest first, by the filters of the history.",
    )
    async def task_history(
        self,
        info: RecordInfo,
        filter: Annotated[
            TaskHistoryFilter | None, strawberry.argument(description="Which runs to show; without it, all.")
        ] = None,
        first: Annotated[int, strawberry.argument(description=f"At most so many runs, up to {MOST}.")] = DEFAULT,
        after: Annotated[str | None, strawberry.argument(description="Only runs after this cursor.")] = None,
    ) -> Any:
        request = HistoryRequest(filter.wanted() if filter else HistoryFilter(), first, after)
        return shaped(info, await service_of(info, TaskHistory).page(viewer_of(info), request))
