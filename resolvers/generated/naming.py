"""The record that an argument names: by its id, or by what an outside system calls it.

What is unknown by its key is looked for under an id that nothing has, so that it reads exactly as what is hidden.
"""

from collections.abc import Sequence
from typing import Annotated

import strawberry

from resolvers.engine.loading import RecordInfo
from resolvers.engine.request import service_of, viewer_of
from resolvers.generated.inputs import RecordRefInput
from service.commands import RecordRef
from service.commands.errors import InputInvalid
from service.context.inspection import Inspection
from service.records.read import RecordNames

Source = Annotated[str | None, strawberry.argument(description="The outside system that knows it, instead of the id.")]
Key = Annotated[str | None, strawberry.argument(description="What that system calls it.")]
PacketId = Annotated[strawberry.ID | None, strawberry.argument(description="Id of the packet.")]
PacketRun = Annotated[
    RecordRefInput | None, strawberry.argument(description="Instead of the id: the run that it was made in,")
]
PacketModule = Annotated[str | None, strawberry.argument(description="the module, as the executor calls it,")]
PacketSeq = Annotated[int | None, strawberry.argument(description="and which activation of it.")]


@strawberry.input(description="A context packet: by its id, or by the activation that it was made for.")
class PacketRefInput:
    id: strawberry.ID | None = strawberry.field(default=None, description="Its id. Then nothing else is given.")
    run: RecordRefInput | None = strawberry.field(default=None, description="The run that it was made in.")
    module_key: str | None = strawberry.field(default=None, description="The module, as the executor calls it.")
    activation_seq: int | None = strawberry.field(default=None, description="Which activation of the module.")


async def id_of(info: RecordInfo, ref: RecordRef, field: str, *kinds: str) -> str:
    """The id of the record that is named."""
    [found] = await ids_of(info, [ref], field, *kinds)
    return found


async def ids_of(info: RecordInfo, refs: Sequence[RecordRef], field: str, *kinds: str) -> list[str]:
    """The ids of the records that are named. Only keys have to be looked up."""
    for one in refs:
        one.check(field, *kinds)
    keyed = [one for one in refs if one.id is None]
    found = await service_of(info, RecordNames).named(viewer_of(info), keyed, kinds) if keyed else {}
    return [one.id or (found[str(one)].id if str(one) in found else str(one)) for one in refs]


async def packet_id(info: RecordInfo, given: PacketRefInput, field: str) -> str:
    """The id of the packet that is named, by itself or by its activation."""
    by_step = (given.run, given.module_key, given.activation_seq)
    if given.id is not None and all(one is None for one in by_step):
        return given.id
    if given.id is not None or given.run is None or given.module_key is None or given.activation_seq is None:
        raise InputInvalid(field, "a packet is named by its id alone, or by run, module_key and activation_seq")
    return await service_of(info, Inspection).packet_id(
        viewer_of(info), given.run.ref(), given.module_key, given.activation_seq
    )
