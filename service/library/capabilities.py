"""Whether a capability can be used, as executors report it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graph_schema.library.words import CapabilityState


@dataclass(frozen=True, slots=True)
class StateReport:
    """What somebody saw of a capability, when, and which of their states it was."""

    state: CapabilityState
    as_of: str
    generation: int = 0

    def values(self) -> dict[str, Any]:
        return {"state": self.state.value, "state_as_of": self.as_of, "state_generation": self.generation}

    def is_newer(self, known: Mapping[str, Any]) -> bool:
        """A higher generation is newer; within one, a later moment. So the order of arrival does not matter.

        Two different reports of the same generation and moment: the more careful one holds.
        """
        if known.get("state") is None:
            return True
        held = (known["state_generation"], known["state_as_of"], _CARE[CapabilityState(known["state"])])
        return (self.generation, self.as_of, _CARE[self.state]) > held


_CARE = {CapabilityState.up: 0, CapabilityState.authorisation_missing: 1, CapabilityState.down: 2}
