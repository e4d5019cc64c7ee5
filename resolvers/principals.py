"""Who is asking, who may use the service, and how it does, as the API shows it."""

from typing import Annotated, Any

import strawberry

from graph_schema.model.fields import DataClass
from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of, viewer_of
from resolvers.engine.scalars import Timestamp, enum_type
from resolvers.generated.construction import optional
from resolvers.generated.payloads import CommandPayload, command_facts
from resolvers.generated.views import view_type
from resolvers.records.commands import CommandId
from service.access.viewer import KeyScope, PrincipalKind, ViewerInfo
from service.commands import Outcome
from service.principals.commands import Principals
from service.principals.shown import AccessKey, PrincipalNow
from service.runtime.administration import Administration, AdministrationNow

Who = Annotated[str, strawberry.argument(description="The principal, by id or name.")]
Matters = Annotated[list[strawberry.ID], strawberry.argument(description="Ids of the matters.")]
Kind = Annotated[
    PrincipalKind | None,
    strawberry.argument(description="What it is in the world.", graphql_type=optional(enum_type(PrincipalKind))),
]
Clearance = Annotated[
    DataClass | None,
    strawberry.argument(
        description="The most sensitive class that it may see.", graphql_type=optional(enum_type(DataClass))
    ),
]
AllMatters = Annotated[
    bool | None, strawberry.argument(description="Whether it is a member of every matter, also of later ones.")
]


@strawberry.type(description="A principal after a command.")
class PrincipalPayload(CommandPayload):
    found: strawberry.Private[dict[str, Any]]

    @strawberry.field(graphql_type=view_type(PrincipalNow), description="The principal, as the command left it.")
    def principal(self, info: RecordInfo) -> Any:
        return shaped(info, PrincipalNow.of(self.found))


@strawberry.type(description="A key after a command.")
class KeyPayload(CommandPayload):
    found: strawberry.Private[dict[str, Any]]

    @strawberry.field(graphql_type=view_type(AccessKey), description="The key, as the command left it.")
    def key(self, info: RecordInfo) -> Any:
        return shaped(info, AccessKey.of(self.found))


@strawberry.type(description="A key that was made, and its text.")
class CreateKeyPayload(KeyPayload):
    text: str | None = strawberry.field(
        default=None, description="What to send as `Bearer`: shown this once, and null when the command is repeated."
    )


@strawberry.type
class PrincipalQuery:
    @strawberry.field(
        graphql_type=optional(view_type(ViewerInfo)), description="Who is asking. Null when nobody has signed in."
    )
    def viewer(self, info: RecordInfo) -> Any:
        return shaped(info, ViewerInfo.of(info.context.viewer) if info.context.viewer else None)

    @strawberry.field(
        graphql_type=view_type(AdministrationNow),
        description="Who may use the service, how it is set up and how it does. Needs admin.",
    )
    def administration(self, info: RecordInfo) -> Any:
        return shaped(info, service_of(info, Administration).now(viewer_of(info)))


@strawberry.type
class PrincipalMutation:
    @strawberry.mutation(description="Add somebody or something that may use the service. Needs admin.")
    async def create_principal(  # noqa: PLR0917 - what a principal is made of
        self,
        info: RecordInfo,
        name: Annotated[str, strawberry.argument(description="What it is called; unique.")],
        kind: Kind = None,
        clearance: Clearance = None,
        matter_ids: Annotated[
            list[strawberry.ID] | None, strawberry.argument(description="Ids of matters that it is a member of.")
        ] = None,
        all_matters: AllMatters = None,
        command_id: CommandId = None,
    ) -> PrincipalPayload:
        values = _given(name=name, kind=kind, clearance=clearance, matter_ids=matter_ids, all_matters=all_matters)
        return _principal(await _principals(info).create_principal(viewer_of(info), values, command_id))

    @strawberry.mutation(description="Change a principal. What is left out stays as it is. Needs admin.")
    async def change_principal(  # noqa: PLR0917 - what a principal is made of
        self,
        info: RecordInfo,
        principal: Who,
        name: Annotated[str | None, strawberry.argument(description="A new name.")] = None,
        kind: Kind = None,
        clearance: Clearance = None,
        all_matters: AllMatters = None,
        command_id: CommandId = None,
    ) -> PrincipalPayload:
        values = _given(name=name, kind=kind, clearance=clearance, all_matters=all_matters)
        return _principal(await _principals(info).change_principal(viewer_of(info), principal, values, command_id))

    @strawberry.mutation(description="From now on none of its keys works, in any process. Needs admin.")
    async def disable_principal(
        self, info: RecordInfo, principal: Who, command_id: CommandId = None
    ) -> PrincipalPayload:
        return _principal(await _principals(info).disable_principal(viewer_of(info), principal, command_id))

    @strawberry.mutation(description="Let it in again, with the keys that it had. Needs admin.")
    async def enable_principal(
        self, info: RecordInfo, principal: Who, command_id: CommandId = None
    ) -> PrincipalPayload:
        return _principal(await _principals(info).enable_principal(viewer_of(info), principal, command_id))

    @strawberry.mutation(description="Make it a member of matters. Needs admin.")
    async def grant_matters(
        self, info: RecordInfo, principal: Who, matter_ids: Matters, command_id: CommandId = None
    ) -> PrincipalPayload:
        return _principal(await _principals(info).grant_matters(viewer_of(info), principal, [*matter_ids], command_id))

    @strawberry.mutation(description="End its membership of matters. Needs admin.")
    async def revoke_matters(
        self, info: RecordInfo, principal: Who, matter_ids: Matters, command_id: CommandId = None
    ) -> PrincipalPayload:
        return _principal(await _principals(info).revoke_matters(viewer_of(info), principal, [*matter_ids], command_id))

    @strawberry.mutation(description="Make a key for a principal. Its text is shown this once. Needs admin.")
    async def create_key(  # noqa: PLR0917 - what a key is made of
        self,
        info: RecordInfo,
        principal: Who,
        name: Annotated[str, strawberry.argument(description="What the key is for, in words.")],
        scopes: Annotated[
            list[KeyScope],
            strawberry.argument(description="What it may be used for.", graphql_type=list[enum_type(KeyScope)]),
        ],
        expires_at: Annotated[
            Timestamp | None, strawberry.argument(description="When it ceases to work; 90 days from now, unless told.")
        ] = None,
        command_id: CommandId = None,
    ) -> CreateKeyPayload:
        values = _given(principal=principal, name=name, scopes=scopes, expires_at=expires_at)
        made = await _principals(info).create_key(viewer_of(info), values, command_id)
        return CreateKeyPayload(**command_facts(made.outcome), found=made.key, text=made.text)

    @strawberry.mutation(description="Revoke a key: within a second it works nowhere. Needs admin.")
    async def revoke_key(
        self,
        info: RecordInfo,
        key: Annotated[strawberry.ID, strawberry.argument(description="Id of the key.")],
        command_id: CommandId = None,
    ) -> KeyPayload:
        outcome = await _principals(info).revoke_key(viewer_of(info), key, command_id)
        return KeyPayload(**command_facts(outcome), found=outcome.result["key"])


def _principals(info: RecordInfo) -> Principals:
    return service_of(info, Principals)


def _principal(outcome: Outcome) -> PrincipalPayload:
    return PrincipalPayload(**command_facts(outcome), found=outcome.result["principal"])


def _given(**values: Any) -> dict[str, Any]:
    return {name: one for name, one in values.items() if one is not None}
