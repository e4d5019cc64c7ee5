"""What happened to the records: a list to page through, and a stream that can be resumed."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TYPE_CHECKING, Annotated, Any, cast

import strawberry

from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of, viewer_of
from resolvers.generated.inputs import RecordRefInput
from resolvers.generated.naming import id_of
from resolvers.generated.pages import PAGE_INFO, PageFacts, page_facts
from resolvers.generated.views import view_type
from service.access.errors import Unauthenticated
from service.access.viewer import Viewer
from service.events import EventPage, Head, RecordEvent, ViewerNow, events, follow

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


_EVENT: Any = view_type(RecordEvent)


@strawberry.type(name="RecordEventEdge", description="An event in a list.")
class EventEdge:
    cursor: str = strawberry.field(description="Where the event stands in the log.")
    node: RecordEvent = strawberry.field(graphql_type=_EVENT, description="The event.")


@strawberry.type(name="RecordEventConnection", description="A page of events, in the order of the log.")
class EventConnection:
    edges: list[EventEdge] = strawberry.field(description="The events of the page with their cursors.")
    nodes: list[RecordEvent] = strawberry.field(graphql_type=list[_EVENT], description="The events of the page.")
    page_info: PageFacts = strawberry.field(graphql_type=PAGE_INFO, description="Where the page begins and ends.")
    head: str = strawberry.field(description="Cursor of the end of the log: after it comes what happens from now on.")


@strawberry.type
class EventQuery:
    @strawberry.field(description="What happened to records that the viewer may see, in order for each record.")
    async def events(
        self,
        info: RecordInfo,
        after: AfterOrOldest = None,
        kinds: Kinds = None,
        about: About = None,
        first: First = 100,
    ) -> EventConnection:
        wanted = await id_of(info, about.ref(), "about") if about else None
        page = await events(
            info.context.database,
            service_of(info, Head),
            viewer_now(info),
            after=after,
            kinds=kinds or (),
            about=wanted,
            first=first,
            most=cast("ReadSchema", info.schema).limits.page_size,
        )
        return _connection(page, after)


@strawberry.type
class EventSubscription:
    @strawberry.subscription(
        graphql_type=_EVENT,
        description="Each event once, as it happens. Subscribe again with the last cursor, and nothing is lost.",
    )
    async def events(
        self, info: RecordInfo, after: AfterOrNow = None, kinds: Kinds = None, about: About = None
    ) -> AsyncGenerator[Any]:
        wanted = await id_of(info, about.ref(), "about") if about else None
        source = follow(
            info.context.database,
            service_of(info, Head),
            viewer_now(info),
            after=after,
            kinds=kinds or (),
            about=wanted,
        )
        async with aclosing(source) as found:
            async for event in found:
                yield shaped(info, event)


def viewer_now(info: RecordInfo) -> ViewerNow:
    """The viewer, asked for anew each time: a subscription outlives what was known when it began."""
    viewer_of(info)

    async def now() -> Viewer:
        if info.context.renew is None:
            raise Unauthenticated("no key")
        return await info.context.renew()

    return now


def _connection(page: EventPage, after: str | None) -> EventConnection:
    return EventConnection(
        edges=[EventEdge(cursor=node.cursor, node=node) for node in page.events],
        nodes=page.events,
        page_info=page_facts([node.cursor for node in page.events], after, has_next=page.has_next),
        head=page.head,
    )
