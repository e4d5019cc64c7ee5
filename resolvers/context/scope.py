"""What a run is about: opening its scope, and reading it."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of, settle, viewer_of
from resolvers.generated.construction import optional
from resolvers.generated.inputs import RecordRefInput, input_type
from resolvers.generated.payloads import RecordPayload, payload_of, record_payload
from resolvers.generated.views import view_type
from resolvers.records.commands import CommandId
from service.context.scope import RunScope, RunScopeInput, RunScopes, Scopes

ScopeArgument = Annotated[
    RunScopeInput,
    strawberry.argument(description="What is known of the run's scope.", graphql_type=input_type(RunScopeInput)),
]
RunArgument = Annotated[RecordRefInput, strawberry.argument(description="The run.")]


if TYPE_CHECKING:
    OpenRunScopePayload = RecordPayload
else:
    OpenRunScopePayload = payload_of("ScopeEnvelope", "OpenRunScopePayload", "The scope that was opened.")


@strawberry.type
class ScopeMutation:
    @strawberry.mutation(
        description="Settle what a run is about, when it starts. A run has one scope: asked again with the same "
        "content, it answers with the same envelope. Needs report."
    )
    async def open_run_scope(
        self,
        info: RecordInfo,
        input: ScopeArgument,  # noqa: A002 - the name in GraphQL
        command_id: CommandId = None,
    ) -> OpenRunScopePayload:
        outcome = await service_of(info, Scopes).open(viewer_of(info), input, command_id=command_id)
        return record_payload(await settle(info, outcome), OpenRunScopePayload)


@strawberry.type
class ScopeQuery:
    @strawberry.field(
        graphql_type=optional(view_type(RunScope)),
        description="What a run is about, in groups, with what is doubtful and what began it. Null when you may not "
        "see the run or the matters of its scope, and when no scope was opened.",
    )
    async def run_scope(self, info: RecordInfo, run: RunArgument) -> Any:
        found = await service_of(info, RunScopes).of_run(viewer_of(info), run.ref())
        return shaped(info, found)
