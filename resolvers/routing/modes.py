"""What a request becomes: a saved task or a direct answer, and what a model is told of it."""

from typing import Annotated, Any

import strawberry

from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of, settle, viewer_of
from resolvers.generated.inputs import RecordRefInput, input_type
from resolvers.generated.naming import id_of
from resolvers.generated.payloads import RecordPayload, record_payload
from resolvers.generated.views import view_type
from resolvers.records.commands import CommandId
from service.routing.decision.answer import TaskModeDecision
from service.routing.decision.keep import KeptModes, TaskModeComparison
from service.routing.decision.read import TaskModes
from service.routing.decision.request import TaskModeRequest
from service.routing.opportunity.ambient import AmbientTaskCard
from service.routing.opportunity.packet import LEAST_TOKENS, MOST_TOKENS, TaskOpportunityPacket
from service.routing.opportunity.read import Opportunities

Request = Annotated[
    TaskModeRequest,
    strawberry.argument(
        description="What the user said, and what you know beside.", graphql_type=input_type(TaskModeRequest)
    ),
]
Tokenizer = Annotated[
    str | None,
    strawberry.argument(
        description="The model that is to read it: its own tokenizer counts where it is on hand, else an estimate."
    ),
]


@strawberry.type
class ModeQuery:
    @strawberry.field(
        graphql_type=view_type(TaskModeDecision),
        description="Whether a request is answered directly or becomes a saved task, and why. It stores and starts "
        "nothing.",
    )
    async def task_mode(self, info: RecordInfo, request: Request) -> Any:
        return shaped(info, await service_of(info, TaskModes).decide(viewer_of(info), request))

    @strawberry.field(
        graphql_type=view_type(TaskOpportunityPacket),
        description="What a model may be told of saved tasks in this turn, as fields and as text; empty at none and "
        "low. It stores nothing.",
    )
    async def opportunity_packet(
        self,
        info: RecordInfo,
        request: Request,
        tokenizer: Tokenizer = None,
        max_tokens: Annotated[
            int, strawberry.argument(description=f"What the text may take, from {LEAST_TOKENS} to {MOST_TOKENS}.")
        ] = MOST_TOKENS,
    ) -> Any:
        made = await service_of(info, Opportunities).packet(viewer_of(info), request, tokenizer, max_tokens)
        return shaped(info, made)

    @strawberry.field(
        graphql_type=view_type(AmbientTaskCard),
        description="The card about saved tasks that every conversation may have.",
    )
    async def ambient_task_card(self, info: RecordInfo, tokenizer: Tokenizer = None) -> Any:
        return shaped(info, await service_of(info, Opportunities).ambient(viewer_of(info), tokenizer))

    @strawberry.field(
        graphql_type=view_type(TaskModeComparison),
        description="A kept decision beside the same request and facts, decided again as of the time of the first.",
    )
    async def compare_task_mode(
        self,
        info: RecordInfo,
        decision: Annotated[RecordRefInput, strawberry.argument(description="The kept decision.")],
    ) -> Any:
        decision_id = await id_of(info, decision.ref(), "decision", "ModeDecision")
        return shaped(info, await service_of(info, KeptModes).compare(viewer_of(info), decision_id))


@strawberry.type
class ModeMutation:
    @strawberry.mutation(
        description="Decide, and keep the decision with its facts, so that it can be compared and responded to. It "
        "starts nothing. Needs curate."
    )
    async def record_task_mode(self, info: RecordInfo, request: Request, command_id: CommandId = None) -> RecordPayload:
        outcome = await service_of(info, KeptModes).keep(viewer_of(info), request, command_id=command_id)
        return record_payload(await settle(info, outcome))
