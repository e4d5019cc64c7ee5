"""Capabilities of a module at work: what is mounted, and asking for more."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from resolvers.engine.loading import RecordInfo, may_read, shaped
from resolvers.engine.request import service_of, settle, viewer_of
from resolvers.generated.inputs import RecordRefInput, input_type
from resolvers.generated.payloads import RecordPayload, payload_of, record_payload
from resolvers.generated.views import view_type
from resolvers.records.commands import CommandId
from service.context.expansion import (
    ExpandCapabilitiesInput,
    ExpansionOutcome,
    Expansions,
    ModuleCapabilities,
    MountedCapabilities,
    outcome_of,
)

Need = Annotated[
    ExpandCapabilitiesInput,
    strawberry.argument(description="The need.", graphql_type=input_type(ExpandCapabilitiesInput)),
]
OUTCOMES: Any = list[view_type(ExpansionOutcome)]


if TYPE_CHECKING:
    OfReceipt = RecordPayload
else:
    OfReceipt = payload_of("ExpansionReceipt")


@strawberry.type(description="The receipt of a wish for more capabilities.")
class ExpandCapabilitiesPayload(OfReceipt):
    approval_required: bool = strawberry.field(default=False, description="Whether a person is asked about some of it.")
    outcomes: Sequence[ExpansionOutcome] = strawberry.field(
        graphql_type=OUTCOMES, default=(), description="What became of each, in the order of the wish."
    )
    mounted: list[strawberry.ID] = strawberry.field(default_factory=list, description="Ids of what the module has now.")


@strawberry.type
class ExpansionQuery:
    @strawberry.field(
        graphql_type=view_type(ModuleCapabilities),
        description="What a module of a run may use at one activation, and by what policy.",
    )
    async def mounted_capabilities(
        self,
        info: RecordInfo,
        run: Annotated[RecordRefInput, strawberry.argument(description="The run.")],
        module_key: Annotated[str, strawberry.argument(description="The module, as the executor calls it.")],
        activation_seq: Annotated[int, strawberry.argument(description="Which activation of it, from 1.")],
    ) -> Any:
        found = await service_of(info, MountedCapabilities).of(viewer_of(info), run.ref(), module_key, activation_seq)
        return shaped(info, found)


@strawberry.type
class ExpansionMutation:
    @strawberry.mutation(
        description="Ask for more capabilities for a module at work. Its policy decides for each; what came of it is "
        "kept as a receipt. Needs report."
    )
    async def expand_capabilities(
        self,
        info: RecordInfo,
        input: Need,  # noqa: A002 - the name in GraphQL
        command_id: CommandId = None,
    ) -> ExpandCapabilitiesPayload:
        outcome = await service_of(info, Expansions).expand(viewer_of(info), input, command_id=command_id)
        await settle(info, outcome)
        result = outcome.result
        return record_payload(
            outcome,
            ExpandCapabilitiesPayload,
            approval_required=result["approval_required"],
            outcomes=[outcome_of(one, told=may_read(info)) for one in result["outcomes"]],
            mounted=[strawberry.ID(one) for one in result["mounted"]],
        )
