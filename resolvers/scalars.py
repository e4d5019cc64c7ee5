"""Scalars beside GraphQL's own, and the GraphQL type of each kind of field."""

from typing import Any, NewType

import strawberry
from graphql import GraphQLError
from strawberry.types.scalar import ScalarDefinition

from graph_schema.fields import Field, Kind
from graph_schema.times import TimeUnreadable, read_time_or_day

Timestamp = NewType("Timestamp", str)
Long = NewType("Long", int)

_LONG_BITS = 63


def _parse_timestamp(value: object) -> str:
    """A bare date is taken here as a day; what saves a value refuses it, and can name the field."""
    try:
        return read_time_or_day(value)
    except TimeUnreadable as error:
        raise GraphQLError(f"The time {error.problem}.", extensions={"remedy": error.remedy}) from None


def _parse_long(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not -(1 << _LONG_BITS) <= value < 1 << _LONG_BITS:
        raise ValueError("A Long is a whole number of at most 64 bits.")
    return value


def _as_stored(value: Any) -> Any:
    return value


SCALARS: dict[object, ScalarDefinition] = {
    Timestamp: strawberry.scalar(
        name="Timestamp",
        description="A moment. Answers have UTC with milliseconds, such as 2026-01-31T09:30:00.000Z; any time of "
        "RFC 3339 with its offset is taken. In filters a bare date means the whole day in UTC.",
        serialize=_as_stored,
        parse_value=_parse_timestamp,
    ),
    Long: strawberry.scalar(
        name="Long",
        description="A whole number of up to 64 bits.",
        serialize=_as_stored,
        parse_value=_parse_long,
    ),
}

_KINDS: dict[Kind, Any] = {
    Kind.string: str,
    Kind.integer: int,
    Kind.long: Long,
    Kind.number: float,
    Kind.boolean: bool,
    Kind.timestamp: Timestamp,
}


def scalar_type(field: Field) -> Any:
    """The type of one value of the field."""
    if field.name == "id":
        return strawberry.ID
    if field.enum is not None:
        return strawberry.enum(field.enum, description=(field.enum.__doc__ or "").strip())
    return _KINDS[field.kind]
