"""Times as the whole system writes them: UTC, ISO, milliseconds."""

from datetime import UTC, datetime, timedelta


def now() -> str:
    return stamp(datetime.now(UTC))


def ago(span: timedelta) -> str:
    return stamp(datetime.now(UTC) - span)


def stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


def parse(value: str) -> datetime:
    return datetime.fromisoformat(value)


def not_before(former: str) -> str:
    """Now, but later than `former`: a record's changes have rising times whatever the clocks of their writers say."""
    return max(now(), stamp(parse(former) + timedelta(milliseconds=1)))
