"""The gate in front of learning: what may be kept of what was seen, and what may support something durable.

Plain functions over facts. A signal of a private run is not kept at all. One of a sensitive class is kept where it
belongs, and supports nothing durable.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from graph_schema.memory.words import MemoryMode
from graph_schema.model.fields import DataClass

PRIVATE = frozenset({MemoryMode.memory_incognito.value, MemoryMode.full_ephemeral_test.value})
SENSITIVE = frozenset({DataClass.privileged.value, DataClass.local_only.value})


class Held(StrEnum):
    """Why a signal is not kept, or supports nothing durable."""

    run_not_remembered = "run_not_remembered"
    sensitive_class = "sensitive_class"
    not_eligible = "not_eligible"


@dataclass(frozen=True, slots=True)
class Passage:
    """What the gate says: whether the signal is kept, whether it may support something durable, and why not."""

    kept: bool
    durable: bool
    because: Held | None = None


def gate(data_class: str, memory_mode: str | None, *, eligible: bool) -> Passage:
    if memory_mode in PRIVATE:
        return Passage(kept=False, durable=False, because=Held.run_not_remembered)
    if data_class in SENSITIVE:
        return Passage(kept=True, durable=False, because=Held.sensitive_class)
    if not eligible:
        return Passage(kept=True, durable=False, because=Held.not_eligible)
    return Passage(kept=True, durable=True)


def memory_mode(properties: dict[str, Any] | None) -> str | None:
    """How the run is remembered that a signal was seen in."""
    return properties.get("memory_mode") if properties else None
