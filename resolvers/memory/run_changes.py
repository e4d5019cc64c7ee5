"""One run, live: what happens in it, resumable from a cursor."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Annotated, Any

import strawberry

from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of
from resolvers.events import AfterOrNow, Kinds, viewer_now
from resolvers.generated.inputs import RecordRefInput
from resolvers.generated.naming import id_of
from resolvers.generated.views import view_type
from service.memory.run_changes import RunChange, RunChanges

RunArgument = Annotated[RecordRefInput, strawberry.argument(description="The run.")]


@strawberry.type
class RunChangesSubscription:
    @strawberry.subscription(
        graphql_type=view_type(RunChange),
        description="Follow one run. Without a cursor the first item says where it stands and from where to go on. "
        "Subscribe again with the last cursor, and nothing is lost. Of a run that you cannot see there is nothing.",
    )
    async def run_changes(
        self, info: RecordInfo, run: RunArgument, after: AfterOrNow = None, kinds: Kinds = None
    ) -> AsyncGenerator[Any]:
        run_id = await id_of(info, run.ref(), "run", "Run")
        source = service_of(info, RunChanges).changes(viewer_now(info), run_id, after=after, kinds=kinds or ())
        async with aclosing(source) as found:
            async for change in found:
                yield shaped(info, change)
