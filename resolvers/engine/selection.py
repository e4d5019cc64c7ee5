"""From a GraphQL selection to the neutral tree that the compiler knows."""

from collections.abc import Callable, Iterable
from typing import Any

from graphql import (
    GraphQLField,
    GraphQLObjectType,
    GraphQLSchema,
    OperationDefinitionNode,
)
from graphql.execution.collect_fields import (
    FieldDetails,
    FragmentDetails,
    collect_fields,
    collect_subfields,
)
from graphql.execution.values import VariableValues

from graph_schema.model.registry import Registry
from resolvers.engine import roles
from resolvers.engine.arguments import Given, given_arguments
from resolvers.engine.criteria import Criteria, order_of, page_of
from resolvers.engine.graphql_core import Type, is_abstract, named_type
from resolvers.engine.limits import Limits
from resolvers.engine.roles import Role
from service.commands.errors import RefInvalid
from service.graph.reads import tree
from service.graph.reads.tree import Connection, RecordShape

_TYPENAME = "__typename"
Details = list[FieldDetails]


def role_of(field: GraphQLField) -> Role | None:
    """What a generated field stands for; nothing for a field with rules of its own."""
    definition = field.extensions.get("strawberry-definition")
    return definition.metadata.get(roles.KEY) if definition is not None else None


