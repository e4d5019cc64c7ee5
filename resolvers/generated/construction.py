"""Strawberry types made at run time. Fields get their types afterwards, so that types may refer to each other."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Optional

import strawberry
from strawberry.annotation import StrawberryAnnotation
from strawberry.types.arguments import StrawberryArgument
from strawberry.types.base import get_object_definition
from strawberry.types.field import StrawberryField

from graph_schema.model.names import api_name
from resolvers.engine.roles import KEY, Role


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


def make_type(name: str, description: str, bases: tuple[type, ...] = (), *, interface: bool = False) -> type:
    decorate = strawberry.interface if interface else strawberry.type
    return decorate(type(name, bases, {"__annotations__": {}}), name=name, description=description)


def make_input(name: str, description: str) -> type:
    return strawberry.input(type(name, (), {"__annotations__": {}}), name=name, description=description)


def set_members(made: type, members: Sequence[Member], more: Sequence[StrawberryField] = ()) -> None:
    """Give a made type its fields. Called again, it replaces them."""
    definition = get_object_definition(made, strict=True)
    definition.fields = [*(_field(member, made, is_input=definition.is_input) for member in members), *more]


def _field(member: Member, origin: type, *, is_input: bool) -> StrawberryField:
    field = StrawberryField(
        # What is read has the attributes of the model behind it. Inputs are made by keyword, and cannot have fields
        # named like Python's own words; only the name in GraphQL is seen.
        python_name=f"field_{member.name}" if is_input else member.name,
        graphql_name=api_name(member.name),
        type_annotation=StrawberryAnnotation(member.type),
        origin=origin,
        description=member.description,
        default=member.default,
        metadata={KEY: member.role} if member.role else {},
    )
    field.arguments = [_argument(argument) for argument in member.arguments]
    return field


def _argument(argument: Argument) -> StrawberryArgument:
    return StrawberryArgument(
        python_name=argument.name,
        graphql_name=api_name(argument.name),
        type_annotation=StrawberryAnnotation(argument.type),
        description=argument.description,
        default=strawberry.UNSET,
    )
