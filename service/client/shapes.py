"""A class of an answer says what is asked for, and how it is read: its fields are the selection, in snake_case."""

import re
from dataclasses import fields, is_dataclass
from datetime import datetime
from functools import cache
from types import UnionType
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

T = TypeVar("T")

_WORD = re.compile(r"_([a-z0-9])")


def camel(name: str) -> str:
    """As GraphQL has it: `activation_seq` is `activationSeq`, and `from_`, a word of Python, is `from`."""
    return _WORD.sub(lambda found: found[1].upper(), name.rstrip("_"))


@cache
def selection(shape: type) -> str:
    """`{ id name steps { … } }`, or nothing where the answer is a plain value."""
    inner = _inner(shape)
    if not is_dataclass(inner):
        return ""
    hints = get_type_hints(inner)
    return "{ " + " ".join(f"{camel(one.name)} {selection(hints[one.name])}".strip() for one in fields(inner)) + " }"


def read(shape: type[T], value: Any) -> T:
    return cast("T", _read(shape, value))


def _read(shape: Any, value: Any) -> Any:
    if value is None:
        return () if get_origin(shape) is tuple else None
    if get_origin(shape) in (Union, UnionType):
        return _read(next(one for one in get_args(shape) if one is not type(None)), value)
    if get_origin(shape) is tuple:
        return tuple(_read(get_args(shape)[0], one) for one in value)
    if is_dataclass(shape):
        hints = get_type_hints(shape)
        given = {one.name: _read(hints[one.name], value.get(camel(one.name))) for one in fields(shape)}
        return cast("Any", shape)(**given)
    return datetime.fromisoformat(value) if shape is datetime else value


def _inner(shape: Any) -> Any:
    """What a list or an optional value holds."""
    if get_origin(shape) in (tuple, Union, UnionType):
        return _inner(next(one for one in get_args(shape) if one is not type(None) and one is not ...))
    return shape
