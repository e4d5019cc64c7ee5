"""What waits for a decision, and what happened since something was applied."""

from typing import Annotated, Any

import strawberry

from graph_schema.learning.proposal_words import ProposalKind, Risk
from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of, viewer_of
from resolvers.engine.scalars import enum_type
from resolvers.generated.views import view_type
from resolvers.learning.proposals import ProposalId
from service.learning.review.read import ProposalWatch, ReviewQueue, Reviews

First = Annotated[int, strawberry.argument(description="How many at most.")]


@strawberry.type
class ReviewQuery:
    @strawberry.field(
        graphql_type=view_type(ReviewQueue),
        description="Proposals that wait for somebody, most worth first, with the reasons. It stores nothing.",
    )
    async def review_queue(
        self,
        info: RecordInfo,
        first: First = 20,
        risk: Annotated[
            Risk | None, strawberry.argument(description="Of this risk only.", graphql_type=enum_type(Risk) | None)
        ] = None,
        kind: Annotated[
            ProposalKind | None,
            strawberry.argument(description="Of this kind only.", graphql_type=enum_type(ProposalKind) | None),
        ] = None,
        snoozed: Annotated[bool, strawberry.argument(description="With those that were put off.")] = False,
    ) -> Any:
        found = await service_of(info, Reviews).queue(
            viewer_of(info), first=first, risk=risk, kind=kind, snoozed=snoozed
        )
        return shaped(info, found)

    @strawberry.field(
        graphql_type=view_type(ProposalWatch),
        description="What happened since a proposal was applied, beside what was promised. It stores nothing.",
    )
    async def proposal_watch(self, info: RecordInfo, proposal_id: ProposalId) -> Any:
        return shaped(info, await service_of(info, Reviews).watch(viewer_of(info), proposal_id))
