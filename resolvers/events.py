"""What happened to the records: a list to page through, and a stream that can be resumed."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TYPE_CHECKING, Annotated, Any, cast

import strawberry

from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of, viewer_of
from resolvers.generated.inputs import RecordRefInput
from resolvers.generated.naming import id_of
from resolvers.generated.views import view_type
from service.access.errors import Unauthenticated
from service.access.viewer import Viewer
from service.events import Events, RecordEvent, RecordEventConnection, ViewerNow

if TYPE_CHECKING:
    from resolvers.engine.execution import ReadSchema

Kinds = Annotated[
    list[str] | None,
    strawberry.argument(description="Only these kinds: names such as goal.updated, or families such as goal.*."),
]
About = Annotated[
    RecordRefInput | None,
    strawberry.argument(description="Only events about this record; of a run also those of its parts."),
]
First = Annotated[int, strawberry.argument(description="At most so many events.")]
AfterOrOldest = Annotated[
    str | None, strawberry.argument(description="Only events after this cursor; without one, from the oldest kept.")
]
AfterOrNow = Annotated[
    str | None, strawberry.argument(description="Begin after this cursor; without one, with what happens from now on.")
]


@strawberry.type
class EventQuery:
    @strawberry.field(
        graphql_type=view_type(RecordEventConnection),
        description="What happened to records that the viewer may see, in order for each record.",
    )
    async def events(
        self,
        info: RecordInfo,
        after: AfterOrOldest = None,
        kinds: Kinds = None,
        about: About = None,
        first: First = 100,
    ) -> Any:
        page = await service_of(info, Events).page(
            viewer_now(info),
            after=after,
            kinds=kinds or (),
            about=await id_of(info, about.ref(), "about") if about else None,
            first=first,
            most=cast("ReadSchema", info.schema).limits.page_size,
        )
        return shaped(info, page)


@strawberry.type
class EventSubscription:
    @strawberry.subscription(
        graphql_type=view_type(RecordEvent),
        description="Each event once, as it happens. Subscribe again with the last cursor, and nothing is lost.",
    )
    async def events(
        self, info: RecordInfo, after: AfterOrNow = None, kinds: Kinds = None, about: About = None
    ) -> AsyncGenerator[Any]:
        wanted = await id_of(info, about.ref(), "about") if about else None
        source = service_of(info, Events).follow(viewer_now(info), after=after, kinds=kinds or (), about=wanted)
        async with aclosing(source) as found:
            async for event in found:
                yield event


def viewer_now(info: RecordInfo) -> ViewerNow:
    """The viewer, asked for anew each time: a subscription outlives what was known when it began."""
    viewer_of(info)

    async def now() -> Viewer:
        if info.context.renew is None:
            raise Unauthenticated("no key")
        return await info.context.renew(frozenset())

    return now
