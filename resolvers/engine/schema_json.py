"""The schema as JSON text, as an introspection document asks for it.

graphql-core's executor completes each of a hundred thousand values by itself; here the selection is read once and then
writes text. What a field of the meta types is comes from graphql-core's own resolvers, so the answers are the same.
"""

from collections.abc import Callable, Iterable
from types import SimpleNamespace
from typing import Any

import orjson
from graphql import GraphQLObjectType, GraphQLSchema, introspection_types
from graphql.execution.collect_fields import FieldDetails, collect_fields, collect_subfields
from graphql.execution.values import VariableValues, get_argument_values

from resolvers.engine.documents import Document
from resolvers.engine.graphql_core import Type, is_list, named_type, nullable_type
from service.graph.reads.errors import LimitExceeded

MOST_BYTES = 32_000_000
"""Ten times the whole schema. Types inside the fields of types multiply: a short document can ask for gigabytes."""

Render = Callable[[Any], bytes]
Pace = Callable[[], None]
Details = list[FieldDetails]

_NULL = b"null"
_TYPE = introspection_types["__Type"]


def rendered(schema: GraphQLSchema, document: Document, variables: VariableValues, pace: Pace) -> bytes:
    """The data of an operation that asks for nothing but the schema. `pace` is called for each object."""
    return _Rendering(schema, document, variables, pace).data()


class _Rendering:
    def __init__(self, schema: GraphQLSchema, document: Document, variables: VariableValues, pace: Pace) -> None:
        self._schema = schema
        self._document = document
        self._variables = variables
        self._pace = pace
        self._info: Any = SimpleNamespace(schema=schema)  # all that the meta fields' resolvers look at
        self._objects: dict[object, Render] = {}
        self._leaves: dict[str, Render] = {}

    def data(self) -> bytes:
        query: Any = self._schema.query_type
        document = self._document
        collected = collect_fields(self._schema, document.fragments, self._variables, query, document.operation)
        return self._object(query, collected.grouped_field_set)(None)

    def _of_type(self, type_: Type, details: Details) -> Render:
        inner = nullable_type(type_)
        if is_list(inner):
            return _list(self._of_type(inner.of_type, details))
        if not isinstance(inner, GraphQLObjectType):
            return self._leaf(named_type(inner))
        return self._object(inner, self._collected(inner, details))

    def _object(self, type_: GraphQLObjectType, collected: dict[str, Details]) -> Render:
        """The same fragment at several places is read once."""
        place = (type_.name, *((key, *(id(one.node) for one in details)) for key, details in collected.items()))
        known = self._objects.get(place)
        if known is None:
            members = [(orjson.dumps(key) + b":", self._member(type_, details)) for key, details in collected.items()]
            written = _object(members, self._pace)
            known = self._objects[place] = _once(written) if type_ is _TYPE else written
        return known

    def _member(self, parent: GraphQLObjectType, details: Details) -> Render:
        node = details[0].node
        name = node.name.value
        if name == "__typename":
            return _always(orjson.dumps(parent.name))
        field: Any = self._schema.get_field(parent, name)
        arguments = get_argument_values(field, node, self._variables)
        return _resolved(field.resolve, self._info, arguments, self._of_type(field.type, details))

    def _leaf(self, type_: Type) -> Render:
        return self._leaves.setdefault(type_.name, _leaf(type_))

    def _collected(self, type_: GraphQLObjectType, details: Details) -> dict[str, Details]:
        document = self._document
        return collect_subfields(
            self._schema, document.fragments, self._variables, document.operation, type_, details
        ).grouped_field_set


def _object(members: list[tuple[bytes, Render]], pace: Pace) -> Render:
    def render(source: Any) -> bytes:
        pace()
        return _joined(b"{", [key + member(source) for key, member in members], b"}")

    return render


def _once(render: Render) -> Render:
    """A type is met in many places. Types live as long as the schema, so that their identity is theirs alone.

    Of all objects, only a type may be null.
    """
    known: dict[int, bytes] = {id(None): _NULL}

    def render_once(source: Any) -> bytes:
        found = known.get(id(source))
        if found is None:
            found = known[id(source)] = render(source)
        return found

    return render_once


def _list(one: Render) -> Render:
    def render(values: Iterable[Any] | None) -> bytes:
        return _NULL if values is None else _joined(b"[", [one(value) for value in values], b"]")

    return render


def _leaf(type_: Type) -> Render:
    """Names and descriptions repeat."""
    known: dict[Any, bytes] = {None: _NULL}

    def render(value: Any) -> bytes:
        found = known.get(value)
        if found is None:
            found = known[value] = orjson.dumps(type_.serialize(value))
        return found

    return render


def _resolved(resolve: Callable[..., Any], info: Any, arguments: dict[str, Any], render: Render) -> Render:
    if not arguments:
        return lambda source: render(resolve(source, info))
    return lambda source: render(resolve(source, info, **arguments))


def _always(text: bytes) -> Render:
    return lambda _source: text


def _joined(opening: bytes, parts: list[bytes], closing: bytes) -> bytes:
    size = sum(map(len, parts))
    if size > MOST_BYTES:
        raise LimitExceeded("answer", MOST_BYTES, None, "Ask for fewer levels of types inside types.")
    return opening + b",".join(parts) + closing
