"""What happened to the records: a list to page through, and a stream that can be resumed."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TYPE_CHECKING, Annotated, cast

import strawberry

from graph_schema.model.names import api_name
from graph_schema.registry import REGISTRY
from resolvers.engine.loading import RecordInfo
from resolvers.engine.request import service_of, viewer_of
from resolvers.engine.scalars import Timestamp
from resolvers.generated.inputs import RecordRefInput
from resolvers.generated.naming import id_of
from resolvers.generated.pages import PAGE_INFO, PageFacts, page_facts
from service.access.errors import Unauthenticated
from service.access.viewer import Viewer
from service.events import Event, EventPage, Head, ViewerNow, events, follow

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


@strawberry.type(name="RecordEvent", description="Something that happened to a record.")
class EventInfo:
    cursor: str = strawberry.field(description="Where it stands in the log: go on from here with `after`.")
    event_id: strawberry.ID = strawberry.field(description="Its own id: the same wherever it is read.")
    kind: str = strawberry.field(description="What happened, such as goal.updated.")
    at: Timestamp = strawberry.field(description="When it happened.")
    about: strawberry.ID = strawberry.field(description="Id of the record that it happened to.")
    about_kind: str = strawberry.field(description="Type of that record.")
    about_version: int = strawberry.field(description="Version of that record after it.")
    principal_id: strawberry.ID = strawberry.field(description="Id of the principal who did it.")
    command_id: str = strawberry.field(description="The command that did it.")
    changed: list[str] = strawberry.field(
        description="Fields that changed; of a run, kinds of event that were reported."
    )
    other: strawberry.ID | None = strawberry.field(
        description="Id of a second record that it concerns, such as the other end of a link; null when not visible."
    )


@strawberry.type(name="RecordEventEdge", description="An event in a list.")
class EventEdge:
    cursor: str = strawberry.field(description="Where the event stands in the log.")
    node: EventInfo = strawberry.field(description="The event.")


@strawberry.type(name="RecordEventConnection", description="A page of events, in the order of the log.")
class EventConnection:
    edges: list[EventEdge] = strawberry.field(description="The events of the page with their cursors.")
    nodes: list[EventInfo] = strawberry.field(description="The events of the page.")
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
        description="Each event once, as it happens. Subscribe again with the last cursor, and nothing is lost."
    )
    async def events(
        self, info: RecordInfo, after: AfterOrNow = None, kinds: Kinds = None, about: About = None
    ) -> AsyncGenerator[EventInfo]:
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
                yield shown_event(event)


def viewer_now(info: RecordInfo) -> ViewerNow:
    """The viewer, asked for anew each time: a subscription outlives what was known when it began."""
    viewer_of(info)

    async def now() -> Viewer:
        if info.context.renew is None:
            raise Unauthenticated("no key")
        return await info.context.renew()

    return now


def _connection(page: EventPage, after: str | None) -> EventConnection:
    nodes = [shown_event(event) for event in page.events]
    return EventConnection(
        edges=[EventEdge(cursor=node.cursor, node=node) for node in nodes],
        nodes=nodes,
        page_info=page_facts([node.cursor for node in nodes], after, has_next=page.has_next),
        head=page.head,
    )


def _changed(event: Event) -> list[str]:
    """Fields by the names that the API has for them. Of what was reported it is kinds of events, which stay."""
    kind = REGISTRY.types.get(event.about_kind)
    return [api_name(one) if kind and one in kind.fields else one for one in event.changed]


def shown_event(event: Event) -> EventInfo:
    return EventInfo(
        cursor=event.cursor,
        event_id=strawberry.ID(event.event_id),
        kind=event.kind,
        at=Timestamp(event.at),
        about=strawberry.ID(event.about),
        about_kind=event.about_kind,
        about_version=event.about_version,
        principal_id=strawberry.ID(event.principal_id),
        command_id=event.command_id,
        changed=_changed(event),
        other=strawberry.ID(event.other) if event.other else None,
    )
