"""What all parts of one statement share: its names, its parameters and its columns."""

from collections.abc import Callable
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


class Columns:
    """The list that a subquery returns for each row. An expression that is asked for twice is there once."""

    def __init__(self) -> None:
        self._indexes: dict[str, int] = {}

    def add(self, expression: str) -> int:
        return self._indexes.setdefault(expression, len(self._indexes))

    def __len__(self) -> int:
        return len(self._indexes)

    def __str__(self) -> str:
        return "[" + ", ".join(self._indexes) + "]"


