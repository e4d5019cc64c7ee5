"""Read models as the document asks for them, without graphql-core's completion of every value.

What a read model holds was typed where it was made, so nothing has to be resolved or checked field by field: the
selection is read once for each place of a document, and then picks attributes. An object that is met again in an
answer is not picked again: a lineage has its first steps on the way to each of a thousand records. Where a field is
asked for that has a resolver of its own, such as a record, graphql-core completes the answer after all.
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
Picks = Callable[[], Pick]
"""Begins an answer: what its picks have met is kept as long as they are."""
Details = list[FieldDetails]


class Shaping:
    def __init__(self, schema: GraphQLSchema, limits: Limits) -> None:
        self._schema = schema
        # The nodes are kept with the picks: their identity is the key.
        self._picks: Recent[object, tuple[Sequence[FieldNode], Picks | None]] = Recent(
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
            picks = _Selected(self._schema, info, variables).picks()
            known = self._picks.put(key, (nodes, picks), weight_of_nodes(nodes))
        picks = known[1]
        return value if picks is None else Shaped(picks()(value))

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

    def picks(self) -> Picks | None:
        """None where something is asked for that is more than an attribute."""
        try:
            return self._of_type(self._type, self._details)
        except _ResolvedField:
            return None

    def _of_type(self, type_: Any, details: Details) -> Picks:
        inner = nullable_type(type_)
        if is_list(inner):
            one = self._of_type(inner.of_type, details)
            return _always(list) if one is _itself else _each(one)
        if not isinstance(inner, GraphQLObjectType):
            return _itself
        return self._of_object(inner, details)

    def _of_object(self, type_: GraphQLObjectType, details: Details) -> Picks:
        names: dict[str, str] = {}
        nested: list[tuple[str, Picks]] = []
        for key, inner in self._collected(type_, details).items():
            name = inner[0].node.name.value
            if name == "__typename":
                names[key], picks = "__class__", _always(_always(type_.name))
            else:
                names[key], picks = _attribute(type_.fields[name]), self._of_type(type_.fields[name].type, inner)
            if picks is not _itself:
                nested.append((key, picks))
        return _object(names, nested)

    def _collected(self, type_: GraphQLObjectType, details: Details) -> dict[str, Details]:
        return collect_subfields(
            self._schema, self._fragments, self._variables, self._operation, type_, details
        ).grouped_field_set


class _ResolvedField(Exception):
    """A field is asked for that has a resolver of its own."""


def _attribute(field: GraphQLField) -> str:
    """What the model calls it. The types that all lists share have the names of the API, in written lists as well."""
    made: Any = field.extensions[GraphQLCoreConverter.DEFINITION_BACKREF]
    if made.base_resolver is not None:
        raise _ResolvedField
    return stored_name(made.python_name)


def _always(value: Any) -> Callable[..., Any]:
    return lambda *_: value


def _itself() -> Pick:
    """Values are taken as they are."""
    return lambda value: value


def _each(picks: Picks) -> Picks:
    def begin() -> Pick:
        one = picks()
        return lambda values: [one(value) for value in values]

    return begin


def _object(names: dict[str, str], nested: list[tuple[str, Picks]]) -> Picks:
    """Attributes by the keys of the answer, in the order in which they were asked for."""
    keys = tuple(names)
    values_of = attrgetter(*names.values()) if len(keys) > 1 else _alone(*names.values())

    def begin() -> Pick:
        inside = [(key, picks()) for key, picks in nested]
        # What was met is kept, so that nothing else can take its identity.
        known: dict[int, tuple[Any, dict[str, Any]]] = {}

        def pick(value: Any) -> dict[str, Any]:
            met = known.get(id(value))
            if met is not None:
                return met[1]
            found: dict[str, Any] = dict(zip(keys, values_of(value)))  # noqa: B905 - as many, and to ask takes as long
            for key, one in inside:
                part = found[key]
                if part is not None:
                    found[key] = one(part)
            known[id(value)] = value, found
            return found

        return pick

    return begin


def _alone(name: str) -> Pick:
    """`attrgetter` gives a tuple for several names, but not for one."""
    return lambda value: (getattr(value, name),)
