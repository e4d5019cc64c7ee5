"""Times: whatever RFC 3339 allows is read to the same moment; what would be a guess is refused with its remedy."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_schema.model.times import Day, TimeUnreadable, last_moment, read_time, read_time_or_day

_OFFSETS = st.timedeltas(timedelta(hours=-23, minutes=-59), timedelta(hours=23, minutes=59))
AWARE = st.datetimes(
    datetime(2, 1, 1),  # noqa: DTZ001 - hypothesis adds the zone
    datetime(9998, 12, 31),  # noqa: DTZ001
    timezones=_OFFSETS.map(timezone),
    allow_imaginary=False,
)


@given(AWARE)
def test_the_isoformat_of_any_aware_datetime_is_read_to_the_same_moment_cut_to_milliseconds(moment: datetime) -> None:
    utc = moment.astimezone(UTC)
    cut = utc.replace(microsecond=utc.microsecond // 1000 * 1000)
    for written in (moment.isoformat(), moment.isoformat(sep=" "), utc.isoformat().replace("+00:00", "z")):
        stored = read_time(written)
        assert datetime.fromisoformat(stored) == cut
        assert read_time(stored) == stored
        assert len(stored) == len("2026-01-31T09:30:00.000Z")


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        ("2026-01-31T09:30:00Z", "2026-01-31T09:30:00.000Z"),
        ("2026-01-31t09:30:00z", "2026-01-31T09:30:00.000Z"),
        ("2026-01-31 10:30:00.5+01:00", "2026-01-31T09:30:00.500Z"),
        ("2026-01-31T09:30:00.123456789Z", "2026-01-31T09:30:00.123Z"),
        ("2026-01-31T09:30:00-00:00", "2026-01-31T09:30:00.000Z"),
        ("2026-01-31T09:30:00+0530", "2026-01-31T04:00:00.000Z"),
        ("2026-01-31T09:30Z", "2026-01-31T09:30:00.000Z"),
        ("2026-01-01T00:30:00+01:00", "2025-12-31T23:30:00.000Z"),
        ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59.999Z"),
        ("2017-01-01T00:59:60+01:00", "2016-12-31T23:59:59.999Z"),
    ],
)
def test_every_form_of_a_moment_is_stored_in_one(written: str, stored: str) -> None:
    assert read_time(written) == stored


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("2026-01-31T09:30:00", "datetime.now(UTC).isoformat()"),
        ("2026-01-31", "a time is needed"),
        ("12026-01-31T09:30:00Z", "four digits"),
        ("2026-01-31T24:00:00Z", "00:00 of the next day"),
        ("2026-01-31T24:00:00.000Z", "00:00 of the next day"),
        ("2026-01-31T12:00:60Z", "the last minute of a day"),
        ("2026-02-30T09:30:00.000Z", "not in the calendar"),
        ("2026-02-30T09:30:00Z", "no time of the calendar"),
        ("0001-01-01T00:00:00+12:00", "no time of the calendar"),
        ("yesterday", "RFC 3339"),
        ("٢٠٢٦-01-31T09:30:00.000Z", "RFC 3339"),
        ("", "RFC 3339"),
        (1_769_850_600, "text"),
        (None, "text"),
        (Day("2026-01-31T00:00:00.000Z"), "a time is needed"),
    ],
)
def test_what_would_be_a_guess_is_refused_and_says_what_to_do(written: Any, told: str) -> None:
    with pytest.raises(TimeUnreadable) as refused:
        read_time(written)
    assert told in str(refused.value)


def test_a_bare_date_is_a_whole_day_where_days_are_taken() -> None:
    day = read_time_or_day("2026-01-31")
    assert (day, last_moment(day)) == ("2026-01-31T00:00:00.000Z", "2026-01-31T23:59:59.999Z")
    assert last_moment(read_time_or_day("2026-01-31T09:30:00Z")) == "2026-01-31T09:30:00.000Z"
    with pytest.raises(TimeUnreadable, match="not in the calendar"):
        read_time_or_day("2026-02-30")
