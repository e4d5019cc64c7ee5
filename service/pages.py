"""Pages of lists that services answer, in the shape that all lists have."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Annotated

TOTAL = "How many pass, on all pages. Counted only when it is asked for."


@dataclass(frozen=True, slots=True)
class PageFacts:
    """Where a page begins and ends, of a list that is read forward. The API shows it as `PageInfo`, as of any list."""

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

    async def total_count(self) -> Annotated[int, TOTAL]:
        return await self.count()
