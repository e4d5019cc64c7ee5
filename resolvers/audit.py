"""Audit exports, as the API asks for them."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from graph_schema import REGISTRY
from graph_schema.audit import AuditFormat, AuditProfile
from graph_schema.run_words import PolicyDecision
from resolvers.inputs import RecordRefInput
from resolvers.loading import RecordInfo, load_record
from resolvers.making import optional
from resolvers.records import CommandId, CommandPayload
from resolvers.scalars import scalar_type
from resolvers.types import record_type
from resolvers.written import services_of, settle, viewer_of
from service.memory.audit.http import AUDITS
from service.memory.audit.rules import read

_FIELDS = REGISTRY.types["AuditExport"].fields
if TYPE_CHECKING:
    Profile = AuditProfile
    Formats = list[AuditFormat]
    Sections = Any
    Decision = PolicyDecision
else:
    Decision = scalar_type(_FIELDS["decision"])
    Profile = Annotated[
        scalar_type(_FIELDS["redaction_profile"]), strawberry.argument(description="How much it is to tell.")
    ]
    Formats = Annotated[
        list[scalar_type(_FIELDS["output_formats"])],
        strawberry.argument(description="How it is to be written. pdf_packet is not available."),
    ]
    Sections = Annotated[
        optional(list[scalar_type(_FIELDS["included_sections"])]),
        strawberry.argument(description="Only these parts; without it, all that the profile has."),
    ]


@strawberry.type(description="What was decided about an audit export, and where it is.")
class AuditExportPayload(CommandPayload):
    record_id: strawberry.ID | None = strawberry.field(description="Id of the export.")
    decision: Decision | None = strawberry.field(description="Whether it was made as asked, with less, or not at all.")
    reason_codes: list[str] = strawberry.field(description="Why.")
    warnings: list[str] = strawberry.field(description="Codes of what to mind before it is passed on.")
    download: str | None = strawberry.field(description="Path that gives it as a zip; null when it was blocked.")

    @strawberry.field(graphql_type=optional(record_type("AuditExport")), description="The export as it is stored.")
    async def record(self, info: RecordInfo) -> Any:
        return await load_record(info, self.record_id)


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
        wish = read(profile, list(formats), sections)
        outcome = await services_of(info).audits.export(viewer_of(info), run.ref(), wish, command_id=command_id)
        await settle(info, outcome)
        result = outcome.result
        blocked = result.get("decision") in {None, PolicyDecision.blocked}
        return AuditExportPayload(
            command_id=outcome.command_id,
            replayed=outcome.replayed,
            record_id=result.get("id"),
            decision=result.get("decision"),
            reason_codes=result.get("reason_codes", []),
            warnings=result.get("warnings", []),
            download=None if blocked else f"{AUDITS}{result['id']}",
        )
