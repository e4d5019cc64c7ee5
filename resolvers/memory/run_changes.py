"""One run, live: what happens in it, resumable from a cursor."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Annotated, Any

import strawberry

from graph_schema.memory.words import RunStatus
from resolvers.engine.loading import RecordInfo, load_record
from resolvers.engine.request import service_of
from resolvers.events import AfterOrNow, Kinds, viewer_now
from resolvers.generated.construction import optional
from resolvers.generated.inputs import RecordRefInput
from resolvers.generated.naming import id_of
from resolvers.generated.types import record_type
from resolvers.generated.views import view_type
from service.events import RecordEvent
from service.memory.run_changes import Part, RunChange, RunChanges

RunArgument = Annotated[RecordRefInput, strawberry.argument(description="The run.")]


@strawberry.type(name="RunChangePart", description="A record of a run that changed, as it stands now.")
class RunChangePart:
    id: strawberry.ID = strawberry.field(description="Its id.")
    kind: str = strawberry.field(description="Its type: Activation, Span, Artifact, Delivery, Gate and so on.")
    key: str | None = strawberry.field(description="What the executor calls it, where it has a name of its own.")
    name: str = strawberry.field(description="What people call it.")
    status: str | None = strawberry.field(description="Where it stands, in the words of its type.")
    version: int = strawberry.field(description="How many events have spoken about it, for a client that kept it.")
    module_key: str | None = strawberry.field(description="The module that it belongs to.")
    activation_seq: int | None = strawberry.field(description="Which activation of that module.")

    @strawberry.field(graphql_type=optional(record_type()), description="The record itself.")
    async def record(self, info: RecordInfo) -> Any:
        return await load_record(info, self.id)


@strawberry.type(name="RunChange", description="Something that happened in a run.")
class RunChangeInfo:
    cursor: str = strawberry.field(description="Go on from here with `after`.")
    run_id: strawberry.ID = strawberry.field(description="Id of the run.")
    status: RunStatus = strawberry.field(description="Where the run stands now.")
    version: int = strawberry.field(description="Version of the run now.")
    event: RecordEvent | None = strawberry.field(
        graphql_type=optional(view_type(RecordEvent)),
        description="What happened. Null in the first item without a cursor, which only says where the run stands.",
    )
    parts: list[RunChangePart] = strawberry.field(description="What of the run changed by it and may be seen.")

    @strawberry.field(graphql_type=optional(record_type("Run")), description="The run itself.")
    async def run(self, info: RecordInfo) -> Any:
        return await load_record(info, self.run_id)


@strawberry.type
class RunChangesSubscription:
    @strawberry.subscription(
        description="Follow one run. Without a cursor the first item says where it stands and from where to go on. "
        "Subscribe again with the last cursor, and nothing is lost. Of a run that you cannot see there is nothing."
    )
    async def run_changes(
        self, info: RecordInfo, run: RunArgument, after: AfterOrNow = None, kinds: Kinds = None
    ) -> AsyncGenerator[RunChangeInfo]:
        run_id = await id_of(info, run.ref(), "run", "Run")
        source = service_of(info, RunChanges).changes(viewer_now(info), run_id, after=after, kinds=kinds or ())
        async with aclosing(source) as found:
            async for change in found:
                yield _shown(change)


def _shown(change: RunChange) -> RunChangeInfo:
    return RunChangeInfo(
        cursor=change.cursor,
        run_id=strawberry.ID(change.run_id),
        status=RunStatus(change.status),
        version=change.version,
        event=change.event,
        parts=[_shown_part(one) for one in change.parts],
    )


def _shown_part(part: Part) -> RunChangePart:
    return RunChangePart(
        id=strawberry.ID(part.id),
        kind=part.kind,
        key=part.key,
        name=part.name,
        status=part.status,
        version=part.version,
        module_key=part.module_key,
        activation_seq=part.activation_seq,
    )
