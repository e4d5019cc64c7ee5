"""Inputs: made from the registry, what a caller may set of a record and of a link; made from what services take."""

from collections.abc import Iterable, Iterator
from dataclasses import MISSING, fields, replace
from functools import cache
from typing import Any, cast

import strawberry
from strawberry.types.base import get_object_definition

from graph_schema.model.fields import Field, Kind
from graph_schema.model.names import stored_name
from graph_schema.model.record import RecordType
from graph_schema.model.registry import Registry
from resolvers.engine.scalars import scalar_type
from resolvers.generated.construction import Member, make_input, optional, set_members
from resolvers.generated.views import meant, member
from service.commands import RecordRef
from service.views import OR_NULL


@strawberry.input(description="A record: by its id, or by what an outside system calls it.")
class RecordRefInput:
    id: strawberry.ID | None = strawberry.field(default=None, description="Its id. Then nothing else is given.")
    kind: str | None = strawberry.field(
        default=None,
        description="Its type, such as Entity. Only where an unknown key makes a stub, and the argument implies none.",
    )
    source: str | None = strawberry.field(default=None, description="The outside system that knows it.")
    key: str | None = strawberry.field(default=None, description="What that system calls it.")

    def ref(self) -> RecordRef:
        return RecordRef(self.id, self.kind, self.source, self.key)


@cache
def input_type(model: type[Any]) -> Any:
    """The input of a dataclass that a service takes (see `service.views`): it has its name, and what it says its fields
    mean. A resolver is handed the dataclass itself."""
    if model is RecordRef:
        return RecordRefInput

    def taken(given: dict[str, Any]) -> Any:  # null is as good as left out
        return model(**{name: _taken(value) for name, value in given.items() if value is not None})

    made = make_input(model.__name__, (model.__doc__ or "").strip(), taken)
    set_members(made, [*_given(model)])
    return made


def _given(model: type[Any]) -> Iterator[Member]:
    defaults = {one.name: one.default for one in fields(model)}
    for name, hint in meant(model):
        made, default = member(name, hint, input_type), defaults[name]
        if default is MISSING:
            yield made
        elif OR_NULL in hint.__metadata__:
            yield replace(made, type=optional(made.type), default=None)
        else:
            yield replace(made, default=default)


def _taken(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_taken(one) for one in cast("list[Any]", value))
    return value.ref() if isinstance(value, RecordRefInput) else value


def record_input(kind: RecordType) -> type:
    """The input of `save<Label>`: the id of an existing record, and every field that a caller may set."""
    identity = Field("id", Kind.string, False, False, _ID, None, None, False, False, True, False)
    fields = [identity, *(one for one in kind.fields.values() if one.authored)]
    return _input(f"{kind.label}Input", f"What to save of: {kind.description}", fields, [_MATTERS])


def fields_input(
    kind: RecordType, name: str, description: str, fields: Iterable[str], more: Iterable[Member] = ()
) -> type:
    """An input with some of the fields of a record type, under their own names, and what is said besides."""
    return _input(name, description, [kind.fields[one] for one in fields], more)


def link_input(registry: Registry) -> type:
    """What may be said about a link, over all relations. Which of it fits depends on the relation's type."""
    known: dict[str, Field] = {}
    for relation in registry.relations:
        if not relation.managed:
            known |= relation.fields
    return _input(
        "LinkPropertiesInput", "What a link says. docs/graph.md tells what fits which relation.", known.values()
    )


_ID = "Id of the record to change. Without it, and without a known source_key, a new record is made."


def values_of(given: Any) -> dict[str, Any]:
    """What a caller set in an input, by stored names. Left out is not the same as null."""
    fields = get_object_definition(type(given), strict=True).fields
    names = {one.python_name: stored_name(one.graphql_name or one.python_name) for one in fields}
    said = cast("dict[str, Any]", vars(given))
    return {names[name]: value for name, value in said.items() if value is not strawberry.UNSET}


_MATTERS = Member(
    "matters", optional(list[RecordRefInput]), "Matters by what their owner calls them, beside the ids or instead."
)


def _input(name: str, description: str, fields: Iterable[Field], more: Iterable[Member] = ()) -> type:
    made = make_input(name, description)
    set_members(made, [*(Member(one.name, _type(one), one.description) for one in fields), *more])
    return made


def _type(field: Field) -> Any:
    single = scalar_type(field)
    return optional(list[single] if field.many else single)
