"""The health of tools, and what a builder is told of those that there are."""

from datetime import datetime
from typing import Annotated, Any

import strawberry

from graph_schema.model.times import TimeUnreadable, read_time
from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of, viewer_of
from resolvers.engine.scalars import Timestamp
from resolvers.generated.inputs import RecordRefInput
from resolvers.generated.naming import id_of
from resolvers.generated.views import view_type
from service import clock
from service.commands.errors import TimeInvalid
from service.tools.health import ToolHealth, ToolHealths
from service.tools.health.priorities import ToolPriorities
from service.tools.health.read import MOST_TOOLS as MOST_LOOKED_AT
from service.tools.health.read import PRIORITIES
from service.tools.known import ToolShelf
from service.tools.known.read import BUDGET, LEAST_BUDGET, MOST_BUDGET, MOST_TOOLS, TOOLS
from service.tools.known.rules import KnownTools


def _moment(at: str | None) -> datetime | None:
    try:
        return clock.parse(read_time(at)) if at is not None else None
    except TimeUnreadable as error:
        raise TimeInvalid("at", error) from None


@strawberry.type
class ToolQuery:
    @strawberry.field(
        graphql_type=view_type(KnownTools),
        description="The block for the prompt of whoever builds tools: those that fit a request, by meaning and "
        "health, with their methods and what is known against them, within a budget. It stores nothing.",
    )
    async def known_tools(
        self,
        info: RecordInfo,
        request: Annotated[
            str | None, strawberry.argument(description="What a tool is sought for; without it, all are ranked.")
        ] = None,
        budget: Annotated[
            int,
            strawberry.argument(description=f"Tokens that the block may take, {LEAST_BUDGET} to {MOST_BUDGET}."),
        ] = BUDGET,
        first: Annotated[int, strawberry.argument(description=f"At most so many tools, up to {MOST_TOOLS}.")] = TOOLS,
        tokenizer: Annotated[
            str | None,
            strawberry.argument(description="The model whose tokenizer counts, if it is on hand; else an estimate."),
        ] = None,
    ) -> Any:
        found = await service_of(info, ToolShelf).known(viewer_of(info), request, budget, first, tokenizer)
        return shaped(info, found)

    @strawberry.field(
        graphql_type=view_type(ToolHealth),
        description="What the recent calls of a tool come to, counted now from what you may see. It stores nothing.",
    )
    async def tool_health(
        self,
        info: RecordInfo,
        tool: Annotated[RecordRefInput, strawberry.argument(description="The tool.")],
        at: Annotated[
            Timestamp | None, strawberry.argument(description="As of this moment; now, when left out.")
        ] = None,
    ) -> Any:
        tool_id = await id_of(info, tool.ref(), "tool", "Tool")
        return shaped(info, await service_of(info, ToolHealths).of(viewer_of(info), tool_id, _moment(at)))

    @strawberry.field(
        graphql_type=view_type(ToolPriorities),
        description="Which tools to make anew first, and which to repair, with what presses for it: two lists, counted "
        "now from what you may see. It stores nothing.",
    )
    async def tool_priorities(
        self,
        info: RecordInfo,
        first: Annotated[
            int, strawberry.argument(description=f"At most so many of each, up to {MOST_LOOKED_AT}.")
        ] = PRIORITIES,
    ) -> Any:
        return shaped(info, await service_of(info, ToolHealths).priorities(viewer_of(info), first))
