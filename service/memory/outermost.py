"""What operations inside one another took together: what an outer one tells is the whole of what is inside it.

Reports and read models add up by this one rule, so that a list says of a run what the run's own view says.
"""

from collections.abc import Mapping


def outermost(told: Mapping[str, int], parents: Mapping[str, str | None]) -> list[str]:
    """Of operations that tell a figure, those that are inside no other of them. `parents` has all operations there."""
    return [one for one in told if not any(up in told for up in above(one, parents))]


def total(told: Mapping[str, int], parents: Mapping[str, str | None]) -> int | None:
    """The sum of what the outermost tell; None where nobody tells anything, which is not the same as nought."""
    found = outermost(told, parents)
    return sum(told[one] for one in found) if found else None


def above(operation: str, parents: Mapping[str, str | None]) -> list[str]:
    """What an operation is inside of, the nearest first; each once, also where they are inside one another."""
    found: list[str] = []
    up = parents.get(operation)
    while up is not None and up not in found and up != operation:
        found.append(up)
        up = parents.get(up)
    return found
