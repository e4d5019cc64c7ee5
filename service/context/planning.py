"""The statements of packets, planned before somebody waits for them."""

from typing import LiteralString

from service.access.viewer import Viewer
from service.capability import Services
from service.commands import RecordRef
from service.context.packets import ContextPacketInput, PacketReads

# Some activation that was given a packet: which one does not matter.
SOME_ACTIVATION: LiteralString = """
MATCH (packet:ContextPacket:Record)
RETURN packet.run_id AS run, packet.module_key AS module, packet.activation_seq AS seq LIMIT 1
"""


async def plan_ahead(services: Services, viewer: Viewer) -> None:
    row = await services.ground.database.read_one(SOME_ACTIVATION)
    if row:
        await services[PacketReads].preview(
            viewer, ContextPacketInput(RecordRef(id=row["run"]), row["module"], row["seq"])
        )
