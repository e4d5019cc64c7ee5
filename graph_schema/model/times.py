"""Times: any way in which RFC 3339 writes a moment is read, one is stored: UTC with milliseconds.

What is doubtful is refused, never guessed: a time without an offset may mean any of forty moments.
"""

import re
from datetime import UTC, date, datetime, timedelta, timezone

EXAMPLE = "2026-01-31T09:30:00.000Z"
TIMESTAMP_LENGTH = len(EXAMPLE)
_STORED = re.compile(r"\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z", re.ASCII)
_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_TIME = re.compile(
    r"(?P<date>\d{4}-\d\d-\d\d)[Tt ](?P<hour>\d\d):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,](?P<fraction>\d{1,9}))?)?"
    r"(?P<offset>[Zz]|(?P<sign>[+-])(?P<hours>\d\d):?(?P<minutes>\d\d)?(?::(?P<seconds>\d\d(?:\.\d{1,6})?))?)?",
    re.ASCII,
)
_LONG_YEAR = re.compile(r"[+-]?\d{5,}-\d\d-\d\d")
_LEAP_SECOND = "60"
_OFFSET = "Add Z for UTC or an offset such as +01:00; in Python, datetime.now(UTC).isoformat() has one."
_FORM = f"Write it as RFC 3339 has it, such as {EXAMPLE} or 2026-01-31T10:30:00+01:00."
_LIMITS = "Hours go from 00 to 23 (24:00 is 00:00 of the next day), minutes and seconds from 00 to 59."


class TimeUnreadable(ValueError):
    """What is wrong with a time, and what to do about it."""

    def __init__(self, problem: str, remedy: str = _FORM) -> None:
        super().__init__(f"{problem}. {remedy}")
        self.problem = problem
        self.remedy = remedy


class Day(str):
    """A whole day of UTC, given where one is enough. As a text it is the day's first moment."""

    __slots__ = ()

    @property
    def last(self) -> str:
        return f"{self[:10]}T23:59:59.999Z"


def read_time(given: object) -> str:
    """The moment that a text names, as it is stored. More than milliseconds is cut off."""
    if isinstance(given, Day):
        raise TimeUnreadable("is a date, and a time is needed here")
    if not isinstance(given, str):
        raise TimeUnreadable("must be a text")
    if _STORED.fullmatch(given):
        _check_day(given[:10])
        return given
    return _written(given)


def read_time_or_day(given: object) -> str:
    """The same, or a whole day for a bare date: for filters, where what it means is clear."""
    if isinstance(given, str) and _DATE.fullmatch(given):
        _check_day(given)
        return Day(f"{given}T00:00:00.000Z")
    return read_time(given)


def first_moment(bound: str) -> str:
    """Where a time or a day begins, as plain text."""
    return str(bound)


def last_moment(bound: str) -> str:
    """Where a time or a day ends."""
    return bound.last if isinstance(bound, Day) else bound


def _written(given: str) -> str:
    found = _TIME.fullmatch(given)
    if found is None:
        raise _unreadable(given)
    if found["offset"] is None:
        raise TimeUnreadable("has no offset from UTC, so its moment would be a guess", _OFFSET)
    leaps = found["second"] == _LEAP_SECOND
    try:
        moment = _moment(found, leaps=leaps).astimezone(UTC)
    except (ValueError, OverflowError):
        raise TimeUnreadable("is no time of the calendar and the clock", _LIMITS) from None
    if leaps and (moment.hour, moment.minute) != (23, 59):
        raise TimeUnreadable("has a second 60, which only the last minute of a day in UTC can have")
    return f"{moment.year:04d}-{moment:%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z"


def _moment(found: re.Match[str], *, leaps: bool) -> datetime:
    """A leap second has no place of its own in our times: it becomes the last millisecond before the next day."""
    year, month, day = (int(part) for part in found["date"].split("-"))
    second = 59 if leaps else int(found["second"] or 0)
    micro = 999_000 if leaps else int((found["fraction"] or "").ljust(6, "0")[:6])
    zone = timezone(_offset(found))
    return datetime(year, month, day, int(found["hour"]), int(found["minute"]), second, micro, zone)


def _offset(found: re.Match[str]) -> timedelta:
    hours, minutes, seconds = (float(found[part] or 0) for part in ("hours", "minutes", "seconds"))
    size = timedelta(hours=hours, minutes=minutes, seconds=seconds)
    return -size if found["sign"] == "-" else size


def _unreadable(given: str) -> TimeUnreadable:
    if _DATE.fullmatch(given):
        return TimeUnreadable("is a date, and a time is needed here")
    if _LONG_YEAR.match(given):
        return TimeUnreadable("has a year of other than four digits")
    return TimeUnreadable("is no time that RFC 3339 knows")


def _check_day(text: str) -> None:
    try:
        date.fromisoformat(text)
    except ValueError:
        raise TimeUnreadable("names a day that is not in the calendar", "Check year, month and day.") from None
