"""What operations cost, told before anything runs: the records that they may touch, and what they compute, in records.

Generated reads know their cost from their plan. Written fields state theirs where their capability is described
(`resolvers/<name>/capability.py`): a record that is read is 1, whatever else is told by how many of those it takes as
long as. What is asked of the records below a written field is multiplied by how many of them there may be.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from graphql import (
    FieldNode,
    FragmentSpreadNode,
    GraphQLField,
    GraphQLObjectType,
    GraphQLSchema,
    InlineFragmentNode,
    Undefined,
)
from graphql.execution.collect_fields import FieldDetails, FragmentDetails, collect_fields, collect_subfields
from graphql.execution.values import VariableValues

from resolvers.engine import roles
from resolvers.engine.arguments import given_arguments
from resolvers.engine.documents import Document
from resolvers.engine.graphql_core import Type, is_abstract, is_leaf, is_list, named_type, nullable_type
from resolvers.engine.limits import Limits
from resolvers.engine.selection import role_of

Arguments = Mapping[str, Any]
Cost = Callable[[Arguments], int]
Details = list[FieldDetails]

LISTED = 10
"""Items of a list whose length no argument tells."""

COMMAND = 20
"""A command on a few records."""


def flat(cost: int) -> Cost:
    return lambda _arguments: cost


def each(name: str, cost: int, least: int = 0) -> Cost:
    """So much for each item that an argument asks for or brings."""

    def counted(arguments: Arguments) -> int:
        given = arguments.get(name)
        size = given if isinstance(given, int) else len(given) if isinstance(given, list | tuple) else 1  # pyright: ignore[reportUnknownArgumentType]
        return least + cost * max(size, 1)

    return counted


@dataclass(frozen=True, slots=True)
class Costs:
    """What the written fields of a capability cost, by name. A command without a name here is one on a few records."""

    queries: Mapping[str, Cost] = field(default_factory=dict[str, Cost])
    mutations: Mapping[str, Cost] = field(default_factory=dict[str, Cost])
    subscriptions: Mapping[str, Cost] = field(default_factory=dict[str, Cost])
    record_fields: Mapping[str, Cost] = field(default_factory=dict[str, Cost])
    """Written fields of records: each is asked for every record of its list."""

    def at_root(self, operation: str, name: str) -> Cost:
        """What a written field at the root of an operation costs itself."""
        roots = {"Query": self.queries, "Mutation": self.mutations, "Subscription": self.subscriptions}
        return roots[operation].get(name, flat(COMMAND if operation == "Mutation" else 1))


def joined(some: Iterable[Costs]) -> Costs:
    all_of = [*some]
    return Costs(
        {name: cost for one in all_of for name, cost in one.queries.items()},
        {name: cost for one in all_of for name, cost in one.mutations.items()},
        {name: cost for one in all_of for name, cost in one.subscriptions.items()},
        {name: cost for one in all_of for name, cost in one.record_fields.items()},
    )


class WrittenCosts:
    """The cost of what is written in a document, with what is asked below it. Compiled roots are left to their plan."""

    def __init__(self, schema: GraphQLSchema, limits: Limits, costs: Costs) -> None:
        self._schema = schema
        self._limits = limits
        self._costs = costs

    def of(self, document: Document, root: GraphQLObjectType, variables: VariableValues) -> int:
        key = tuple(_sized(name, value) for name, value in variables.coerced.items())
        known = document.costs.get(key)
        if known is None:
            known = document.costs.put(key, self._walk(document, variables).operation(root))
        return known

    def _walk(self, document: Document, variables: VariableValues) -> "_Walk":
        return _Walk(self._schema, self._limits, self._costs, document, variables)


def _sized(name: str, value: Any) -> tuple[str, Any]:
    """What of a variable a cost can depend on: numbers, how long a list is, and what includes or skips."""
    if isinstance(value, list):
        return name, ("listed", len(cast("list[Any]", value)))
    return name, value if value is None or isinstance(value, int) else True


class _Walk:
    def __init__(
        self, schema: GraphQLSchema, limits: Limits, costs: Costs, document: Document, variables: VariableValues
    ) -> None:
        self._schema = schema
        self._limits = limits
        self._costs = costs
        self._operation = document.operation
        self._fragments: dict[str, FragmentDetails] = document.fragments
        self._variables = variables

    def operation(self, root: GraphQLObjectType) -> int:
        collected = collect_fields(self._schema, self._fragments, self._variables, root, self._operation)
        return sum(self._root(root, details) for details in collected.grouped_field_set.values())

    def _root(self, root: GraphQLObjectType, details: Details) -> int:
        node = details[0].node
        field = root.fields.get(node.name.value)
        if field is None:  # what GraphQL has itself: __typename, __schema
            return 0
        arguments = self._arguments(field, node)
        what = role_of(field)
        if what is None:
            own = self._costs.at_root(root.name, node.name.value)(arguments)
            return own + self._value(field.type, details, _items(arguments), counted=True)
        return self._many(what, arguments) * self._below(named_type(field.type), details, LISTED, counted=False)

    def _many(self, what: roles.Role, arguments: Arguments) -> int:
        """How many records a generated field gives."""
        match what:
            case roles.RecordsById():
                return len(arguments.get("ids") or ())
            case roles.AllRecords():
                return self._size(arguments, self._limits.default_page_size)
            case roles.RelationOf():
                return self._size(arguments, self._limits.nested_page_size)
            case _:
                return 1

    def _size(self, arguments: Arguments, default: int) -> int:
        given = next((arguments[one] for one in ("first", "last") if arguments.get(one) is not None), default)
        return max(0, min(given, self._limits.page_size))

    def _value(self, type_: Type, details: Details, items: int, *, counted: bool) -> int:
        """What a written field's value costs: as many as it lists, each with what is asked of it."""
        inner = nullable_type(type_)
        if is_leaf(named_type(inner)):
            return 0
        times, items = (items, LISTED) if is_list(inner) else (1, items)
        record = 1 if counted and self._is_record(named_type(inner)) else 0
        return times * (record + self._below(named_type(inner), details, items, counted=counted))

    def _is_record(self, type_: Type) -> bool:
        fields: dict[str, GraphQLField] = getattr(type_, "fields", {})
        return "id" in fields and role_of(fields["id"]) is not None

    def _below(self, type_: Type, details: Details, items: int, *, counted: bool) -> int:
        """What is asked of one value. Where its type is not known before, what the dearest would cost."""
        return max((self._fields(one, details, items, counted) for one in self._possible(type_, details)), default=0)

    def _possible(self, type_: Type, details: Details) -> list[GraphQLObjectType]:
        if not is_abstract(type_):
            return [type_]
        possible = list(self._schema.get_possible_types(type_))
        named = {*self._conditions(details)}
        return [*(one for one in possible if one.name in named), *possible[:1]]

    def _conditions(self, details: Details) -> Iterator[str]:
        """The types that fragments speak of, at this level."""
        waiting: list[Any] = [one.node.selection_set for one in details if one.node.selection_set]
        seen: set[str] = set()
        while waiting:
            for one in waiting.pop().selections:
                if isinstance(one, InlineFragmentNode):
                    waiting.append(one.selection_set)
                    yield from [one.type_condition.name.value] if one.type_condition else []
                elif isinstance(one, FragmentSpreadNode) and one.name.value not in seen:
                    seen.add(one.name.value)
                    definition = self._fragments[one.name.value].definition
                    waiting.append(definition.selection_set)
                    yield definition.type_condition.name.value

    def _fields(self, type_: GraphQLObjectType, details: Details, items: int, counted: bool) -> int:
        collected = collect_subfields(
            self._schema, self._fragments, self._variables, self._operation, type_, details
        ).grouped_field_set
        return sum(self._field(type_, one, items, counted) for one in collected.values())

    def _field(self, type_: GraphQLObjectType, details: Details, items: int, counted: bool) -> int:
        node = details[0].node
        field = type_.fields.get(node.name.value)
        if field is None or (is_leaf(named_type(field.type)) and node.name.value not in self._costs.record_fields):
            return 0
        arguments = self._arguments(field, node)
        match role_of(field):
            case None:
                own = (
                    self._costs.record_fields.get(node.name.value, flat(1))(arguments) if self._is_record(type_) else 0
                )
                return own + self._value(field.type, details, items, counted=True)
            case roles.RelationOf() as what:
                inner = self._below(named_type(field.type), details, items, counted=counted)
                return self._many(what, arguments) * (int(counted) + inner)
            case _:
                return self._below(named_type(field.type), details, items, counted=counted)

    def _arguments(self, field: GraphQLField, node: FieldNode) -> Arguments:
        given = given_arguments(node, field.args, self._variables.coerced)
        defaults = {name: one.default_value for name, one in field.args.items() if one.default_value is not Undefined}
        return {**defaults, **{name: one.value for name, one in given.items()}}


def _items(arguments: Arguments) -> int:
    """How many items the list of an answer may have, as far as an argument tells."""
    for name in ("first", "maxNodes"):
        if isinstance(arguments.get(name), int):
            return max(0, arguments[name])
    return len(arguments["events"]) if isinstance(arguments.get("events"), list) else LISTED
