"""Why feedback on context is not taken."""

from collections.abc import Iterable

from service.errors import TaskloreError


class TargetMissing(TaskloreError):
    code = "validation.task_context_feedback_target_missing"

    def __init__(self, target_kind: str, target_ref: str, remedy: str) -> None:
        super().__init__(
            f"The packet has no {target_kind} {target_ref!r} that you can see.", field="target_ref", remedy=remedy
        )


class LayerUnknown(TaskloreError):
    code = "validation.task_context_feedback_target_missing"

    def __init__(self, target_ref: str, known: Iterable[str]) -> None:
        super().__init__(
            f"{target_ref!r} is no layer of a prompt.", field="target_ref", remedy=f"One of: {', '.join(known)}."
        )


class PacketMissing(TaskloreError):
    code = "not_found"

    def __init__(self, named: str) -> None:
        super().__init__(
            f"There is no packet {named} that you can see.",
            field="packet",
            remedy="Give the packet's id, or the run, `module_key` and `activation_seq` that it was made for.",
        )


class FeedbackBlocked(TaskloreError):
    code = "validation.incognito_blocks_requested_memory"

    def __init__(self) -> None:
        super().__init__(
            "The run is private: it leaves run truth only, and feedback is a learning input.",
            field="packet",
            remedy="Give feedback on a packet of a run that may be learned from.",
        )
