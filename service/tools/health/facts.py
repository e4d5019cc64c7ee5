"""What the rules of health look at: calls that have ended, however they were told of. Nothing here knows the graph."""

from dataclasses import dataclass, replace
from datetime import datetime

from graph_schema.tools.words import ToolErrorClass, ToolOutcomeType
from service.access.audience import Access

EVERYBODY = Access()


@dataclass(frozen=True, slots=True)
class Corrected:
    """A correction of what a call answered."""

    id: str
    access: Access = EVERYBODY


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a tool that has ended. `key` orders those of one moment, whenever they came in."""

    id: str
    at: datetime
    key: str
    outcome: ToolOutcomeType
    method: str | None = None
    error_class: ToolErrorClass | None = None
    axes: tuple[str, ...] = ()
    said: tuple[tuple[str, str], ...] = ()
    """Each axis with the word that was said for it."""
    split: str | None = None
    corrections: tuple[Corrected, ...] = ()
    access: Access = EVERYBODY

    @property
    def corrected(self) -> bool:
        return bool(self.corrections)

    def within(self, circle: Access) -> "Call":
        """The call with the corrections that a circle of readers may see."""
        seen = tuple(one for one in self.corrections if circle.covers(one.access))
        return self if len(seen) == len(self.corrections) else replace(self, corrections=seen)


@dataclass(frozen=True, slots=True)
class ToolFacts:
    """A tool with its recent calls, as far as somebody may see them."""

    id: str
    name: str
    known_since: datetime
    calls: tuple[Call, ...] = ()
    last_used_at: datetime | None = None
    access: Access = EVERYBODY
