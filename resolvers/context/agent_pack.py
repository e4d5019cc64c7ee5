"""What an agent is told before it inspects or designs a task."""

from typing import Annotated, Any

import strawberry

from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of, viewer_of
from resolvers.generated.inputs import input_type
from resolvers.generated.views import view_type
from service.context.agent_pack import AgentContextPack, AgentPackRequest, AgentPacks

Request = Annotated[
    AgentPackRequest,
    strawberry.argument(description="What the agent is about to do.", graphql_type=input_type(AgentPackRequest)),
]


@strawberry.type
class AgentPackQuery:
    @strawberry.field(
        graphql_type=view_type(AgentContextPack),
        description="What an agent needs to know before it inspects or designs a task: compact cards of what the "
        "request is about and of nothing else. It stores nothing.",
    )
    async def agent_context_pack(self, info: RecordInfo, request: Request) -> Any:
        return shaped(info, await service_of(info, AgentPacks).pack(viewer_of(info), request))
