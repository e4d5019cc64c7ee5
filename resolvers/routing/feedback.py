"""What people make of suggestions, what holds because of it, and beginning anew."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from resolvers.engine.loading import RecordInfo, load_record, load_records, may_read, shaped
from resolvers.engine.request import service_of, settle, viewer_of
from resolvers.generated.construction import optional
from resolvers.generated.inputs import input_type
from resolvers.generated.naming import with_matters
from resolvers.generated.payloads import CommandPayload, RecordPayload, command_facts, payload_of, record_payload
from resolvers.generated.types import record_type
from resolvers.generated.views import view_type
from resolvers.records.commands import CommandId
from service.routing.feedback.commands import SuggestionFeedbacks
from service.routing.feedback.inputs import InvocationSignalInput, SuggestionFeedbackInput
from service.routing.feedback.read import RoutingState, RoutingStates

Said = Annotated[
    SuggestionFeedbackInput,
    strawberry.argument(description="The feedback.", graphql_type=input_type(SuggestionFeedbackInput)),
]
Seen = Annotated[
    InvocationSignalInput,
    strawberry.argument(description="The signal.", graphql_type=input_type(InvocationSignalInput)),
]
ContextClass = Annotated[str, strawberry.argument(description="The class of context.")]
SIGNALS: Any = list[optional(record_type("InvocationSignal"))]

if TYPE_CHECKING:
    InvocationSignalPayload = RecordPayload
else:
    InvocationSignalPayload = payload_of(
        "InvocationSignal", "RecordInvocationSignalPayload", "The signal that was kept."
    )


@strawberry.type(description="The feedback that was kept, and what it teaches.")
class SuggestionFeedbackPayload(CommandPayload):
    record_id: strawberry.ID | None = strawberry.field(default=None, description="Its id.")
    version: int | None = strawberry.field(default=None, description="Its version.")
    counted: bool = strawberry.field(
        default=False, description="Whether it counts for unasked suggestions, and a trace of the request did not."
    )
    signal_ids: strawberry.Private[tuple[str, ...]] = ()

    @strawberry.field(
        graphql_type=optional(record_type("SuggestionFeedback")), description="The feedback as it is now."
    )
    async def record(self, info: RecordInfo) -> Any:
        return await load_record(info, self.record_id)

    @strawberry.field(graphql_type=SIGNALS, description="What it teaches.")
    async def signals(self, info: RecordInfo) -> Any:
        return await load_records(info, [*self.signal_ids])


@strawberry.type(description="What was begun anew.")
class LiftPayload(CommandPayload):
    tallies: int = strawberry.field(default=0, description="How many tallies were begun anew.")
    context_class: strawberry.Private[str] = ""

    @strawberry.field(
        graphql_type=optional(view_type(RoutingState)),
        description="What holds for the class now. Null for a key that may not read.",
    )
    async def state(self, info: RecordInfo) -> Any:
        if not may_read(info):
            return None
        return shaped(info, await service_of(info, RoutingStates).of(viewer_of(info), self.context_class))


@strawberry.type
class SuggestionQuery:
    @strawberry.field(
        graphql_type=view_type(RoutingState),
        description="What holds for unasked suggestions in a class of context, and why. It stores nothing.",
    )
    async def routing_state(self, info: RecordInfo, context_class: ContextClass) -> Any:
        return shaped(info, await service_of(info, RoutingStates).of(viewer_of(info), context_class))


@strawberry.type
class SuggestionMutation:
    @strawberry.mutation(
        description="Say what the user made of a suggestion of a task, or of its absence. It is counted for its class "
        "of context. Needs curate."
    )
    async def record_suggestion_feedback(
        self,
        info: RecordInfo,
        input: Said,  # noqa: A002 - the name in GraphQL
        command_id: CommandId = None,
    ) -> SuggestionFeedbackPayload:
        outcome = await service_of(info, SuggestionFeedbacks).record(
            viewer_of(info), await with_matters(info, input), command_id=command_id
        )
        result = outcome.result
        more = {"counted": result.get("counted", False), "signal_ids": tuple(result.get("signals", ()))}
        return record_payload(await settle(info, outcome), SuggestionFeedbackPayload, **more)

    @strawberry.mutation(
        description="Keep what a use of tasks teaches, where no response tells it by itself. It changes nothing. "
        "Needs curate."
    )
    async def record_invocation_signal(
        self,
        info: RecordInfo,
        input: Seen,  # noqa: A002 - the name in GraphQL
        command_id: CommandId = None,
    ) -> InvocationSignalPayload:
        outcome = await service_of(info, SuggestionFeedbacks).record_signal(
            viewer_of(info), await with_matters(info, input), command_id=command_id
        )
        return record_payload(await settle(info, outcome), InvocationSignalPayload)

    @strawberry.mutation(
        description="Begin the count of a class of context anew, so that nothing is muted or boosted there. A person "
        "does it. Needs curate."
    )
    async def lift_suppression(
        self,
        info: RecordInfo,
        context_class: ContextClass,
        reason: Annotated[str | None, strawberry.argument(description="Why.")] = None,
        command_id: CommandId = None,
    ) -> LiftPayload:
        outcome = await service_of(info, SuggestionFeedbacks).lift(
            viewer_of(info), context_class, reason, command_id=command_id
        )
        facts = command_facts(await settle(info, outcome))
        return LiftPayload(**facts, tallies=outcome.result.get("tallies", 0), context_class=context_class)
