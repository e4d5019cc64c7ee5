"""Commands on records."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry
from strawberry.types.field import StrawberryField

from graph_schema.model.record import LifecycleState, RecordType
from graph_schema.registry import REGISTRY
from resolvers.engine.loading import RecordInfo, load_record
from resolvers.engine.request import service_of, settle, viewer_of
from resolvers.generated.construction import optional
from resolvers.generated.inputs import RecordRefInput, link_input, record_input, values_of
from resolvers.generated.naming import placed
from resolvers.generated.payloads import CommandPayload, RecordPayload, command_facts, payload_of, record_payload
from resolvers.generated.types import record_type
from service.commands import Outcome
from service.records import Records

CommandId = Annotated[
    str | None,
    strawberry.argument(description="Your name for this command. The same again returns the first result."),
]
IfVersion = Annotated[
    int | None,
    strawberry.argument(description="Refuse unless the record is at this version; 0: unless there is none yet."),
]
Reason = Annotated[str | None, strawberry.argument(description="Why, in a sentence.")]
Target = Annotated[RecordRefInput, strawberry.argument(description="The record.")]
RelationName = Annotated[str, strawberry.argument(description="The relation's type, such as PART_OF.")]
Tail = Annotated[RecordRefInput, strawberry.argument(description="The record that the relation leads from.")]
Head = Annotated[RecordRefInput, strawberry.argument(description="The record that the relation leads to.")]
NewState = Annotated[
    LifecycleState, strawberry.argument(description="The state; docs/library.md says which each type knows.")
]
if TYPE_CHECKING:
    LinkProperties = Any
else:
    LinkProperties = Annotated[optional(link_input(REGISTRY)), strawberry.argument(description="What the link says.")]


@strawberry.type(description="The link that a command made or took away.")
class LinkPayload(CommandPayload):
    type: str = strawberry.field(description="The relation's type.")
    tail_id: strawberry.ID | None = strawberry.field(description="Id of the record that it leads from.")
    head_id: strawberry.ID | None = strawberry.field(description="Id of the record that it leads to.")

    @strawberry.field(graphql_type=optional(record_type()), description="The record that it leads from.")
    async def tail(self, info: RecordInfo) -> Any:
        return await load_record(info, self.tail_id)

    @strawberry.field(graphql_type=optional(record_type()), description="The record that it leads to.")
    async def head(self, info: RecordInfo) -> Any:
        return await load_record(info, self.head_id)


@strawberry.type(description="What was erased.")
class ErasePayload(RecordPayload):
    erased: int | None = strawberry.field(description="How many records went, this one and those that belonged to it.")


def _save_field(kind: RecordType) -> StrawberryField:
    payload = payload_of(kind.label, f"Save{kind.label}Payload", f"The {kind.label} that was saved.")

    async def save(
        self: Any,
        info: RecordInfo,
        input: Any,  # noqa: A002 - the name in GraphQL
        command_id: CommandId = None,
        if_version: IfVersion = None,
    ) -> Any:
        del self
        values = await placed(info, values_of(input))
        outcome = await service_of(info, Records).save(
            viewer_of(info),
            kind.label,
            values,
            record_id=values.pop("id", None),
            command_id=command_id,
            if_version=if_version,
        )
        return record_payload(await settle(info, outcome), payload)

    save.__annotations__["input"] = Annotated[
        record_input(kind), strawberry.argument(description="What to save. Left out stays as it is.")
    ]
    field: Any = strawberry.mutation(
        resolver=save,
        name=f"save{kind.label}",
        graphql_type=payload,
        description=f"Create or change: {kind.description} Needs the scope curate.",
    )
    return field


def _with_saves(cls: type) -> type:
    """Add a `save…` for every record type that has one."""
    for kind in REGISTRY.types.values():
        if kind.saved:
            setattr(cls, f"save_{kind.label.lower()}", _save_field(kind))
    return strawberry.type(cls)


@_with_saves
class RecordMutation:
    @strawberry.mutation(description="Link two records by a relation that the graph model allows. Needs curate.")
    async def link_records(  # noqa: PLR0917 - as GraphQL names them
        self,
        info: RecordInfo,
        tail: Tail,
        type: RelationName,
        head: Head,
        properties: LinkProperties = None,
        command_id: CommandId = None,
    ) -> LinkPayload:
        values = values_of(properties) if properties is not None else {}
        return await _linked(info, (tail, type, head), values, command_id, remove=False)

    @strawberry.mutation(description="Take a link away. What it said stays in the history. Needs curate.")
    async def unlink_records(
        self, info: RecordInfo, tail: Tail, type: RelationName, head: Head, command_id: CommandId = None
    ) -> LinkPayload:
        return await _linked(info, (tail, type, head), {}, command_id, remove=True)

    @strawberry.mutation(description="Put a record away: never matched, injected or suggested again. Needs curate.")
    async def archive_record(
        self, info: RecordInfo, record: Target, command_id: CommandId = None, if_version: IfVersion = None
    ) -> RecordPayload:
        return await _moved(info, record, command_id, if_version, archived=True)

    @strawberry.mutation(description="Bring an archived record back. Needs curate.")
    async def restore_record(
        self, info: RecordInfo, record: Target, command_id: CommandId = None, if_version: IfVersion = None
    ) -> RecordPayload:
        return await _moved(info, record, command_id, if_version, archived=False)

    @strawberry.mutation(description="Bring a record into a state of its life that its type knows. Needs curate.")
    async def set_lifecycle(
        self, info: RecordInfo, record: Target, state: NewState, reason: Reason = None, command_id: CommandId = None
    ) -> RecordPayload:
        outcome = await service_of(info, Records).set_lifecycle(
            viewer_of(info), record.ref(), state.value, reason, command_id=command_id
        )
        return record_payload(await settle(info, outcome))

    @strawberry.mutation(description="Make one entity of two. The duplicate's id still leads there. Needs curate.")
    async def merge_entities(
        self,
        info: RecordInfo,
        keep: Annotated[RecordRefInput, strawberry.argument(description="The entity that stays.")],
        merge: Annotated[RecordRefInput, strawberry.argument(description="The entity that turned out to be the same.")],
        reason: Reason = None,
        command_id: CommandId = None,
    ) -> RecordPayload:
        outcome = await service_of(info, Records).merge(
            viewer_of(info), keep.ref(), merge.ref(), reason, command_id=command_id
        )
        return record_payload(await settle(info, outcome))

    @strawberry.mutation(description="Forbid, or allow again, that a record or a matter is erased. Needs admin.")
    async def set_legal_hold(
        self,
        info: RecordInfo,
        record: Target,
        hold: Annotated[bool, strawberry.argument(description="Whether it must be kept.")],
        command_id: CommandId = None,
    ) -> RecordPayload:
        outcome = await service_of(info, Records).set_legal_hold(
            viewer_of(info), record.ref(), hold=hold, command_id=command_id
        )
        return record_payload(await settle(info, outcome))

    @strawberry.mutation(description="Forget a record for good; a tombstone stays. Needs admin.")
    async def erase_record(
        self, info: RecordInfo, record: Target, reason: Reason = None, command_id: CommandId = None
    ) -> ErasePayload:
        outcome = await service_of(info, Records).erase(viewer_of(info), record.ref(), reason, command_id=command_id)
        await settle(info, outcome)
        return record_payload(outcome, ErasePayload, erased=_count(outcome))


def _count(outcome: Outcome) -> int | None:
    erased = outcome.result.get("erased")
    return erased if isinstance(erased, int) and not isinstance(erased, bool) else None


async def _linked(
    info: RecordInfo,
    link: tuple[RecordRefInput, str, RecordRefInput],
    values: dict[str, Any],
    command_id: str | None,
    *,
    remove: bool,
) -> LinkPayload:
    tail, kind, head = link
    outcome = await service_of(info, Records).link(
        viewer_of(info), tail.ref(), kind, head.ref(), values, remove=remove, command_id=command_id
    )
    await settle(info, outcome)
    return LinkPayload(
        **command_facts(outcome),
        type=kind,
        tail_id=outcome.result.get("tail"),
        head_id=outcome.result.get("head"),
    )


async def _moved(
    info: RecordInfo, record: RecordRefInput, command_id: str | None, if_version: int | None, *, archived: bool
) -> RecordPayload:
    outcome = await service_of(info, Records).set_state(
        viewer_of(info), record.ref(), archived=archived, command_id=command_id, if_version=if_version
    )
    return record_payload(await settle(info, outcome))
