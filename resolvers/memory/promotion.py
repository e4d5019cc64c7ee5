"""How far artifacts go: asking, promoting, reviewing, and what is meant for libraries."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from graph_schema.memory.policies import IngestionReason, IngestionStatus, IntakeOutcome
from graph_schema.memory.words import Endpoint, IntakeLevel
from resolvers.engine.loading import RecordInfo, load_record, shaped
from resolvers.engine.request import service_of, settle, viewer_of
from resolvers.generated.construction import optional
from resolvers.generated.inputs import RecordRefInput
from resolvers.generated.naming import id_of
from resolvers.generated.payloads import RecordPayload, payload_of, record_payload
from resolvers.generated.types import record_type
from resolvers.generated.views import view_type
from resolvers.memory.reporting import RUN_EVENT, event_values
from resolvers.memory.unreadable import unread_of
from resolvers.records.commands import CommandId, Reason
from service.commands import Outcome
from service.commands.errors import InputInvalid
from service.memory.intake.preview import ArtifactIntake, Previews
from service.memory.intents import Asked, LibraryIntents, Receipt
from service.memory.promotion import Promotions, Wish

if TYPE_CHECKING:
    EventToAskAbout = Any
else:
    EventToAskAbout = Annotated[
        optional(RUN_EVENT), strawberry.argument(description="An event of a new artifact, as it would be reported.")
    ]
Artifact = Annotated[RecordRefInput, strawberry.argument(description="The artifact.")]
Text = str | None


@strawberry.input(description="Where an artifact ends up, and what is made of it there.")
class IntakeDetailsInput:
    endpoint: Endpoint | None = strawberry.field(
        default=None, description="Where it ends up once it was processed; needed where several are possible."
    )
    destination: str | None = strawberry.field(default=None, description="The place there, such as a path.")
    summary: str | None = strawberry.field(default=None, description="What it says, if that is to be findable.")
    work_product_name: str | None = strawberry.field(default=None, description="What people call the work product.")
    previous_work_product: RecordRefInput | None = strawberry.field(
        default=None, description="The version of the work product before it."
    )
    library: RecordRefInput | None = strawberry.field(
        default=None, description="The library that it is meant for: an entity of that kind."
    )

    def wish(self, level: IntakeLevel | None, reason: str | None) -> Wish:
        return Wish(
            level=level,
            endpoint=self.endpoint,
            destination=self.destination,
            summary=self.summary,
            work_product_name=self.work_product_name,
            previous_work_product=self.previous_work_product.ref() if self.previous_work_product else None,
            library=self.library.ref() if self.library else None,
            reason=reason,
        )


Details = Annotated[
    IntakeDetailsInput | None, strawberry.argument(description="Where it ends up, and what is made of it.")
]


if TYPE_CHECKING:
    OfArtifact = RecordPayload
else:
    OfArtifact = payload_of("Artifact")


@strawberry.type(description="What was decided about an artifact, and what was made because of it.")
class PromotionPayload(OfArtifact):
    outcome: IntakeOutcome | None = strawberry.field(default=None, description="What was decided.")
    receipt_id: strawberry.Private[str | None] = None
    work_product_id: strawberry.ID | None = strawberry.field(
        default=None, description="Id of the work product that it became."
    )
    library_intent_id: strawberry.ID | None = strawberry.field(
        default=None, description="Id of the intent that was made."
    )

    @strawberry.field(graphql_type=optional(record_type("IntakeReceipt")), description="The receipt.")
    async def receipt(self, info: RecordInfo) -> Any:
        return await load_record(info, self.receipt_id)


@strawberry.type
class PromotionQuery:
    @strawberry.field(
        graphql_type=view_type(ArtifactIntake),
        description="How far an artifact would go and which rule decides it, for an event that is not reported yet; or "
        "where a reported one stands, and what the rules suggest for it since it was used. Writes nothing. Policies "
        "that you may not see are not asked.",
    )
    async def artifact_intake(
        self,
        info: RecordInfo,
        event: EventToAskAbout = None,
        artifact: Annotated[
            RecordRefInput | None, strawberry.argument(description="An artifact that was reported already.")
        ] = None,
    ) -> Any:
        if (event is None) == (artifact is None):
            raise InputInvalid("event", "give an event or an artifact, and not both")
        previews, viewer = service_of(info, Previews), viewer_of(info)
        if artifact is not None:
            artifact_id = await id_of(info, artifact.ref(), "artifact", "Artifact")
            return shaped(info, await previews.of_artifact(viewer, artifact_id))
        values = event_values(event)
        unread = unread_of(values)
        if unread is not None:
            raise unread.error
        return shaped(info, await previews.of_event(viewer, values))


@strawberry.type
class PromotionMutation:
    @strawberry.mutation(
        description="Have an artifact go further than its run, where the run's policy allows it. Leaves a receipt. "
        "Above the level that a policy wants a person to review it is only requested. Needs the scope curate."
    )
    async def promote_artifact(  # noqa: PLR0917 - as GraphQL names them
        self,
        info: RecordInfo,
        artifact: Artifact,
        level: Annotated[IntakeLevel, strawberry.argument(description="How far it is to go.")],
        details: Details = None,
        reason: Reason = None,
        command_id: CommandId = None,
    ) -> PromotionPayload:
        wish = (details or IntakeDetailsInput()).wish(level, reason)
        outcome = await service_of(info, Promotions).promote(
            viewer_of(info), artifact.ref(), wish, command_id=command_id
        )
        return _promotion(await settle(info, outcome))

    @strawberry.mutation(
        description="Decide what a person is asked about an artifact: have it go as far as suggested, or to another "
        "level, or reject it. What is left open is as it was requested. Leaves a receipt. Needs the scope curate."
    )
    async def review_artifact(  # noqa: PLR0917 - as GraphQL names them
        self,
        info: RecordInfo,
        artifact: Artifact,
        approve: Annotated[bool, strawberry.argument(description="Whether it goes further.")],
        level: Annotated[
            IntakeLevel | None, strawberry.argument(description="How far, if not as far as suggested.")
        ] = None,
        details: Details = None,
        reason: Reason = None,
        command_id: CommandId = None,
    ) -> PromotionPayload:
        wish = (details or IntakeDetailsInput()).wish(level, reason)
        outcome = await service_of(info, Promotions).review(
            viewer_of(info), artifact.ref(), wish, approve=approve, command_id=command_id
        )
        return _promotion(await settle(info, outcome))

    @strawberry.mutation(
        description="Ask that an artifact whose level leads into a library becomes part of this one. Needs curate."
    )
    async def create_library_intent(  # noqa: PLR0917 - as GraphQL names them
        self,
        info: RecordInfo,
        artifact: Artifact,
        library: Annotated[RecordRefInput, strawberry.argument(description="The library: an entity of that kind.")],
        reason: Annotated[
            IngestionReason, strawberry.argument(description="Why it is meant for the library.")
        ] = IngestionReason.user_requested,
        extraction_profile_ref: Annotated[
            Text, strawberry.argument(description="How the library is to read it.")
        ] = None,
        policy_snapshot_ref: Annotated[
            Text, strawberry.argument(description="Where the policies that held are kept.")
        ] = None,
        note: Annotated[Text, strawberry.argument(description="What is said with it.")] = None,
        command_id: CommandId = None,
    ) -> RecordPayload:
        asked = Asked(reason, extraction_profile_ref, policy_snapshot_ref, note)
        outcome = await service_of(info, LibraryIntents).create(
            viewer_of(info), artifact.ref(), library.ref(), asked, command_id=command_id
        )
        return record_payload(await settle(info, outcome))

    @strawberry.mutation(
        description="Record what came of a library intent. The first outcome stands. Needs the scope report."
    )
    async def record_library_receipt(  # noqa: PLR0917 - as GraphQL names them
        self,
        info: RecordInfo,
        intent: Annotated[RecordRefInput, strawberry.argument(description="The intent.")],
        status: Annotated[IngestionStatus, strawberry.argument(description="What became of it.")],
        document_ingestion_ref: Annotated[
            Text, strawberry.argument(description="Its name in document processing.")
        ] = None,
        library_ref: Annotated[Text, strawberry.argument(description="Its name in the library.")] = None,
        receipt_ref: Annotated[Text, strawberry.argument(description="Where the receipt is kept.")] = None,
        failure_code: Annotated[Text, strawberry.argument(description="Why it failed, as a code.")] = None,
        note: Annotated[Text, strawberry.argument(description="What is said with it.")] = None,
        command_id: CommandId = None,
    ) -> RecordPayload:
        receipt = Receipt(status, document_ingestion_ref, library_ref, receipt_ref, failure_code, note)
        outcome = await service_of(info, LibraryIntents).record(
            viewer_of(info), intent.ref(), receipt, command_id=command_id
        )
        return record_payload(await settle(info, outcome))


def _promotion(outcome: Outcome) -> PromotionPayload:
    result = outcome.result
    return record_payload(
        outcome,
        PromotionPayload,
        outcome=IntakeOutcome(result["outcome"]) if "outcome" in result else None,
        receipt_id=result.get("receipt"),
        work_product_id=result.get("work_product"),
        library_intent_id=result.get("library_intent"),
    )
