"""Strawberry types made at run time. Fields get their types afterwards, so that types may refer to each other."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Optional

import strawberry
from strawberry.annotation import StrawberryAnnotation
from strawberry.types.arguments import StrawberryArgument
from strawberry.types.base import StrawberryObjectDefinition, get_object_definition
from strawberry.types.field import StrawberryField

from graph_schema.model.names import api_name
from resolvers.engine.roles import KEY, Role

_INPUT = "field_"


@dataclass(frozen=True, slots=True)
class Argument:
    name: str
    type: Any
    description: str | None = None


@dataclass(frozen=True, slots=True)
class Member:
    """A field to be made. `name` is its stored name; the API shows it by the rule of `graph_schema.model.names`."""

    name: str
    type: Any
    description: str
    role: Role | None = None
    arguments: Sequence[Argument] = ()
    default: Any = strawberry.UNSET


def optional(type_: Any) -> Any:
    """The type, or null."""
    return Optional[type_]  # noqa: UP045 - it is a value here


def make_type(name: str, description: str, implements: type | None = None, *, interface: bool = False) -> type:
    """An empty type. Strawberry's decorators would make a dataclass of each, which takes most of a second for all."""
    interfaces = [get_object_definition(implements, strict=True)] if implements else []
    return _defined(type(name, (), {}), name, description, interfaces=interfaces, is_interface=interface)


def make_input(name: str, description: str, taken: Callable[[dict[str, Any]], Any] | None = None) -> type:
    """An empty input. Resolvers are handed what `taken` makes of the values that were given, by their stored names."""

    def instead(_: type, **values: Any) -> Any:
        assert taken  # noqa: S101
        return taken({name.removeprefix(_INPUT): value for name, value in values.items()})

    made = type(name, (), {"__new__": instead}) if taken else type(name, (_Given,), {})
    return _defined(made, name, description, is_input=True)


def merged_type(name: str, description: str, bases: Sequence[type]) -> type:
    """A type with all the fields of others."""
    return strawberry.type(type(name, tuple(bases), {"__annotations__": {}}), name=name, description=description)


class _Given:
    """An input as it was given: what was left out is not there."""

    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)


def _defined(
    made: type,
    name: str,
    description: str,
    *,
    interfaces: Sequence[StrawberryObjectDefinition] = (),
    is_input: bool = False,
    is_interface: bool = False,
) -> type:
    definition = StrawberryObjectDefinition(
        name=name,
        description=description,
        origin=made,
        is_input=is_input,
        is_interface=is_interface,
        interfaces=[*interfaces],
        extend=False,
        directives=(),
        is_type_of=None,
        resolve_type=None,
        fields=[],
    )
    setattr(made, "__strawberry_definition__", definition)  # noqa: B010 - the checker knows no such attribute
    return made


def set_members(made: type, members: Sequence[Member], more: Sequence[StrawberryField] = ()) -> None:
    """Give a made type its fields. Called again, it replaces them."""
    definition = get_object_definition(made, strict=True)
    definition.fields = [*(_field(member, made, is_input=definition.is_input) for member in members), *more]


def _field(member: Member, origin: type, *, is_input: bool) -> StrawberryField:
    field = StrawberryField(
        # What is read has the attributes of the model behind it. Inputs are made by keyword, and cannot have fields
        # named like Python's own words; only the name in GraphQL is seen.
        python_name=f"{_INPUT}{member.name}" if is_input else member.name,
        graphql_name=api_name(member.name),
        type_annotation=_annotation(member.type),
        origin=origin,
        description=member.description,
        default=member.default,
        metadata={KEY: member.role} if member.role else {},
    )
    field.arguments = [_argument(argument) for argument in member.arguments]
    return field


@cache
def _annotation(type_: Any) -> StrawberryAnnotation:
    """What Strawberry works out of a type, it works out once for each annotation: fields of one type share theirs."""
    return StrawberryAnnotation(type_)


def _argument(argument: Argument) -> StrawberryArgument:
    return StrawberryArgument(
        python_name=argument.name,
        graphql_name=api_name(argument.name),
        type_annotation=_annotation(argument.type),
        description=argument.description,
        default=strawberry.UNSET,
    )
