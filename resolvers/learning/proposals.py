"""Proposing changes, deciding about them, applying them and going back."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from resolvers.engine.loading import RecordInfo
from resolvers.engine.request import service_of, settle, viewer_of
from resolvers.generated.inputs import input_type
from resolvers.generated.payloads import RecordPayload, payload_of, record_payload
from resolvers.records.commands import CommandId
from service.learning.proposals.commands import Proposals
from service.learning.proposals.inputs import ProposalInput, ReviewInput

Proposed = Annotated[
    ProposalInput, strawberry.argument(description="The change.", graphql_type=input_type(ProposalInput))
]
Reviewed = Annotated[
    ReviewInput, strawberry.argument(description="The decision.", graphql_type=input_type(ReviewInput))
]
ProposalId = Annotated[strawberry.ID, strawberry.argument(description="The proposal.")]

if TYPE_CHECKING:
    ProposalPayload = RecordPayload
else:
    ProposalPayload = payload_of("Proposal", "ProposalPayload", "The proposal after the command.")


@strawberry.type
class ProposalMutation:
    @strawberry.mutation(
        description="Propose a change of a record, step by step, with its evidence. Nothing of it holds until it is "
        "applied. Needs curate."
    )
    async def propose_change(
        self,
        info: RecordInfo,
        input: Proposed,  # noqa: A002 - the name in GraphQL
        command_id: CommandId = None,
    ) -> ProposalPayload:
        outcome = await service_of(info, Proposals).propose(viewer_of(info), input, command_id=command_id)
        return _payload(await settle(info, outcome))

    @strawberry.mutation(
        description="Approve or reject a proposal, or put it off. A person does it; what is of high risk is approved "
        "by another than whoever proposed it, with its replay looked at. Needs curate."
    )
    async def review_proposal(
        self,
        info: RecordInfo,
        input: Reviewed,  # noqa: A002 - the name in GraphQL
        command_id: CommandId = None,
    ) -> ProposalPayload:
        outcome = await service_of(info, Proposals).review(viewer_of(info), input, command_id=command_id)
        return _payload(await settle(info, outcome))

    @strawberry.mutation(
        description="Change the record as was approved, with all checks of a save, and enter it in the ledger. Refused "
        "when the record has changed since it was proposed. Needs curate."
    )
    async def apply_proposal(
        self, info: RecordInfo, proposal_id: ProposalId, command_id: CommandId = None
    ) -> ProposalPayload:
        outcome = await service_of(info, Proposals).apply(viewer_of(info), proposal_id, command_id=command_id)
        return _payload(await settle(info, outcome))

    @strawberry.mutation(
        description="Bring the record back to exactly what it was before the proposal was applied. Refused when it has "
        "changed since. Needs curate."
    )
    async def roll_back_proposal(
        self,
        info: RecordInfo,
        proposal_id: ProposalId,
        reason: Annotated[str | None, strawberry.argument(description="Why.")] = None,
        command_id: CommandId = None,
    ) -> ProposalPayload:
        outcome = await service_of(info, Proposals).roll_back(
            viewer_of(info), proposal_id, reason, command_id=command_id
        )
        return _payload(await settle(info, outcome))


def _payload(outcome: Any) -> ProposalPayload:
    return record_payload(outcome, ProposalPayload)
