"""Times that callers tell: read as any other, and not of tomorrow."""

from datetime import timedelta

from graph_schema.model.times import TimeUnreadable, read_time
from service import clock
from service.commands.errors import InputInvalid, TimeInvalid

AHEAD = timedelta(minutes=5)
"""By as much the clocks of others may be ahead."""


def moment(given: str | None, field: str) -> str:
    """The moment that was told; now, when none was."""
    now = clock.now()
    if given is None:
        return now
    try:
        found = read_time(given)
    except TimeUnreadable as error:
        raise TimeInvalid(field, error) from None
    if found > clock.stamp(clock.parse(now) + AHEAD):
        raise InputInvalid(field, "lies in the future")
    return found
