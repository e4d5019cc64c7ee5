"""Relations: a type, what it leads from and to, what the link itself says, and how each end names it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from graph_schema.model.fields import EvidenceLayer, Field
from graph_schema.model.record import Properties, read_fields

ANY = "Record"

End = Literal["tail", "head", "both"]
LinkModel = type[Properties]


class Link(Properties):
    """Properties of a link that says nothing beyond its type."""


@dataclass(frozen=True, slots=True)
class Relation:
    """`(tail)-[:TYPE]->(head)`, read as a sentence.

    `forward` and `reverse` name the relation on its tail and on its head. `inherits` says which end is derived from
    the other, and so takes over its data class and matters; with `inherits_where`, only along links that say so.
    """

    type: str
    tails: tuple[str, ...]
    heads: tuple[str, ...]
    reverse: str
    description: str
    layer: EvidenceLayer
    link: LinkModel = Link
    inherits: End | None = None
    inherits_where: tuple[str, str] | None = None
    forward: str = ""
    managed: bool = False  # kept by the service itself: linkRecords refuses it
    saved_with: tuple[str, ...] = ()  # tails that say it themselves when they are saved: linkRecords refuses it of them

    @property
    def tail_name(self) -> str:
        return self.forward or self.type.lower()

    def hands_down(self, facts: Mapping[str, Any]) -> tuple[bool, bool]:
        """Whether access flows along a link with these facts: to its tail, to its head."""
        if self.inherits_where is not None and facts.get(self.inherits_where[0]) != self.inherits_where[1]:
            return False, False
        return self.inherits in ("tail", "both"), self.inherits in ("head", "both")

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
