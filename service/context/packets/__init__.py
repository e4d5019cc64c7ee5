"""Context packets: what a module is given to know, and a receipt for each thing that was kept from it."""

from service.context.packets.commands import Packets
from service.context.packets.inputs import ContextPacketInput
from service.context.packets.read import PacketReads

__all__ = ["ContextPacketInput", "PacketReads", "Packets"]
