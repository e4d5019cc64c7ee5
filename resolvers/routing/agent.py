"""The Task Agent: what works of it now, and receipts of models that stood in."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of, settle, viewer_of
from resolvers.generated.inputs import input_type
from resolvers.generated.payloads import RecordPayload, payload_of, record_payload
from resolvers.generated.views import view_type
from resolvers.records.commands import CommandId
from service.routing.agent.commands import ModelFallbackInput, ModelFallbacks
from service.routing.agent.read import AgentProfiles, TaskAgentNow

Fallback = Annotated[
    ModelFallbackInput,
    strawberry.argument(description="What stood in for what.", graphql_type=input_type(ModelFallbackInput)),
]

if TYPE_CHECKING:
    ModelFallbackPayload = RecordPayload
else:
    ModelFallbackPayload = payload_of("FallbackReceipt", "ModelFallbackPayload", "The receipt that was kept.")


@strawberry.type
class AgentQuery:
    @strawberry.field(
        graphql_type=view_type(TaskAgentNow),
        description="The Task Agent: its entrypoints, how it runs, what works now and what is missing for the rest.",
    )
    async def task_agent(self, info: RecordInfo) -> Any:
        return shaped(info, await service_of(info, AgentProfiles).now(viewer_of(info)))


@strawberry.type
class AgentMutation:
    @strawberry.mutation(
        description="Keep a receipt that the Task Agent ran on another model than the one that was meant. What it "
        "proposes then is marked as needing to be validated once more. Needs curate."
    )
    async def record_model_fallback(
        self,
        info: RecordInfo,
        input: Fallback,  # noqa: A002 - the name in GraphQL
        command_id: CommandId = None,
    ) -> ModelFallbackPayload:
        outcome = await service_of(info, ModelFallbacks).record(viewer_of(info), input, command_id=command_id)
        return record_payload(await settle(info, outcome), ModelFallbackPayload)
