"""Decisions about attention: taken, told, taken again."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from resolvers.engine.loading import RecordInfo, load_records, may_read, shaped
from resolvers.engine.request import service_of, settle, viewer_of
from resolvers.engine.scalars import Timestamp
from resolvers.generated.construction import optional
from resolvers.generated.inputs import RecordRefInput
from resolvers.generated.naming import id_of
from resolvers.generated.payloads import RecordPayload, payload_of, record_payload
from resolvers.generated.types import record_type
from resolvers.generated.views import view_type
from resolvers.records.commands import CommandId
from service.attention.deciding.commands import Attention
from service.attention.deciding.replay import AttentionReplay, AttentionTraces
from service.attention.deciding.view import AttentionDecision
from service.attention.pipeline.facts import AttentionLimits
from service.attention.policy import AttentionPolicy, policy_now
from service.attention.users import UserModelNow, UserModels

Session = Annotated[
    RecordRefInput,
    strawberry.argument(description="Your session: by its id, or by source and key as it was reported."),
]
Trace = Annotated[RecordRefInput, strawberry.argument(description="The trace of the decision.")]
DIRECTIVES: Any = list[optional(record_type("AttentionDirective"))]


if TYPE_CHECKING:
    OfTrace = RecordPayload
else:
    OfTrace = payload_of("PolicyTrace")


@strawberry.type(description="A decision about attention that was taken and kept, also to do nothing.")
class AttentionDecisionPayload(OfTrace):
    withheld: int = strawberry.field(
        default=0, description="Directives that would have come of it, had the mode allowed them."
    )
    directive_ids: strawberry.Private[tuple[str, ...]] = ()

    @strawberry.field(graphql_type=DIRECTIVES, description="The directives that came of it.")
    async def directives(self, info: RecordInfo) -> Any:
        return await load_records(info, [*self.directive_ids])

    @strawberry.field(
        graphql_type=optional(view_type(AttentionDecision)),
        description="The decision, step by step. Null for a key that may not read.",
    )
    async def decision(self, info: RecordInfo) -> Any:
        if not may_read(info) or self.record_id is None:
            return None
        return shaped(info, await service_of(info, AttentionTraces).decision(viewer_of(info), self.record_id))


@strawberry.type
class DecisionQuery:
    @strawberry.field(
        graphql_type=optional(view_type(AttentionDecision)),
        description="A decision about attention, step by step. Null where its texts were erased.",
    )
    async def attention_decision(self, info: RecordInfo, trace: Trace) -> Any:
        trace_id = await id_of(info, trace.ref(), "trace", "PolicyTrace")
        return shaped(info, await service_of(info, AttentionTraces).decision(viewer_of(info), trace_id))

    @strawberry.field(
        graphql_type=view_type(AttentionReplay),
        description="A kept decision beside the same one, taken again from what was known then. It stores nothing.",
    )
    async def replay_attention(self, info: RecordInfo, trace: Trace) -> Any:
        trace_id = await id_of(info, trace.ref(), "trace", "PolicyTrace")
        return shaped(info, await service_of(info, AttentionTraces).replay(viewer_of(info), trace_id))

    @strawberry.field(
        graphql_type=view_type(AttentionPolicy),
        description="What holds for decisions about attention: modes, moments, classes, rules and limits.",
    )
    async def attention_policy(self, info: RecordInfo) -> Any:
        viewer_of(info)
        return shaped(info, policy_now(service_of(info, AttentionLimits)))

    @strawberry.field(
        graphql_type=view_type(UserModelNow),
        description="How you like to be helped, as far as you have told it, and what that means.",
    )
    async def user_model(self, info: RecordInfo) -> Any:
        return shaped(info, await service_of(info, UserModels).own(viewer_of(info)))


@strawberry.type
class DecisionMutation:
    @strawberry.mutation(
        description="Decide whether you are asked for attention in a session of yours, and keep the decision. The "
        "service does so by itself soon after events and as time passes. Needs the scope report."
    )
    async def decide_attention(
        self,
        info: RecordInfo,
        session: Session,
        at: Annotated[
            Timestamp | None, strawberry.argument(description="For which moment; now, when left out.")
        ] = None,
        command_id: CommandId = None,
    ) -> AttentionDecisionPayload:
        outcome = await service_of(info, Attention).decide(viewer_of(info), session.ref(), at, command_id=command_id)
        more = {
            "withheld": outcome.result.get("withheld", 0),
            "directive_ids": tuple(outcome.result.get("directives", ())),
        }
        return record_payload(await settle(info, outcome), AttentionDecisionPayload, **more)
