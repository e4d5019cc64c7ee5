"""Packets that are named by their id, or by the activation that they were made for."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

import strawberry

from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of, viewer_of
from resolvers.generated.inputs import RecordRefInput, input_type
from resolvers.generated.views import view_type
from service.context.inspection import Inspection, PacketRefInput

PacketArgument = Annotated[
    PacketRefInput, strawberry.argument(description="The packet.", graphql_type=input_type(PacketRefInput))
]
Answer = Callable[[RecordInfo, str], Awaitable[Any]]


async def packet_id(info: RecordInfo, packet: PacketRefInput, field: str) -> str:
    return await service_of(info, Inspection).packet_id(viewer_of(info), packet, field)


def packet_field(model: type[Any], answer: Answer, description: str) -> Any:
    """A field about one packet. `answer` is given its id."""

    async def resolve(  # noqa: PLR0917 - the arguments of the field
        self: Any,
        info: RecordInfo,
        id: Annotated[strawberry.ID | None, strawberry.argument(description="Id of the packet.")] = None,
        run: Annotated[
            RecordRefInput | None, strawberry.argument(description="Instead of the id: the run that it was made in,")
        ] = None,
        module_key: Annotated[
            str | None, strawberry.argument(description="the module, as the executor calls it,")
        ] = None,
        activation_seq: Annotated[int | None, strawberry.argument(description="and which activation of it.")] = None,
    ) -> Any:
        del self
        packet = PacketRefInput(
            id=id, run=run.ref() if run else None, module_key=module_key, activation_seq=activation_seq
        )
        return shaped(info, await answer(info, await packet_id(info, packet, "packet")))

    return strawberry.field(resolver=resolve, graphql_type=view_type(model), description=description)
