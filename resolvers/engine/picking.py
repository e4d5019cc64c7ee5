"""Answers of written fields, picked as the document asks for them in one pass.

graphql-core completes every object and field by itself, which takes longer than to find the answer when there are
thousands. An answer that is plain data all the way down needs none of that.
"""

from collections.abc import Callable
from operator import attrgetter
from typing import Any, cast

from graphql import GraphQLObjectType
from graphql.execution.collect_fields import FieldDetails, FragmentDetails, collect_subfields
from graphql.execution.values import VariableValues

from resolvers.engine.graphql_core import ResolveInfo, named_type
from resolvers.engine.loading import RecordInfo, raw_of
from service.graph.reads import Shaped

Pick = Callable[[Any], Any]
Details = list[FieldDetails]


class _HasResolver(Exception):
    """Something below is answered by a resolver of its own."""


def picked(info: RecordInfo, answer: Any) -> Any:
    """The answer with what is asked of it; as it is, for graphql-core to complete, where a field has its own resolver.

    The attributes of the answer are named like the fields of its GraphQL type in Python.
    """
    raw = raw_of(info)
    details = [FieldDetails(node, None) for node in raw.field_nodes]
    try:
        pick = _Picks(raw).of(named_type(raw.return_type), details)  # pyright: ignore[reportUnknownMemberType]
    except _HasResolver:
        return answer
    return Shaped(pick(answer))


class _Picks:
    def __init__(self, raw: ResolveInfo) -> None:
        self._raw = raw
        self._fragments = {name: FragmentDetails(one) for name, one in raw.fragments.items()}
        self._variables = VariableValues({}, cast("dict[str, Any]", raw.variable_values))

    def of(self, type_: GraphQLObjectType, details: Details) -> Pick:
        collected = collect_subfields(
            self._raw.schema, self._fragments, self._variables, self._raw.operation, type_, details
        ).grouped_field_set
        members = [(key, self._member(type_, inner)) for key, inner in collected.items()]
        # An object that is met again is not picked again. It is kept, so that no other can take its identity.
        known: dict[int, tuple[Any, dict[str, Any]]] = {}

        def pick(source: Any) -> dict[str, Any]:
            found = known.get(id(source))
            if found is None:
                found = known[id(source)] = source, {key: member(source) for key, member in members}
            return found[1]

        return pick

    def _member(self, type_: GraphQLObjectType, details: Details) -> Pick:
        name = details[0].node.name.value
        if name == "__typename":
            return lambda _source: type_.name
        field = type_.fields[name]
        definition = field.extensions["strawberry-definition"]
        if definition.base_resolver is not None:
            raise _HasResolver
        value: Pick = attrgetter(definition.python_name)
        inner_type = named_type(field.type)
        if not isinstance(inner_type, GraphQLObjectType):
            return value
        inner = self.of(inner_type, details)
        return lambda source: _each(inner, value(source))


def _each(pick: Pick, value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [pick(one) for one in cast("list[Any]", value)]
    return None if value is None else pick(value)
