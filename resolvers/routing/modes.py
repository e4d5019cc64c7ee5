"""What a request becomes: a saved task, or a direct answer."""

from typing import Annotated, Any

import strawberry

from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of, viewer_of
from resolvers.generated.inputs import input_type
from resolvers.generated.views import view_type
from service.routing.decision.answer import TaskModeDecision
from service.routing.decision.read import TaskModes
from service.routing.decision.request import TaskModeRequest

Request = Annotated[
    TaskModeRequest,
    strawberry.argument(
        description="What the user said, and what you know beside.", graphql_type=input_type(TaskModeRequest)
    ),
]


@strawberry.type
class ModeQuery:
    @strawberry.field(
        graphql_type=view_type(TaskModeDecision),
        description="Whether a request is answered directly, or becomes a saved task, and why. It stores nothing, and "
        "starts nothing.",
    )
    async def task_mode(self, info: RecordInfo, request: Request) -> Any:
        return shaped(info, await service_of(info, TaskModes).decide(viewer_of(info), request))
