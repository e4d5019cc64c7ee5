"""Proposing changes, deciding about them, applying them and going back."""

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of, settle, viewer_of
from resolvers.generated.inputs import RecordRefInput, input_type
from resolvers.generated.naming import id_of
from resolvers.generated.payloads import RecordPayload, payload_of, record_payload
from resolvers.generated.views import view_type
from resolvers.memory.reporting import as_told
from resolvers.records.commands import CommandId
from service.learning.proposals.commands import Proposals
from service.learning.proposals.fixes import ProposedFixes
from service.learning.proposals.inputs import ProposalInput, ReviewInput
from service.learning.review.decide import MOST, Decisions, ReviewReport

Proposed = Annotated[
    ProposalInput, strawberry.argument(description="The change.", graphql_type=input_type(ProposalInput))
]
Reviewed = Annotated[
    ReviewInput, strawberry.argument(description="The decision.", graphql_type=input_type(ReviewInput))
]
Decided = Annotated[
    list[ReviewInput],
    strawberry.argument(description=f"Up to {MOST} decisions.", graphql_type=list[input_type(ReviewInput)]),
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
        description="Propose what a kept preflight says would mend an issue: a patch of the graph, or a capability to "
        "be allowed. Nothing of it holds until it is applied. Needs curate."
    )
    async def propose_fix(
        self,
        info: RecordInfo,
        preflight: Annotated[RecordRefInput, strawberry.argument(description="The kept preflight.")],
        fix: Annotated[str, strawberry.argument(description="The title of the fix.")],
        command_id: CommandId = None,
    ) -> ProposalPayload:
        kept = await id_of(info, preflight.ref(), "preflight", "Preflight")
        outcome = await service_of(info, ProposedFixes).propose(viewer_of(info), kept, fix, command_id=command_id)
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
        graphql_type=view_type(ReviewReport),
        description="Decide about several proposals. Each is decided for itself, as by reviewProposal; one that is "
        "refused holds up none of the others. Needs curate.",
    )
    async def review_proposals(self, info: RecordInfo, inputs: Decided, command_id: CommandId = None) -> Any:
        report = await service_of(info, Decisions).decide(viewer_of(info), inputs, command_id)
        return shaped(info, replace(report, answers=tuple(as_told(one, as_sent=False) for one in report.answers)))

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
