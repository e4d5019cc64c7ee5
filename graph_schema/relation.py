"""Relations: a type, what it leads from and to, what the link itself says, and how each end names it."""

from dataclasses import dataclass
from typing import Literal

from graph_schema.fields import Field, Layer
from graph_schema.record import Properties, read_fields

ANY = "Record"

End = Literal["tail", "head"]
LinkModel = type[Properties]


class Link(Properties):
    """Properties of a link that says nothing beyond its type."""


@dataclass(frozen=True, slots=True)
class Relation:
    """`(tail)-[:TYPE]->(head)`, read as a sentence.

    `forward` and `reverse` name the relation on its tail and on its head. `inherits` says which end is derived from
    the other, and so takes over its data class and matters.
    """

    type: str
    tails: tuple[str, ...]
    heads: tuple[str, ...]
    reverse: str
    description: str
    layer: Layer
    link: LinkModel = Link
    inherits: End | None = None
    forward: str = ""
    managed: bool = False  # kept by the service itself: linkRecords refuses it
    saved_with: tuple[str, ...] = ()  # tails that say it themselves when they are saved: linkRecords refuses it of them

    @property
    def tail_name(self) -> str:
        return self.forward or self.type.lower()

    @property
    def fields(self) -> dict[str, Field]:
        return read_fields(self.link)


@dataclass(frozen=True, slots=True)
class RelationField:
    """A relation as one record type sees it: `expresses_goal` on a blueprint, `expressed_by` on a goal."""

    name: str
    relation: Relation
    outgoing: bool
    targets: tuple[str, ...]
