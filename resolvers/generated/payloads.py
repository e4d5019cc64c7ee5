"""What commands answer, in one shape: the command, what is said beside it, and the record that it made or changed."""

from collections.abc import Sequence
from typing import Any

import strawberry

from resolvers.engine.loading import RecordInfo, load_record
from resolvers.generated.construction import optional
from resolvers.generated.types import record_type
from resolvers.generated.views import view_type
from service.commands import Outcome
from service.notices import Notice, notices_of

NOTICES: Any = list[view_type(Notice)]


@strawberry.interface(description="What a command did, when it was first carried out.")
class CommandPayload:
    command_id: str | None = strawberry.field(
        description="The command's name, yours or a made one; null where nothing had to be carried out."
    )
    replayed: bool = strawberry.field(description="Whether it had been carried out before; then nothing changed now.")
    warnings: Sequence[Notice] = strawberry.field(
        graphql_type=NOTICES, default=(), description="What to look at; nothing was refused because of it."
    )


@strawberry.type(description="The record that a command made or changed.")
class RecordPayload(CommandPayload):
    record_id: strawberry.ID | None = strawberry.field(
        default=None, description="Its id. Null when it has been erased since."
    )
    version: int | None = strawberry.field(default=None, description="Its version after the command.")

    @strawberry.field(graphql_type=optional(record_type()), description="The record as it is now.")
    async def record(self, info: RecordInfo) -> Any:
        return await load_record(info, self.record_id)


def payload_of(label: str, name: str = "", description: str = "") -> Any:
    """The payload of commands on records of one type: `record` is of that type."""

    @strawberry.type(name=name or f"{label}Payload", description=description or f"The {label} after the command.")
    class Payload(RecordPayload):
        @strawberry.field(graphql_type=optional(record_type(label)), description="The record as it is now.")
        async def record(self, info: RecordInfo) -> Any:
            return await load_record(info, self.record_id)

    return Payload


def record_payload(outcome: Outcome, made: type[Any] = RecordPayload, /, **more: Any) -> Any:
    result = outcome.result
    return made(
        **command_facts(outcome),
        record_id=result.get("id"),
        version=result.get("version"),
        **more,
    )


def command_facts(outcome: Outcome) -> dict[str, Any]:
    """What all payloads have."""
    warnings = notices_of(outcome.result.get("warnings", ()))
    return {"command_id": outcome.command_id, "replayed": outcome.replayed, "warnings": warnings}
