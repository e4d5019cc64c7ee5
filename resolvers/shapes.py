"""The shape of variables: what of them decides a plan, apart from the values that become parameters."""

from collections.abc import Callable, Sequence
from typing import Any

from graphql import GraphQLBoolean, GraphQLSchema, VariableDefinitionNode

from resolvers.core import Type, is_enum, is_input_object, is_list, named_type, nullable_type, type_from_ast

ShapeOf = Callable[[dict[str, Any]], tuple[Any, ...]]


def shape_of_variables(schema: GraphQLSchema, definitions: Sequence[VariableDefinitionNode]) -> ShapeOf:
    """A function that gives the same key to variables for which the same plan is right."""
    types = [(one.variable.name.value, type_from_ast(schema, one.type)) for one in definitions]

    def shape(variables: dict[str, Any]) -> tuple[Any, ...]:
        return tuple(_shape(type_, variables[name]) if name in variables else ... for name, type_ in types)

    return shape


def _shape(type_: Type, value: Any) -> Any:
    if value is None:
        return None
    inner = nullable_type(type_)
    if is_list(inner):
        return tuple(_shape(inner.of_type, one) for one in value) if _structured(inner) else True
    if is_input_object(inner):
        return tuple((name, _shape(inner.fields[name].type, one)) for name, one in value.items())
    # Booleans include and skip, enums order: both decide what is asked.
    return value if inner is GraphQLBoolean or is_enum(inner) else True


def _structured(type_: Any) -> bool:
    return is_input_object(named_type(type_))
