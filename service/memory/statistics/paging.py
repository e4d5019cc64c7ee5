"""How much of the past statistics look at, and how long their lists may be."""

from service.graph.reads.errors import LimitExceeded, PagingInvalid

RECENT = 200
"""How many of the latest runs or activations tell what is usual."""
COMMON = 5
MOST_ROWS = 100
EARLIEST = ""


def check_first(first: int) -> None:
    if first < 1:
        raise PagingInvalid("first", "it must be at least 1")
    if first > MOST_ROWS:
        raise LimitExceeded("first", MOST_ROWS, first, "Ask for a smaller page and follow the cursors.")
