"""A compiled read: the statement, how its parameters are taken from a run's values, and how its row is read."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, LiteralString

from service.graph.reads.tree import Values

Bound = dict[str, Any]
"""The parameters of one run."""

Bind = Callable[[Values, Bound], None]
Cost = Callable[[Bound], int]
Shaper = Callable[[list[Any], Bound], Any]


@dataclass(frozen=True, slots=True)
class Plan:
    text: LiteralString
    binds: tuple[Bind, ...]
    costs: tuple[Cost, ...]
    shape: Shaper
    open_keys: frozenset[str]
    """Roots below which a field with rules of its own is asked for. They are handed over as sources."""

    def bind(self, values: Values, audiences: tuple[str, ...]) -> Bound:
        bound: Bound = {"audiences": audiences}
        for bind in self.binds:
            bind(values, bound)
        return bound

    def cost(self, bound: Bound) -> int:
        """An estimate of the records that the statement touches at most, known before it runs."""
        return sum(cost(bound) for cost in self.costs)
