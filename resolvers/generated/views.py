"""GraphQL types of read models (see `service.views`): the type has the model's name, and its fields are the model's."""

import types
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from enum import StrEnum
from functools import cache
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import strawberry
from strawberry.scalars import JSON
from strawberry.types.field import StrawberryField

from graph_schema.model.names import api_name
from graph_schema.registry import REGISTRY
from resolvers.engine.loading import RecordInfo, load_record, load_records
from resolvers.engine.scalars import Long, Timestamp, enum_type
from resolvers.generated.construction import Member, make_type, optional, set_members
from resolvers.generated.types import record_type
from service.views import Linked, Of


@cache
def view_type(model: type[Any]) -> Any:
    """The GraphQL type of a read model, with the types of what it holds. Made once for each model."""
    made = make_type(model.__name__, (model.__doc__ or "").strip())
    members = [_member(name, hint) for name, hint in _shown(model)]
    linked = [_linked(name, one) for name, one in vars(model).items() if isinstance(one, Linked)]
    set_members(made, members, linked)
    return made


_MARKS = {"timestamp": Timestamp, "long": Long, "id": strawberry.ID, "json": JSON}


def _shown(model: type[Any]) -> Iterator[tuple[str, Any]]:
    """What of a model has a meaning that can be told."""
    hints = get_type_hints(model, include_extras=True)
    for one in fields(model):
        if _says(hints[one.name]):
            yield one.name, hints[one.name]
    for name, one in vars(model).items():
        if isinstance(one, property) and one.fget is not None:
            hint = get_type_hints(one.fget, include_extras=True).get("return")
            if _says(hint):
                yield name, hint


def _says(hint: Any) -> bool:
    return get_origin(hint) is Annotated and hint.__metadata__[-1] not in _MARKS


def _member(name: str, hint: Any) -> Member:
    """The meaning is the last annotation; those before it belong to the type."""
    annotation, *marks = get_args(hint)
    return Member(name, _marked(annotation, marks[:-1]), _meaning(name, marks[-1]))


def _meaning(name: str, said: str | Of) -> str:
    if isinstance(said, str):
        return said
    kind = REGISTRY.types.get(said.label) or next(one for one in REGISTRY.relations if one.type == said.label)
    return kind.fields[name].description


def _linked(name: str, linked: Linked) -> StrawberryField:
    record = optional(record_type(linked.label))

    async def one(self: Any, info: RecordInfo) -> Any:
        return await load_record(info, getattr(self, linked.by))

    async def many(self: Any, info: RecordInfo) -> Any:
        return await load_records(info, getattr(self, linked.by))

    made: Any = strawberry.field(
        resolver=many if linked.many else one,
        name=api_name(name),
        graphql_type=list[record] if linked.many else record,
        description=linked.description,
    )
    made.python_name = name
    return made


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
        return enum_type(hint)
    return hint


def _marked(hint: Any, marks: Sequence[Any]) -> Any:
    """The type of a value; times, long numbers and ids are told from others by a mark."""
    found = [_MARKS[one] for one in marks if isinstance(one, str) and one in _MARKS]
    return found[0] if found else _type(hint)
