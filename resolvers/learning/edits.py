"""What was edited of proposals."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from graph_schema.learning.design_words import EditKind
from resolvers.engine.loading import RecordInfo, may_read, shaped
from resolvers.engine.request import service_of, settle, viewer_of
from resolvers.engine.scalars import enum_type
from resolvers.generated.construction import optional
from resolvers.generated.inputs import RecordRefInput
from resolvers.generated.payloads import RecordPayload, payload_of, record_payload
from resolvers.generated.views import view_type
from resolvers.learning.design import Session
from resolvers.records.commands import CommandId
from service.commands import RecordRef
from service.learning.edits.read import EditTraces, ProposalEditTrace
from service.learning.edits.record import ProposalEdits

KINDS: Any = list[enum_type(EditKind)]


if TYPE_CHECKING:
    OfTrace = RecordPayload
else:
    OfTrace = payload_of("EditTrace")


@strawberry.type(description="What was edited. Without edits no trace is kept.")
class ProposalEditPayload(OfTrace):
    known: bool = strawberry.field(default=False, description="Whether the same comparison was kept before.")
    kinds: strawberry.Private[tuple[str, ...]] = ()

    @strawberry.field(graphql_type=KINDS, description="What was changed, each kind once.")
    def edit_kinds(self) -> Any:
        return [EditKind(one) for one in self.kinds]

    @strawberry.field(
        graphql_type=optional(view_type(ProposalEditTrace)),
        description="The edits, and what they teach. Null for a key that may not read, and without edits.",
    )
    async def trace(self, info: RecordInfo) -> Any:
        if not may_read(info) or self.record_id is None:
            return None
        return shaped(info, await service_of(info, EditTraces).of(viewer_of(info), RecordRef(id=self.record_id)))


@strawberry.type
class EditQuery:
    @strawberry.field(
        graphql_type=view_type(ProposalEditTrace),
        description="What somebody changed of a proposal, edit by edit, and what that teaches.",
    )
    async def proposal_edit_trace(
        self, info: RecordInfo, trace: Annotated[RecordRefInput, strawberry.argument(description="The EditTrace.")]
    ) -> Any:
        return shaped(info, await service_of(info, EditTraces).of(viewer_of(info), trace.ref()))


@strawberry.type
class EditMutation:
    @strawberry.mutation(
        description="Compare what a design session proposed with what its task or template has now, and keep the edits "
        "with what they teach. The same comparison is kept once. Needs curate."
    )
    async def record_proposal_edit(
        self,
        info: RecordInfo,
        session: Session,
        saved: Annotated[RecordRefInput, strawberry.argument(description="The Task or Template that was saved.")],
        evidence_ref: Annotated[str | None, strawberry.argument(description="Where further evidence is kept.")] = None,
        command_id: CommandId = None,
    ) -> ProposalEditPayload:
        outcome = await service_of(info, ProposalEdits).record(
            viewer_of(info), session.ref(), saved.ref(), evidence_ref, command_id=command_id
        )
        result = outcome.result
        more = {"known": result.get("known", False), "kinds": tuple(result.get("edit_kinds", ()))}
        return record_payload(await settle(info, outcome), ProposalEditPayload, **more)
