"""Scalars beside GraphQL's own, and the GraphQL type of each kind of field."""

from collections.abc import Callable
from enum import StrEnum
from functools import cache, wraps
from typing import Any, NewType

import strawberry
from graphql import GraphQLError, GraphQLSchema
from strawberry.types.scalar import ScalarDefinition

from graph_schema.model.fields import Field, Kind
from graph_schema.model.texts import REMEDY, control_in
from graph_schema.model.times import TimeUnreadable, read_time_or_day
from service.commands.errors import ControlCharacter

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


def _readable(coerce: Callable[..., Any]) -> Callable[..., Any]:
    def readable(value: Any, *more: Any) -> Any:
        text = coerce(value, *more)
        control = control_in(text) if isinstance(text, str) else None
        if control:
            told = {"code": ControlCharacter.code, "character": control, "remedy": REMEDY}
            raise GraphQLError(f"The text has the control character {control} in it.", extensions=told)
        return text

    return readable


def refuse_controls(schema: GraphQLSchema) -> None:
    """Texts and ids with characters that no text may have are refused wherever a document or its variables bring them.

    GraphQL's own scalars cannot be replaced in a schema: they read otherwise from now on.
    """
    for name in ("String", "ID"):
        scalar: Any = schema.type_map[name]
        if not hasattr(scalar.coerce_input_value, "__wrapped__"):
            scalar.coerce_input_value = wraps(scalar.coerce_input_value)(_readable(scalar.coerce_input_value))
            scalar.coerce_input_literal = wraps(scalar.coerce_input_literal)(_readable(scalar.coerce_input_literal))


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


@cache
def enum_type(words: type[StrEnum]) -> Any:
    """The GraphQL type of an enum. It is called as the enum is, and means what the enum's own text says."""
    return strawberry.enum(words, description=(words.__doc__ or "").strip())


def scalar_type(field: Field) -> Any:
    """The type of one value of the field."""
    if field.name == "id":
        return strawberry.ID
    if field.enum is not None:
        return enum_type(field.enum)
    return _KINDS[field.kind]
