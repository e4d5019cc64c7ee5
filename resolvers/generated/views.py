"""GraphQL types of read models. A model is a frozen dataclass of the service; each field is annotated with its meaning.

status: Annotated[StepStatus, "Where it stands."]
"""

import types
from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from enum import StrEnum
from functools import cache
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import strawberry
from strawberry.scalars import JSON

from resolvers.engine.scalars import Long, Timestamp
from resolvers.generated.construction import Member, make_type, optional, set_members


@cache
def view_type(model: type[Any]) -> Any:
    """The GraphQL type of a read model, with the types of what it holds. Made once for each model."""
    made = make_type(model.__name__, (model.__doc__ or "").strip())
    hints = get_type_hints(model, include_extras=True)
    set_members(made, [_member(one.name, hints[one.name]) for one in fields(model)])
    return made


_MARKS = {"timestamp": Timestamp, "long": Long, "id": strawberry.ID, "json": JSON}


def _member(name: str, hint: Any) -> Member:
    """The meaning is the last annotation; those before it belong to the type."""
    annotation, *marks = get_args(hint)
    return Member(name, _marked(annotation, marks[:-1]), marks[-1])


def _type(hint: Any) -> Any:
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        return optional(_type(next(arm for arm in get_args(hint) if arm is not type(None))))
    if origin is tuple:
        inner: Any = _type(get_args(hint)[0])
        return list[inner]
    if origin is Annotated:
        annotation, *marks = get_args(hint)
        return _marked(annotation, marks)
    if is_dataclass(hint):
        return view_type(hint)  # pyright: ignore[reportArgumentType]
    if issubclass(hint, StrEnum):
        return strawberry.enum(hint, description=(hint.__doc__ or "").strip())
    return hint


def _marked(hint: Any, marks: Sequence[Any]) -> Any:
    """The type of a value; times, long numbers and ids are told from others by a mark."""
    found = [_MARKS[one] for one in marks if isinstance(one, str) and one in _MARKS]
    return found[0] if found else _type(hint)
