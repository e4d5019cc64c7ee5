"""Sharing something, taking it back, and opening what others share."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from resolvers.engine.loading import RecordInfo, load_record, shaped
from resolvers.engine.request import service_of, settle, viewer_of
from resolvers.generated.construction import optional
from resolvers.generated.inputs import RecordRefInput, input_type
from resolvers.generated.payloads import RecordPayload, payload_of, record_payload
from resolvers.generated.types import record_type
from resolvers.generated.views import view_type
from resolvers.records.commands import CommandId
from service.sharing.commands import Shares
from service.sharing.http import SHARES
from service.sharing.inputs import ShareInput
from service.sharing.manifest import SharedManifest
from service.sharing.opening import Look, Reader, SharedDoor

Shared = Annotated[
    ShareInput,
    strawberry.argument(description="What, with whom, how far, until when.", graphql_type=input_type(ShareInput)),
]
Secret = Annotated[str, strawberry.argument(description="The secret of the link.")]

if TYPE_CHECKING:
    OfShare = RecordPayload
    SharePayload = RecordPayload
else:
    OfShare = payload_of("ShareCapsule", "OfShare")
    SharePayload = payload_of("ShareCapsule", "SharePayload", "The share after the command.")


@strawberry.type(description="A share that was made, and its link.")
class CreateSharePayload(OfShare):
    secret: str | None = strawberry.field(
        default=None, description="The secret of its link: shown this once, and null when the command is repeated."
    )
    path: str | None = strawberry.field(default=None, description="Path that gives what it tells, secret included.")


@strawberry.type
class ShareSubject:
    """Put on shares."""

    @strawberry.field(
        graphql_type=optional(record_type()),
        description="The run or the task that is shared, as it is now. Null for files alone, and where you may not "
        "see it.",
    )
    async def subject(self, info: RecordInfo) -> Any:
        source: Any = self
        return await load_record(
            info, await info.context.loader.load("subject", source.id, lambda ids: _subjects(info, ids))
        )

    @strawberry.field(
        description="Ids of the principals that it is for; with any, nobody else can open it. Null for you, unless you "
        "made it or administer."
    )
    async def recipients(self, info: RecordInfo) -> list[str] | None:
        return (await _own_words(info, self)).get("recipients")

    @strawberry.field(
        description="What its sender noted for themselves. Null for you, unless you made it or administer."
    )
    async def note(self, info: RecordInfo) -> str | None:
        return (await _own_words(info, self)).get("note")

    @strawberry.field(description="Why it was closed. Null for you, unless you made it or administer.")
    async def revoked_because(self, info: RecordInfo) -> str | None:
        return (await _own_words(info, self)).get("revoked_because")

    @strawberry.field(description="Whether what it had kept to be told is erased, so that it opens nothing.")
    async def emptied(self, info: RecordInfo) -> bool:
        source: Any = self
        return await info.context.loader.load("emptied", source.id, lambda ids: _emptied(info, ids))


async def _own_words(info: RecordInfo, share: Any) -> Mapping[str, Any]:
    return await info.context.loader.load("own words", share.id, lambda ids: _words(info, ids))


async def _words(info: RecordInfo, ids: list[str]) -> list[Mapping[str, Any]]:
    return await service_of(info, Shares).own_words(viewer_of(info), ids)


async def _emptied(info: RecordInfo, ids: list[str]) -> list[bool]:
    return await service_of(info, Shares).emptied(viewer_of(info), ids)


async def _subjects(info: RecordInfo, ids: list[str]) -> list[str | None]:
    return await service_of(info, Shares).subjects(viewer_of(info), ids)


@strawberry.type
class ShareQuery:
    @strawberry.field(
        graphql_type=view_type(SharedManifest),
        description="What a share tells, as `GET /v1/shares/{secret}` does. That you opened it is kept.",
    )
    async def shared_manifest(
        self,
        info: RecordInfo,
        secret: Secret,
        section: Annotated[str | None, strawberry.argument(description="Only this section of it.")] = None,
        record: Annotated[strawberry.ID | None, strawberry.argument(description="Only this record of it.")] = None,
    ) -> Any:
        reader = Reader("", viewer_of(info))
        return shaped(info, await service_of(info, SharedDoor).open(secret, reader, Look(section, record)))


@strawberry.type
class ShareMutation:
    @strawberry.mutation(
        description="Show a task, a run or artifacts to whoever has the link, as far as a redaction profile lets it. "
        "A person does it. Needs curate; full_access_warned needs admin."
    )
    async def create_share(
        self,
        info: RecordInfo,
        input: Shared,  # noqa: A002 - the name in GraphQL
        command_id: CommandId = None,
    ) -> CreateSharePayload:
        made = await service_of(info, Shares).create(viewer_of(info), input, command_id=command_id)
        await settle(info, made.outcome)
        path = f"{SHARES}{made.secret}" if made.secret else None
        return record_payload(made.outcome, CreateSharePayload, secret=made.secret, path=path)

    @strawberry.mutation(description="Close a share for good: from now on nobody opens it. Needs curate.")
    async def revoke_share(
        self,
        info: RecordInfo,
        share: Annotated[RecordRefInput, strawberry.argument(description="The share.")],
        reason: Annotated[str | None, strawberry.argument(description="Why.")] = None,
        command_id: CommandId = None,
    ) -> SharePayload:
        outcome = await service_of(info, Shares).revoke(viewer_of(info), share.ref(), reason, command_id=command_id)
        return record_payload(await settle(info, outcome), SharePayload)
