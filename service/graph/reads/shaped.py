"""How answers are handed over: as they are, or as sources whose remaining fields somebody else answers."""

from typing import Any


class Shaped:
    """A value that already has the shape that was asked for. Nothing needs to look inside."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


class Source(dict[str, Any]):
    """A record of which only some fields are answered yet, by the key that the answer gives them."""

    __slots__ = ("id", "label")

    def __init__(self, label: str, record_id: str, answered: dict[str, Any]) -> None:
        super().__init__(answered)
        self.label = label
        self.id = record_id
