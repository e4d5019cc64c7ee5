"""What all parts of one statement share: its names, its parameters and its columns."""

from typing import Any

from service.graph.reads.plan import Bind, Bound, Cost
from service.graph.reads.tree import Slot, Values


def quoted(identifier: str) -> str:
    """An identifier of the registry, fit for the statement whatever it is called."""
    return f"`{identifier.replace('`', '``')}`"


class Statement:
    def __init__(self) -> None:
        self.binds: list[Bind] = []
        self._names = 0

    def name(self, prefix: str) -> str:
        self._names += 1
        return f"{prefix}{self._names}"

    def parameter(self, slot: Slot) -> str:
        """A parameter that holds the slot's value. Returns its name without the dollar sign."""
        name = self.name("p")

        def bind(values: Values, bound: Bound) -> None:
            bound[name] = slot(values)

        self.binds.append(bind)
        return name

    def constant(self, value: Any) -> str:
        return self.parameter(lambda _values: value)

    def columns(self) -> "Columns":
        return Columns(self.name("row"))


class Columns:
    """The list that a subquery returns for each row, and what its rows cost. `row` names one in expressions.

    A value that is asked for twice is there once.
    """

    def __init__(self, row: str) -> None:
        self.row = row
        self.costs: list[Cost] = []
        self._values: list[str] = []
        self._known: dict[str, int] = {}

    def add(self, value: str) -> int:
        if value not in self._known:
            self._known[value] = self.reserve()
            self._values[-1] = value
        return self._known[value]

    def reserve(self) -> int:
        """A column whose value is known only later."""
        self._values.append("")
        return len(self._values) - 1

    def fill(self, index: int, value: str) -> None:
        self._values[index] = value

    def cost(self, bound: Bound) -> int:
        """What one row costs: itself, and what hangs on it."""
        return 1 + sum(cost(bound) for cost in self.costs)

    def __str__(self) -> str:
        return "[" + ", ".join(self._values) + "]"
