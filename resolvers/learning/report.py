"""What was learned: the report over its ledgers, and what signals come to."""

from typing import Annotated, Any

import strawberry

from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of, viewer_of
from resolvers.engine.scalars import Timestamp, enum_type
from resolvers.generated.views import view_type
from service.learning.aggregates.read import MOST, Aggregates, DesignAggregates
from service.learning.report.ledgers import ReportScope
from service.learning.report.read import LearningReport, LearningReports

Scope = Annotated[
    ReportScope, strawberry.argument(description="Which ledgers it tells.", graphql_type=enum_type(ReportScope))
]
At = Annotated[Timestamp | None, strawberry.argument(description="As of when; now, when left out.")]
ContextClass = Annotated[str | None, strawberry.argument(description="Of this class of context only.")]
First = Annotated[int, strawberry.argument(description=f"How many at most, up to {MOST}.")]


@strawberry.type
class ReportQuery:
    @strawberry.field(
        graphql_type=view_type(LearningReport),
        description="What was learned as of a moment, ledger by ledger, from what you may see. It stores nothing.",
    )
    async def learning_report(self, info: RecordInfo, scope: Scope = ReportScope.all, at: At = None) -> Any:
        return shaped(info, await service_of(info, LearningReports).of(viewer_of(info), scope, at))

    @strawberry.field(
        graphql_type=view_type(DesignAggregates),
        description="What signals on designs come to, by class of context and class of model. Nothing is told below "
        "the thresholds. It stores nothing.",
    )
    async def design_aggregates(self, info: RecordInfo, context_class: ContextClass = None, first: First = 50) -> Any:
        found = await service_of(info, Aggregates).of(viewer_of(info), context_class=context_class, first=first)
        return shaped(info, found)
