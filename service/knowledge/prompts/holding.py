"""What may be kept of a prompt: its text only where every policy that bears on it says so. Pure."""

from collections.abc import Iterable

from graph_schema.memory.words import MemoryMode, PromptCapture
from graph_schema.model.fields import DataClass
from service.memory.reporting.policy import MODES

_ORDER = (PromptCapture.never, PromptCapture.redacted, PromptCapture.full_local_only)


def capture(asked: PromptCapture, others: Iterable[PromptCapture | str | None]) -> PromptCapture:
    """The strictest that anybody says."""
    said = [asked, *(PromptCapture(one) for one in others if one is not None)]
    return min(said, key=_ORDER.index)


def capture_of(mode: MemoryMode | None) -> PromptCapture | None:
    """What a memory mode says, where it forbids: one that redacts leaves it to be asked for."""
    if mode is None or MODES[mode]["capture_prompts"] is not PromptCapture.never:
        return None
    return PromptCapture.never


def keeps_text(held: PromptCapture | str) -> bool:
    return held == PromptCapture.full_local_only


def class_of(held: PromptCapture) -> DataClass:
    """A text that is kept never leaves the machine."""
    return DataClass.local_only if keeps_text(held) else DataClass.internal
