"""Read models: what services answer. The API shows a model as it is (`resolvers.generated.views`).

A model is a frozen dataclass. A field is shown when its last annotation says what it means; what only the service needs
says nothing. A property whose result is annotated so is shown as well. Names are those of the API, but in snake_case.

    @dataclass(frozen=True, slots=True, kw_only=True)
    class MountedCapability:
        capability_id: Annotated[Id, "Id of the capability."]
        name: Annotated[str, "What people call it."]
        capability: ClassVar = Linked("capability_id", "The capability as it is now.", "Capability")
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from graph_schema.model.relation import ANY

Id = Annotated[str, "id"]
"""The id of a record."""

Json = Annotated[list[dict[str, Any]], "json"]
"""Data for programs, whatever its shape."""

JsonObject = Annotated[dict[str, Any], "json"]
"""Data for programs, by names that are not the same each time."""


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