class Selection:
    """One operation, read with the variables of one request."""

    def __init__(
        self,
        schema: GraphQLSchema,
        registry: Registry,
        operation: OperationDefinitionNode,
        fragments: dict[str, FragmentDetails],
        variables: VariableValues,
        *,
        limits: Limits,
    ) -> None:
        self._schema = schema
        self._operation = operation
        self._fragments = fragments
        self._variables = variables
        self._criteria = Criteria(registry, limits.depth, limits.filter_tests)

    def roots(self, query: GraphQLObjectType) -> tuple[list[tree.Root], bool]:
        """The compiled roots, and whether they are all that the operation asks for."""
        found: list[tree.Root] = []
        complete = True
        collected = collect_fields(self._schema, self._fragments, self._variables, query, self._operation)
        for key, details in collected.grouped_field_set.items():
            root = self._root(query, key, details)
            if root is None:
                complete = False
            else:
                found.append(root)
        return found, complete

    def record(self, type_: Type, details: Details) -> RecordShape:
        """What is asked of a record of this type, object, interface or union."""
        possible = self._schema.get_possible_types(type_) if is_abstract(type_) else [type_]
        alone = len(possible) == 1
        cases: dict[tuple[tree.RecordPick, ...], list[str]] = {}
        for one in possible:
            picks = self._record_picks(one, details, one.name if alone else None)
            cases.setdefault(picks, []).append(one.name)
        return RecordShape(tuple(tree.Case(tuple(labels), picks) for picks, labels in cases.items()))

    def _root(self, query: GraphQLObjectType, key: str, details: Details) -> tree.Root | None:
        name = details[0].node.name.value
        if name == _TYPENAME:
            return tree.Typename(key, query.name)
        field = query.fields.get(name)
        match role_of(field) if field else None:
            case roles.RecordById():
                return tree.NodeRoot(
                    key, _name_of(self._arguments(query, details)), self.record(_type(query, details), details)
                )
            case roles.RecordsById():
                arguments = self._arguments(query, details)
                return tree.NodesRoot(key, arguments["ids"].slot, self.record(_type(query, details), details))
            case roles.AllRecords(label):
                return tree.ListRoot(key, self._connection(query, details, (label,)))
            case _:
                return None

    def _record_picks(self, type_: GraphQLObjectType, details: Details, name: str | None) -> tuple[Any, ...]:
        def pick(key: str, inner: Details, what: Role | None) -> tree.RecordPick:
            match what:
                case roles.PropertyOf(property_name, counts):
                    return tree.Property(key, property_name, counts)
                case roles.RelationOf(relation, source):
                    found = self._connection(type_, inner, relation.targets, relation=relation, source=source)
                    return tree.Related(key, found)
                case _:
                    return tree.Elsewhere()

        return tuple(self._picks(type_, details, name, pick))

    def _connection(
        self, parent: GraphQLObjectType, details: Details, targets: tuple[str, ...], **of_relation: Any
    ) -> Connection:
        arguments = self._arguments(parent, details)
        return Connection(
            targets=targets,
            picks=tuple(self._connection_picks(_type(parent, details), details)),
            filter=self._criteria.filter(arguments["filter"], targets) if "filter" in arguments else None,
            order=order_of(arguments.get("orderBy")),
            page=page_of(arguments),
            **of_relation,
        )

    def _connection_picks(self, type_: GraphQLObjectType, details: Details) -> Iterable[tree.ConnectionPick]:
        def pick(key: str, inner: Details, what: Role | None) -> tree.ConnectionPick:
            match what:
                case roles.EdgesOf():
                    return tree.Edges(key, tuple(self._edge_picks(_type(type_, inner), inner)))
                case roles.NodesOf():
                    return tree.Nodes(key, self.record(_type(type_, inner), inner))
                case roles.PageInfoOf():
                    return tree.PageInfo(key, tuple(self._page_picks(_type(type_, inner), inner)))
                case _:
                    return tree.TotalCount(key)

        return self._picks(type_, details, type_.name, pick)

    def _edge_picks(self, type_: GraphQLObjectType, details: Details) -> Iterable[tree.EdgePick]:
        def pick(key: str, inner: Details, what: Role | None) -> tree.EdgePick:
            match what:
                case roles.NodeOf():
                    return tree.EdgeNode(key, self.record(_type(type_, inner), inner))
                case roles.LinkPropertyOf(name):
                    return tree.LinkProperty(key, name)
                case _:
                    return tree.Cursor(key)

        return self._picks(type_, details, type_.name, pick)

    def _page_picks(self, type_: GraphQLObjectType, details: Details) -> Iterable[tree.PagePick]:
        def pick(key: str, inner: Details, what: Role | None) -> tree.PagePick:
            match what:
                case roles.TruncationOf():
                    return tree.Truncated(key, tuple(self._truncation_picks(_type(type_, inner), inner)))
                case roles.PageFactOf(part):
                    return tree.PageFact(key, part)
                case _:
                    return tree.PageFact(key, "hasNextPage")

        return self._picks(type_, details, type_.name, pick)

    def _truncation_picks(
        self, type_: GraphQLObjectType, details: Details
    ) -> Iterable[tree.TruncationFact | tree.Typename]:
        def pick(key: str, _inner: Details, what: Role | None) -> tree.TruncationFact:
            part = what.part if isinstance(what, roles.TruncationFactOf) else "walked"
            return tree.TruncationFact(key, part)

        return self._picks(type_, details, type_.name, pick)

    def _picks(
        self,
        type_: GraphQLObjectType,
        details: Details,
        name: str | None,
        pick: Callable[[str, Details, Role | None], Any],
    ) -> Iterable[Any]:
        """The fields asked of a type, fragments and directives resolved, as GraphQL itself collects them."""
        collected = collect_subfields(
            self._schema, self._fragments, self._variables, self._operation, type_, details
        ).grouped_field_set
        for key, inner in collected.items():
            field = inner[0].node.name.value
            if field == _TYPENAME:
                yield tree.Typename(key, name)
            else:
                yield pick(key, inner, role_of(type_.fields[field]))

    def _arguments(self, parent: GraphQLObjectType, details: Details) -> dict[str, Given]:
        node = details[0].node
        return given_arguments(node, parent.fields[node.name.value].args, self._variables.coerced)


def _name_of(given: dict[str, Given]) -> tree.Name:
    """How `node` names its record: in exactly one way."""
    if given.keys() == {"id"}:
        return tree.ById(given["id"].slot)
    if given.keys() == {"source", "key"}:
        return tree.ByKey(given["source"].slot, given["key"].slot)
    raise RefInvalid("node")


def _type(parent: GraphQLObjectType, details: Details) -> Type:
    return named_type(parent.fields[details[0].node.name.value].type)
