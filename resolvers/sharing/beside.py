"""What somebody who signs in can do beside the link of a share."""

from typing import TYPE_CHECKING, Annotated

import strawberry

from graph_schema.sharing.words import ShareRequestKind
from resolvers.engine.loading import RecordInfo
from resolvers.engine.request import service_of, settle, viewer_of
from resolvers.engine.scalars import enum_type
from resolvers.generated.inputs import input_type
from resolvers.generated.naming import with_matters
from resolvers.generated.payloads import CommandPayload, RecordPayload, command_facts, payload_of, record_payload
from resolvers.records.commands import CommandId
from resolvers.sharing.shares import Secret
from service.sharing.beside import BesideShares, CopySharedTaskInput, ShareCommentInput, SharedProposalInput

Copied = Annotated[
    CopySharedTaskInput,
    strawberry.argument(description="The share, and your task.", graphql_type=input_type(CopySharedTaskInput)),
]
Commented = Annotated[
    ShareCommentInput,
    strawberry.argument(description="The share, and what you say.", graphql_type=input_type(ShareCommentInput)),
]
ProposedUnder = Annotated[
    SharedProposalInput,
    strawberry.argument(description="The share, and the change.", graphql_type=input_type(SharedProposalInput)),
]

if TYPE_CHECKING:
    OfCopy = RecordPayload
else:
    OfCopy = payload_of("Task", "OfCopy")


@strawberry.type(description="A task that was copied from a share.")
class CopySharedTaskPayload(OfCopy):
    receipt_id: strawberry.ID | None = strawberry.field(default=None, description="Id of its receipt.")


@strawberry.type(description="Something that was said under a share, and is its sender's to read.")
class UnderSharePayload(CommandPayload):
    said_id: strawberry.ID | None = strawberry.field(
        default=None, description="Id of the feedback, the proposal or the event that was kept."
    )


@strawberry.type
class BesideMutation:
    @strawberry.mutation(
        description="Make a task of your own of what a share tells of one, with a receipt. Needs a share that permits "
        "copy_task, and curate."
    )
    async def copy_shared_task(
        self,
        info: RecordInfo,
        input: Copied,  # noqa: A002 - the name in GraphQL
        command_id: CommandId = None,
    ) -> CopySharedTaskPayload:
        outcome = await service_of(info, BesideShares).copy(
            viewer_of(info), await with_matters(info, input), command_id=command_id
        )
        await settle(info, outcome)
        return record_payload(outcome, CopySharedTaskPayload, receipt_id=outcome.result.get("receipt"))

    @strawberry.mutation(
        description="Tell the sender of a share what you think of it. Needs a share that permits comment_only, and "
        "curate."
    )
    async def comment_on_share(
        self,
        info: RecordInfo,
        input: Commented,  # noqa: A002 - the name in GraphQL
        command_id: CommandId = None,
    ) -> UnderSharePayload:
        outcome = await service_of(info, BesideShares).comment(viewer_of(info), input, command_id=command_id)
        return UnderSharePayload(**command_facts(outcome), said_id=outcome.result.get("id"))

    @strawberry.mutation(
        description="Propose a change of a shared task, of what the share tells of it. Nothing of it holds until its "
        "sender's people apply it. Needs a share that permits edit_proposal_only, and curate."
    )
    async def propose_under_share(
        self,
        info: RecordInfo,
        input: ProposedUnder,  # noqa: A002 - the name in GraphQL
        command_id: CommandId = None,
    ) -> UnderSharePayload:
        outcome = await service_of(info, BesideShares).propose(viewer_of(info), input, command_id=command_id)
        return UnderSharePayload(**command_facts(outcome), said_id=outcome.result.get("id"))

    @strawberry.mutation(
        description="Ask for more than a share tells. It is kept, and nothing here grants it yet. Needs curate."
    )
    async def request_under_share(
        self,
        info: RecordInfo,
        secret: Secret,
        request: Annotated[
            ShareRequestKind,
            strawberry.argument(description="What is asked for.", graphql_type=enum_type(ShareRequestKind)),
        ],
        command_id: CommandId = None,
    ) -> UnderSharePayload:
        outcome = await service_of(info, BesideShares).ask(viewer_of(info), secret, request, command_id=command_id)
        return UnderSharePayload(**command_facts(outcome), said_id=outcome.result.get("id"))
