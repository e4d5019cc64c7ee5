"""Variables: what of them decides a plan, apart from the values that become parameters."""

from collections.abc import Callable, Sequence
from typing import Any, cast

from graphql import GraphQLBoolean, GraphQLSchema, VariableDefinitionNode

from resolvers.engine.graphql_core import (
    Type,
    is_enum,
    is_input_object,
    is_list,
    named_type,
    nullable_type,
    type_from_ast,
)

_TUPLE, _REFERENCE = 56, 8
LOGIC = ("and", "or")
ShapeOf = Callable[[dict[str, Any]], tuple[Any, ...]]
SetAside = Callable[[GraphQLSchema, Sequence[VariableDefinitionNode], dict[str, Any]], dict[str, Any]]
"""Variables with something that GraphQL can read in place of what it cannot. Who takes them refuses that for itself."""


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
        named = named_type(inner)
        if not is_input_object(named):
            return True
        return _shapes(value) if _is_filter(named) else tuple(_shape(inner.of_type, one) for one in value)
    if is_input_object(inner):
        if _is_filter(inner):
            return shape_of_filter(value)
        return tuple((name, _shape(inner.fields[name].type, one)) for name, one in value.items())
    # Booleans include and skip, enums order: both decide what is asked.
    return value if inner is GraphQLBoolean or is_enum(inner) else True


def shape_of_filter(given: dict[str, Any]) -> Any:
    """What of a filter decides its statement: what is tested, and not with which values, nor how many times."""
    return tuple((name, _tested(name, one)) for name, one in given.items())


def branches(given: list[Any]) -> dict[Any, list[int]]:
    """The places of the filters in a list, by their shapes."""
    found: dict[Any, list[int]] = {}
    for place, one in enumerate(given):
        found.setdefault(None if one is None else shape_of_filter(one), []).append(place)
    return found


def _tested(name: str, value: Any) -> Any:
    if name in LOGIC and isinstance(value, list):
        return _shapes(cast("list[Any]", value))
    if isinstance(value, dict):
        return shape_of_filter(cast("dict[str, Any]", value))
    return value if name == "isNull" or value is None else True


def _shapes(given: list[Any]) -> Any:
    return tuple((shape, len(places) > 1) for shape, places in branches(given).items())


def weight_of_shape(shape: Any) -> int:
    """About how many bytes a shape takes."""
    if isinstance(shape, tuple):
        return _TUPLE + sum(weight_of_shape(one) for one in cast("tuple[Any, ...]", shape))
    return _REFERENCE


def _is_filter(type_: Any) -> bool:
    return all(name in type_.fields for name in LOGIC)
