"""What waits for a user, and how good decisions about attention are."""

from typing import Annotated, Any

import strawberry

from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of, viewer_of
from resolvers.engine.scalars import Timestamp, enum_type
from resolvers.generated.views import view_type
from service.attention.figures.read import DAYS, AttentionReport, AttentionReports
from service.attention.inbox.read import MOST, AttentionInbox, Inboxes
from service.attention.inbox.sources import InboxSource

SOURCES: Any = list[enum_type(InboxSource)]


@strawberry.type
class InboxQuery:
    @strawberry.field(
        graphql_type=view_type(AttentionInbox),
        description="What waits for you, ranked, with reasons: directives, gates that wait, failed runs, what is "
        "odd, tools of little use, proposals to decide on. It stores nothing.",
    )
    async def attention_inbox(
        self,
        info: RecordInfo,
        sources: Annotated[
            list[InboxSource] | None,
            strawberry.argument(
                description="Only what comes from these; all, when left out.", graphql_type=SOURCES | None
            ),
        ] = None,
        first: Annotated[int, strawberry.argument(description=f"At most so many, up to {MOST}.")] = 20,
    ) -> Any:
        return shaped(info, await service_of(info, Inboxes).of(viewer_of(info), sources, first))

    @strawberry.field(
        graphql_type=view_type(AttentionReport),
        description="How many directives were right, too many or missed, held against what users did; in shadow mode, "
        "how many would have been. It stores nothing.",
    )
    async def attention_report(
        self,
        info: RecordInfo,
        since: Annotated[
            Timestamp | None, strawberry.argument(description=f"From when; {DAYS} days before the end, when left out.")
        ] = None,
        until: Annotated[Timestamp | None, strawberry.argument(description="Until when; now, when left out.")] = None,
        surface: Annotated[str | None, strawberry.argument(description="Only what is about this component.")] = None,
    ) -> Any:
        return shaped(info, await service_of(info, AttentionReports).of(viewer_of(info), since, until, surface))
