"""What became of a wish, as whoever had it is told."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from service.context.expansion.rules import ExpansionResult
from service.views import Id, Linked


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpansionOutcome:
    """What became of the wish for one capability."""

    capability_id: Annotated[Id, "Id of the capability."]
    result: Annotated[ExpansionResult, "What became of it."]
    message: Annotated[str, "Why, in a sentence."]
    code: Annotated[str | None, "Why it was not added, as a code."]
    remedy: Annotated[str | None, "What to do about it."]
    gate_id: Annotated[Id | None, "The gate that asks a person, or asked one."]
    gate_key: Annotated[str | None, "The key to report its decision under, while it waits."]
    capability: ClassVar = Linked("capability_id", "The capability as it is now.", "Capability")


def outcome_of(kept: Mapping[str, Any], *, told: bool) -> ExpansionOutcome:
    """From what a command keeps of it. Why names the capability, which not everybody is told."""
    result = ExpansionResult(kept["result"])
    silence = f"It is {result.value.replace('_', ' ')}; the scope read tells why."
    return ExpansionOutcome(
        capability_id=kept["capability_id"],
        result=result,
        message=kept["explanation"] if told else silence,
        code=kept["code"],
        remedy=kept["remedy"] if told else None,
        gate_id=kept["gate_id"],
        gate_key=kept["gate_key"],
    )
