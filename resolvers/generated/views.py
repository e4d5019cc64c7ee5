"""GraphQL types of read models (see `service.views`): the type has the model's name, and its fields are the model's."""

import types
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from enum import StrEnum
from functools import cache
from inspect import Signature, isawaitable, isfunction, signature
from typing import Annotated, Any, Union, cast, get_args, get_origin, get_type_hints

import strawberry
from strawberry.scalars import JSON
from strawberry.types.field import StrawberryField

from graph_schema.model.names import api_name
from graph_schema.registry import REGISTRY
from resolvers.engine.loading import RecordInfo, load_record, load_records, shaped
from resolvers.engine.scalars import Long, Timestamp, enum_type
from resolvers.generated.construction import Member, make_type, optional, set_members
from resolvers.generated.types import read_types, record_type
from service.views import Linked, Of, PageFacts

_NAMED: dict[str, type[Any]] = {}


@cache
def view_type(model: type[Any]) -> Any:
    """The GraphQL type of a read model, with the types of what it holds. Made once for each model."""
    if model is PageFacts:
        return read_types().page_info  # written lists are paged as generated ones are
    if (first := _NAMED.setdefault(model.__name__, model)) is not model:
        raise ValueError(
            f"{model.__module__} and {first.__module__} both have a {model.__name__}: one of them hides the other"
        )
    made = make_type(model.__name__, " ".join((model.__doc__ or "").split()))
    members = [member(name, hint, view_type) for name, hint in _shown(model)]
    linked = [_linked(name, one) for name, one in _has(model).items() if isinstance(one, Linked)]
    asked = [_asked(name, one) for name, one in _has(model).items() if _is_asked(name, one)]
    set_members(made, members, [*linked, *asked])
    return made


_MARKS = {"timestamp": Timestamp, "long": Long, "id": strawberry.ID, "json": JSON}


TypeOf = Callable[[type[Any]], Any]
"""The GraphQL type of a dataclass."""


def _shown(model: type[Any]) -> Iterator[tuple[str, Any]]:
    """What of a model has a meaning that can be told."""
    yield from meant(model)
    for name, one in _has(model).items():
        if isinstance(one, property) and _says(_result(one.fget)):
            yield name, _result(one.fget)


def _has(model: type[Any]) -> dict[str, Any]:
    """What its class defines, and what those before it do."""
    return {name: one for base in reversed(model.__mro__) for name, one in vars(base).items()}


def _result(function: Any) -> Any:
    return get_type_hints(function, include_extras=True).get("return")


def meant(model: type[Any]) -> Iterator[tuple[str, Any]]:
    """The fields of a dataclass that say what they mean."""
    hints = get_type_hints(model, include_extras=True)
    return ((one.name, hints[one.name]) for one in fields(model) if _says(hints[one.name]))


def _says(hint: Any) -> bool:
    return get_origin(hint) is Annotated and hint.__metadata__[-1] not in _MARKS


def member(name: str, hint: Any, type_of: TypeOf) -> Member:
    """The meaning is the last annotation; those before it belong to the type."""
    annotation, *marks = get_args(hint)
    return Member(name, _marked(annotation, marks[:-1], type_of), _meaning(name, marks[-1]))


def _meaning(name: str, said: str | Of) -> str:
    if isinstance(said, str):
        return said
    kind = REGISTRY.types.get(said.label) or next(one for one in REGISTRY.relations if one.type == said.label)
    return kind.fields[name].description


def _linked(name: str, linked: Linked) -> StrawberryField:
    record = optional(record_type(linked.label))
    of_type = list[record] if linked.many else record

    async def one(self: Any, info: RecordInfo) -> Any:
        return await load_record(info, getattr(self, linked.by))

    async def many(self: Any, info: RecordInfo) -> Any:
        return await load_records(info, getattr(self, linked.by))

    return _resolved(name, many if linked.many else one, of_type, linked.description)


def _is_asked(name: str, one: Any) -> bool:
    return isfunction(one) and not name.startswith("_") and _says(_result(one))


def _asked(name: str, method: Any) -> StrawberryField:
    """What is found when a document asks for it. What the method takes are the arguments of the field."""
    told = member(name, _result(method), view_type)
    hints = get_type_hints(method, include_extras=True)

    async def find(self: Any, info: RecordInfo, **given: Any) -> Any:
        found = method(self, **given)
        return shaped(info, await found if isawaitable(found) else found)

    first, context, _ = signature(find).parameters.values()
    _, *taken = signature(method).parameters.values()
    arguments = [one.replace(annotation=_argument(hints[one.name])) for one in taken]
    cast("Any", find).__signature__ = Signature([first, context, *arguments])
    return _resolved(name, find, told.type, told.description)


def _argument(hint: Any) -> Any:
    told = member("", hint, view_type)
    return Annotated[told.type, strawberry.argument(description=told.description)]


def _resolved(name: str, resolver: Any, graphql_type: Any, description: str) -> StrawberryField:
    made: Any = strawberry.field(
        resolver=resolver, name=api_name(name), graphql_type=graphql_type, description=description
    )
    made.python_name = name
    return made


def _type(hint: Any, type_of: TypeOf) -> Any:
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        return optional(_type(next(arm for arm in get_args(hint) if arm is not type(None)), type_of))
    if origin is tuple:
        inner: Any = _type(get_args(hint)[0], type_of)
        return list[inner]
    if origin is Annotated:
        annotation, *marks = get_args(hint)
        return _marked(annotation, marks, type_of)
    if is_dataclass(hint):
        return type_of(hint)  # pyright: ignore[reportArgumentType]
    if issubclass(hint, StrEnum):
        return enum_type(hint)
    return hint


def _marked(hint: Any, marks: Sequence[Any], type_of: TypeOf) -> Any:
    """The type of a value; times, long numbers and ids are told from others by a mark."""
    found = [_MARKS[one] for one in marks if isinstance(one, str) and one in _MARKS]
    if not found:
        return _type(hint, type_of)
    return optional(found[0]) if type(None) in get_args(hint) else found[0]
