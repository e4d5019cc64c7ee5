"""Context packets: what a module is given to know, and a receipt for each thing that was kept from it."""

from service.context.packets.commands import Packets
from service.context.packets.inputs import Asked
from service.context.packets.read import PacketReads

__all__ = ["Asked", "PacketReads", "Packets"]
