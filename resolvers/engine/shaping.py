"""Read models as the document asks for them, without graphql-core's completion of every value.

What a read model holds was typed where it was made, so nothing has to be resolved or checked field by field: the
selection is read once for each place of a document, and then picks attributes. Where a field is asked for that has a
resolver of its own, such as a record, graphql-core completes the answer after all.
"""

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, cast

from graphql import FieldNode, GraphQLField, GraphQLObjectType, GraphQLSchema
from graphql.execution.collect_fields import FieldDetails, FragmentDetails, collect_subfields
from graphql.execution.values import VariableValues
from strawberry.schema.schema_converter import GraphQLCoreConverter

from graph_schema.model.names import stored_name
from resolvers.engine.documents import weight_of_nodes
from resolvers.engine.graphql_core import ResolveInfo, is_list, named_type, nullable_type
from resolvers.engine.limits import Limits
from resolvers.engine.recent import Recent
from resolvers.engine.variables import shape_of_variables
from service.graph.reads import Shaped

Pick = Callable[[Any], Any]
Details = list[FieldDetails]


class Shaping:
    def __init__(self, schema: GraphQLSchema, limits: Limits) -> None:
        self._schema = schema
        # The nodes are kept with the pick: their identity is its key.
        self._picks: Recent[object, tuple[Sequence[FieldNode], Pick | None]] = Recent(
            limits.cached_documents, limits.cached_bytes
        )

    def shaped(self, info: ResolveInfo, value: Any) -> Any:
        """A read model, or a list of them, in the shape that is asked for here."""
        if value is None:
            return None
        nodes: Sequence[FieldNode] = info.field_nodes
        variables = cast("dict[str, Any]", info.variable_values)
        definitions = info.operation.variable_definitions or ()
        shape = shape_of_variables(self._schema, definitions)(variables) if definitions else ()
        key = (*(id(node) for node in nodes), shape)
        known = self._picks.get(key)
        if known is None:
            pick = _Selected(self._schema, info, variables).pick()
            known = self._picks.put(key, (nodes, pick), weight_of_nodes(nodes))
        pick = known[1]
        return value if pick is None else Shaped(pick(value))

    def fields_asked(self, info: ResolveInfo) -> set[str]:
        """The stored names of the fields that are asked of what this field gives."""
        selected = _Selected(self._schema, info, cast("dict[str, Any]", info.variable_values))
        return {stored_name(details[0].node.name.value) for details in selected.inside().values()}


class _Selected:
    """The selection at one place of a document."""

    def __init__(self, schema: GraphQLSchema, info: ResolveInfo, variables: dict[str, Any]) -> None:
        self._schema = schema
        self._operation = info.operation
        self._fragments = {name: FragmentDetails(one) for name, one in info.fragments.items()}
        self._variables = VariableValues({}, variables)
        self._type: Any = info.return_type  # pyright: ignore[reportUnknownMemberType]
        self._details = [FieldDetails(node, None) for node in info.field_nodes]

    def inside(self) -> dict[str, Details]:
        return self._collected(named_type(self._type), self._details)

    def pick(self) -> Pick | None:
        """None where something is asked for that is more than an attribute."""
        try:
            return self._of_type(self._type, self._details)
        except _ResolvedField:
            return None

    def _of_type(self, type_: Any, details: Details) -> Pick:
        inner = nullable_type(type_)
        if is_list(inner):
            one = self._of_type(inner.of_type, details)
            return list if one is _itself else lambda values: [one(value) for value in values]
        if not isinstance(inner, GraphQLObjectType):
            return _itself
        return self._of_object(inner, details)

    def _of_object(self, type_: GraphQLObjectType, details: Details) -> Pick:
        names: dict[str, str] = {}
        nested: list[tuple[str, Pick]] = []
        for key, inner in self._collected(type_, details).items():
            name = inner[0].node.name.value
            if name == "__typename":
                names[key], pick = "__class__", _always(type_.name)
            elif _has_resolver(type_.fields[name]):
                raise _ResolvedField
            else:
                names[key], pick = stored_name(name), self._of_type(type_.fields[name].type, inner)
            if pick is not _itself:
                nested.append((key, pick))
        return _object(names, nested)

    def _collected(self, type_: GraphQLObjectType, details: Details) -> dict[str, Details]:
        return collect_subfields(
            self._schema, self._fragments, self._variables, self._operation, type_, details
        ).grouped_field_set


class _ResolvedField(Exception):
    """A field is asked for that has a resolver of its own."""


def _has_resolver(field: GraphQLField) -> bool:
    made: Any = field.extensions.get(GraphQLCoreConverter.DEFINITION_BACKREF)
    return made is not None and made.base_resolver is not None


def _itself(value: Any) -> Any:
    return value


def _always(value: Any) -> Pick:
    return lambda _: value


def _object(names: dict[str, str], nested: list[tuple[str, Pick]]) -> Pick:
    """Attributes by the keys of the answer, in the order in which they were asked for."""
    keys = tuple(names)
    values_of = attrgetter(*names.values()) if len(keys) > 1 else _alone(*names.values())

    def pick(value: Any) -> Any:
        found: dict[str, Any] = dict(zip(keys, values_of(value), strict=True))
        for key, inner in nested:
            part = found[key]
            if part is not None:
                found[key] = inner(part)
        return found

    return pick


def _alone(name: str) -> Pick:
    """`attrgetter` gives a tuple for several names, but not for one."""
    return lambda value: (getattr(value, name),)
