"""Read models: what services answer. The API shows a model as it is (`resolvers.generated.views`).

A model is a frozen dataclass. A field is shown when its last annotation says what it means; what only the service needs
says nothing. A property whose result is annotated so is shown as well. A method is, too: it is called when a document
asks for it, and what it takes, annotated in the same way, are the arguments of its field. Names are those of the API,
but in snake_case; a word of Python ends in an underscore.

    @dataclass(frozen=True, slots=True, kw_only=True)
    class MountedCapability:
        capability_id: Annotated[Id, "Id of the capability."]
        name: Annotated[str, "What people call it."]
        capability: ClassVar = Linked("capability_id", "The capability as it is now.", "Capability")

What services take is written in the same way, and shown as an input (`resolvers.generated.inputs.input_type`).
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any, TypeVar

from graph_schema.model.relation import ANY

T = TypeVar("T")
E = TypeVar("E", bound=StrEnum)

Id = Annotated[str, "id"]
"""The id of a record."""

Time = Annotated[str, "timestamp"]
"""A moment."""

Json = Annotated[list[dict[str, Any]], "json"]
"""Data for programs, whatever its shape."""

OR_NULL = "or null"
OrNull = Annotated[T, OR_NULL]
"""Something in an input that may be null, which means what leaving it out does. What is None by default always may."""
JsonObject = Annotated[dict[str, Any], "json"]
"""Data for programs, by names that are not the same each time."""


@dataclass(frozen=True, slots=True)
class Of:
    """Instead of a meaning: a field that is a record's own, or a link's, means what the registry says of it.

    `status: Annotated[RunStatus, Of("Run")]`, `rank: Annotated[int, Of("INJECTED")]`
    """

    label: str
    """Label of the record, or type of the link. The field has the same name there."""


@dataclass(frozen=True, slots=True)
class Linked:
    """A record that a model names by its id, or records by their ids. It is read with what a document asks of it."""

    by: str
    """The field, shown or not, that has the id or the ids."""
    description: str
    label: str = ANY
    many: bool = False


@dataclass(frozen=True, slots=True)
class PageFacts:
    """Where a page begins and ends, of a list that is read forward. The API calls it PageInfo, as of any list."""

    has_next_page: bool
    has_previous_page: bool
    start_cursor: str | None
    end_cursor: str | None
    truncated: None = None


def page_facts(cursors: Sequence[str], after: str | None, *, has_next: bool) -> PageFacts:
    """`cursors` are those of the page's items."""
    first, last = (cursors[0], cursors[-1]) if cursors else (None, None)
    return PageFacts(has_next, after is not None, first, last)


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedPage:
    """What connections have that can tell how many there are on all pages."""

    page_info: Annotated[PageFacts, "Where the page begins and ends."]
    count: Callable[[], Awaitable[int]] = field(compare=False, repr=False)

    async def total_count(self) -> Annotated[int, "How many pass, on all pages. Counted only when it is asked for."]:
        return await self.count()


def word(kind: type[E], value: str | None) -> E | None:
    """A word as the graph has it, or none, as the enum's own."""
    return None if value is None else kind(value)
