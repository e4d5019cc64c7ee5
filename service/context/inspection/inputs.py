"""How a packet is named."""

from dataclasses import dataclass
from typing import Annotated

from service.commands import RecordRef
from service.views import Id


@dataclass(frozen=True, slots=True, kw_only=True)
class PacketRefInput:
    """A context packet: by its id, or by the activation that it was made for."""

    id: Annotated[Id | None, "Its id. Then nothing else is given."] = None
    run: Annotated[RecordRef | None, "The run that it was made in."] = None
    module_key: Annotated[str | None, "The module, as the executor calls it."] = None
    activation_seq: Annotated[int | None, "Which activation of the module."] = None
