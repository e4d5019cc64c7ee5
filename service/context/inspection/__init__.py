"""Inspecting packets: why something was given or kept out, what differs, whether it replays, whether matters bled."""

from service.context.inspection.inputs import PacketRefInput
from service.context.inspection.read import Inspection

__all__ = ["Inspection", "PacketRefInput"]
