"""Recording how requests were met."""

from typing import Annotated, Any

import strawberry

from resolvers.engine.loading import RecordInfo, load_record, load_records
from resolvers.engine.request import service_of, settle, viewer_of
from resolvers.generated.construction import optional
from resolvers.generated.inputs import input_type
from resolvers.generated.naming import with_matters
from resolvers.generated.payloads import CommandPayload, record_payload
from resolvers.generated.types import record_type
from resolvers.records.commands import CommandId
from resolvers.routing.feedback import SIGNALS
from service.routing.invocations.commands import Invocations
from service.routing.invocations.inputs import InvocationInput

Met = Annotated[
    InvocationInput,
    strawberry.argument(description="How the request was met.", graphql_type=input_type(InvocationInput)),
]


@strawberry.type(description="The trace that was kept or completed, what it teaches, and what it proposes.")
class InvocationPayload(CommandPayload):
    record_id: strawberry.ID | None = strawberry.field(default=None, description="The trace's id.")
    version: int | None = strawberry.field(default=None, description="Its version.")
    counted: bool = strawberry.field(
        default=False, description="Whether the response counts for unasked suggestions, and feedback on it did not."
    )
    signal_ids: strawberry.Private[tuple[str, ...]] = ()
    candidate_id: strawberry.Private[str | None] = None

    @strawberry.field(graphql_type=optional(record_type("InvocationTrace")), description="The trace as it is now.")
    async def record(self, info: RecordInfo) -> Any:
        return await load_record(info, self.record_id)

    @strawberry.field(graphql_type=SIGNALS, description="What it teaches.")
    async def signals(self, info: RecordInfo) -> Any:
        return await load_records(info, [*self.signal_ids])

    @strawberry.field(
        graphql_type=optional(record_type("InvocationDirective")),
        description="The directive that it proposes together with earlier traces; it waits for a person.",
    )
    async def candidate(self, info: RecordInfo) -> Any:
        return await load_record(info, self.candidate_id)


@strawberry.type
class InvocationMutation:
    @strawberry.mutation(
        description="Keep how a request was met: what was decided, what the user did, what came of it; or complete "
        "such a trace. Repeated traces propose a directive. Needs curate."
    )
    async def record_invocation(
        self,
        info: RecordInfo,
        input: Met,  # noqa: A002 - the name in GraphQL
        command_id: CommandId = None,
    ) -> InvocationPayload:
        outcome = await service_of(info, Invocations).record(
            viewer_of(info), await with_matters(info, input), command_id=command_id
        )
        result = outcome.result
        return record_payload(
            await settle(info, outcome),
            InvocationPayload,
            counted=result.get("counted", False),
            signal_ids=tuple(result.get("signals", ())),
            candidate_id=result.get("candidate"),
        )
