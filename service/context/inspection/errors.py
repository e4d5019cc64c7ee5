"""Why a question about a packet has no answer, each with what to do about it."""

from service.errors import TaskloreError


class PacketMissing(TaskloreError):
    code = "not_found"

    def __init__(self, run: object, module_key: str, activation_seq: int) -> None:
        super().__init__(
            f"The module {module_key!r} of the run {run} has no packet for its activation {activation_seq} that you "
            "can see.",
            field="activation_seq",
            remedy="Assemble the packet first, or ask about another activation.",
        )


class PacketNotKept(TaskloreError):
    code = "packet_not_kept"

    def __init__(self, packet_id: str) -> None:
        super().__init__(
            f"Of the packet {packet_id} only its hash and its counts are kept: its run is an ephemeral test.",
            field="packet",
            remedy="Run it again in another memory mode to be able to ask about its packets.",
        )


class InputsErased(PacketNotKept):
    def __init__(self, packet_id: str) -> None:
        TaskloreError.__init__(
            self,
            f"Of the packet {packet_id} what was asked is no longer kept: something that came in with it was erased.",
            field="packet",
            remedy="Read the packet itself: what else it held and kept out is still told.",
        )
