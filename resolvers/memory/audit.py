"""Audit exports, as the API asks for them."""

from typing import TYPE_CHECKING, Annotated

import strawberry

from graph_schema.memory.audit import AuditFormat, AuditProfile, AuditSection
from graph_schema.memory.words import PolicyDecision
from resolvers.engine.loading import RecordInfo
from resolvers.engine.request import service_of, settle, viewer_of
from resolvers.generated.inputs import RecordRefInput
from resolvers.generated.payloads import RecordPayload, payload_of, record_payload
from resolvers.records.commands import CommandId
from service.memory.audit import AuditExports
from service.memory.audit.http import AUDITS
from service.memory.audit.rules import read

Profile = Annotated[AuditProfile, strawberry.argument(description="How much it is to tell.")]
Formats = Annotated[
    list[AuditFormat], strawberry.argument(description="How it is to be written. pdf_packet is not available.")
]
Sections = Annotated[
    list[AuditSection] | None,
    strawberry.argument(description="Only these parts; without it, all that the profile has."),
]

if TYPE_CHECKING:
    OfAuditExport = RecordPayload
else:
    OfAuditExport = payload_of("AuditExport", "OfAuditExport")


@strawberry.type(description="What was decided about an audit export, and where it is.")
class AuditExportPayload(OfAuditExport):
    decision: PolicyDecision | None = strawberry.field(
        default=None, description="Whether it was made as asked, with less, or not at all."
    )
    reason_codes: list[str] = strawberry.field(default_factory=list, description="Why.")
    download: str | None = strawberry.field(
        default=None, description="Path that gives it as a zip; null when it was blocked."
    )


@strawberry.type
class AuditMutation:
    @strawberry.mutation(
        description="Write what you may see of a run as files that can be passed on, as far as a redaction profile "
        "lets it. The decision is stored, also when it is no. Needs curate; full_local_audit needs admin."
    )
    async def export_audit(  # noqa: PLR0917 - as GraphQL names them
        self,
        info: RecordInfo,
        run: Annotated[RecordRefInput, strawberry.argument(description="The run.")],
        profile: Profile = AuditProfile.external_redacted,
        formats: Formats = [AuditFormat.folder],  # noqa: B006 - never changed
        sections: Sections = None,
        command_id: CommandId = None,
    ) -> AuditExportPayload:
        wish = read(profile, formats, sections)
        outcome = await service_of(info, AuditExports).export(viewer_of(info), run.ref(), wish, command_id=command_id)
        await settle(info, outcome)
        result = outcome.result
        blocked = result.get("decision") in {None, PolicyDecision.blocked}
        return record_payload(
            outcome,
            AuditExportPayload,
            decision=result.get("decision"),
            reason_codes=result.get("reason_codes", []),
            download=None if blocked else f"{AUDITS}{result['id']}",
        )
