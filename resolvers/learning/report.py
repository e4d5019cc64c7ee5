"""What was learned: the report over its ledgers, and what signals come to."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from graph_schema.learning.report_words import ReportScope
from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of, settle, viewer_of
from resolvers.engine.scalars import Timestamp, enum_type
from resolvers.generated.inputs import RecordRefInput
from resolvers.generated.naming import id_of
from resolvers.generated.payloads import RecordPayload, payload_of, record_payload
from resolvers.generated.views import view_type
from resolvers.records.commands import CommandId
from service.learning.aggregates.read import MOST, Aggregates, DesignAggregates
from service.learning.report.keep import KeptReports, LearningReportReplay
from service.learning.report.read import LearningReport, LearningReports

Scope = Annotated[
    ReportScope, strawberry.argument(description="Which ledgers it tells.", graphql_type=enum_type(ReportScope))
]
At = Annotated[Timestamp | None, strawberry.argument(description="As of when; now, when left out.")]
ContextClass = Annotated[str | None, strawberry.argument(description="Of this class of context only.")]
First = Annotated[int, strawberry.argument(description=f"How many at most, up to {MOST}.")]


Kept = Annotated[RecordRefInput, strawberry.argument(description="The kept report.")]

if TYPE_CHECKING:
    OfReport = RecordPayload
else:
    OfReport = payload_of("KeptReport")


@strawberry.type(description="The kept report.")
class KeptReportPayload(OfReport):
    known: bool = strawberry.field(default=False, description="Whether the same was kept before; that is told then.")


@strawberry.type
class ReportMutation:
    @strawberry.mutation(
        description="Keep the learning report of a moment, as closed as all that it counts. The same is kept once. "
        "Needs curate."
    )
    async def record_learning_report(
        self, info: RecordInfo, scope: Scope = ReportScope.all, at: At = None, command_id: CommandId = None
    ) -> KeptReportPayload:
        outcome = await service_of(info, KeptReports).keep(viewer_of(info), scope, at, command_id=command_id)
        done = await settle(info, outcome)
        return record_payload(done, KeptReportPayload, known=done.result.get("known", False))


@strawberry.type
class ReportQuery:
    @strawberry.field(
        graphql_type=view_type(LearningReport),
        description="What was learned as of a moment, ledger by ledger, from what you may see. It stores nothing.",
    )
    async def learning_report(self, info: RecordInfo, scope: Scope = ReportScope.all, at: At = None) -> Any:
        return shaped(info, await service_of(info, LearningReports).of(viewer_of(info), scope, at))

    @strawberry.field(
        graphql_type=view_type(LearningReportReplay),
        description="A kept report beside what is told of the same moment now.",
    )
    async def replay_learning_report(self, info: RecordInfo, report: Kept) -> Any:
        found = await id_of(info, report.ref(), "report", "KeptReport")
        return shaped(info, await service_of(info, KeptReports).replay(viewer_of(info), found))

    @strawberry.field(
        graphql_type=view_type(DesignAggregates),
        description="What signals on designs come to, by class of context and class of model. Nothing is told below "
        "the thresholds. It stores nothing.",
    )
    async def design_aggregates(self, info: RecordInfo, context_class: ContextClass = None, first: First = 50) -> Any:
        found = await service_of(info, Aggregates).of(viewer_of(info), context_class=context_class, first=first)
        return shaped(info, found)
