"""What a tool takes: read from the variables of its document, told as JSON Schema, and turned into variables."""

import re
from collections.abc import Mapping
from enum import Enum, auto
from typing import Any, cast

from graphql import (
    ArgumentNode,
    GraphQLEnumType,
    GraphQLInputObjectType,
    GraphQLList,
    GraphQLNonNull,
    GraphQLSchema,
    Node,
    ObjectFieldNode,
    OperationDefinitionNode,
    VariableDefinitionNode,
    VariableNode,
    Visitor,
    value_from_ast_untyped,
    visit,
)
from graphql import type_from_ast as _typed  # pyright: ignore[reportUnknownVariableType] - generic lists

from graph_schema.model.names import api_name
from service.mcp.errors import NotAReference

REFERENCE = "RecordRefInput"
PARTS = ("id", "source", "key")
_ID = re.compile(r"[a-z]{2,5}_[0-9A-Za-z]+")
_SCALARS: Mapping[str, dict[str, Any]] = {
    "Int": {"type": "integer"},
    "Long": {"type": "integer"},
    "Float": {"type": "number"},
    "Boolean": {"type": "boolean"},
    "JSON": {"type": "object"},
}


class Argument(Enum):
    """What an argument is that no single variable of the document tells."""

    reference_parts = auto()
    """A record, for a field that takes id, source and key apart."""
    text = auto()
    anything = auto()


_WITHIN: Mapping[Argument, dict[str, Any]] = {
    Argument.reference_parts: {"type": "string"},
    Argument.text: {"type": "string"},
    Argument.anything: {"type": "object"},
}


def reference(argument: str, given: object) -> dict[str, str]:
    """A record by its id, or by what an outside system calls it: `run_01J…` or `erp:4711`."""
    text = str(given).strip()
    if _ID.fullmatch(text):
        return {"id": text}
    source, colon, key = text.partition(":")
    if not colon or not source or not key:
        raise NotAReference(argument, text)
    return {"source": source, "key": key}


def input_schema(
    schema: GraphQLSchema, operation: OperationDefinitionNode, told: Mapping[str, str], within: Mapping[str, Argument]
) -> dict[str, Any]:
    variables = {one.variable.name.value: one for one in operation.variable_definitions or ()}
    properties: dict[str, Any] = {}
    required: list[str] = []
    for name, words in told.items():
        variable = variables.get(name)
        if name in within or variable is None:
            properties[name] = dict(_WITHIN[within[name]])
            needed = within[name] is not Argument.anything
        else:
            properties[name] = _property(schema, variable)
            needed = isinstance(_type(schema, variable), GraphQLNonNull) and variable.default_value is None
        if words:
            properties[name]["description"] = words
        if needed:
            required.append(name)
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def variables_of(
    schema: GraphQLSchema, operation: OperationDefinitionNode, given: Mapping[str, Any], within: Mapping[str, Argument]
) -> dict[str, Any]:
    types = {one.variable.name.value: _type(schema, one) for one in operation.variable_definitions or ()}
    variables: dict[str, Any] = {}
    for name, value in given.items():
        if value is None:
            continue
        if within.get(name) is Argument.reference_parts:
            variables |= {f"{name}_{part}": one for part, one in reference(name, value).items()}
        else:
            variables[name] = _value(name, types[name], value)
    return variables


def called(operation: OperationDefinitionNode, arguments: Mapping[str, Any]) -> dict[str, str]:
    """The arguments of a tool, by what its document hands each of them to."""
    found: dict[str, str] = {}

    class Handed(Visitor):
        def enter(self, node: Node, *_: Any) -> None:
            if isinstance(node, ArgumentNode | ObjectFieldNode) and isinstance(node.value, VariableNode):
                variable = node.value.name.value
                parent = variable.rpartition("_")[0]
                found.setdefault(node.name.value, variable if variable in arguments else parent or variable)

    visit(operation, Handed())
    return {name: one for name, one in found.items() if one in arguments}


def _type(schema: GraphQLSchema, variable: VariableDefinitionNode) -> Any:
    return cast("Any", _typed)(schema, variable.type)


def _property(schema: GraphQLSchema, variable: VariableDefinitionNode) -> dict[str, Any]:
    told = _json_type(_type(schema, variable))
    if variable.default_value is not None:
        told["default"] = value_from_ast_untyped(variable.default_value)
    return told


def _json_type(type_: Any) -> dict[str, Any]:
    within: Any = getattr(type_, "of_type", None)
    if isinstance(type_, GraphQLNonNull):
        return _json_type(within)
    if isinstance(type_, GraphQLList):
        return {"type": "array", "items": _json_type(within)}
    if isinstance(type_, GraphQLEnumType):
        return {"type": "string", "enum": [*type_.values]}
    if isinstance(type_, GraphQLInputObjectType):
        return {"type": "string"} if type_.name == REFERENCE else {"type": "object"}
    return dict(_SCALARS.get(type_.name, {"type": "string"}))


def _value(name: str, type_: Any, given: Any) -> Any:
    within: Any = getattr(type_, "of_type", None)
    if isinstance(type_, GraphQLNonNull):
        return _value(name, within, given)
    if isinstance(type_, GraphQLList):
        return [_value(name, within, one) for one in cast("list[Any]", given)] if isinstance(given, list) else given
    if isinstance(type_, GraphQLInputObjectType):
        return reference(name, given) if type_.name == REFERENCE and isinstance(given, str) else in_api_names(given)
    return given


def in_api_names(given: Any) -> Any:
    """Names of fields as the API has them, also of those who wrote them as the graph does."""
    if isinstance(given, dict):
        return {api_name(name): in_api_names(one) for name, one in cast("dict[str, Any]", given).items()}
    return [in_api_names(one) for one in cast("list[Any]", given)] if isinstance(given, list) else given
