"""What a tool answers: typed by its document's selection, without what is empty, and no longer than was asked for."""

from typing import Any, cast

import orjson
from graphql import (
    FieldNode,
    GraphQLEnumType,
    GraphQLList,
    GraphQLNonNull,
    GraphQLSchema,
    InlineFragmentNode,
    OperationDefinitionNode,
    SelectionSetNode,
)

from embeddings.tokens import CAUTIOUS

DEFAULT_TOKENS = 1_500
LEFT_OUT = "left_out"
"""Says, beside an answer that was cut, how much of each list is shown."""

Object = dict[str, Any]

_SCALARS = {"Int": "integer", "Long": "integer", "Float": "number", "Boolean": "boolean"}


def output_schema(schema: GraphQLSchema, operation: OperationDefinitionNode) -> dict[str, Any]:
    """JSON Schema of what the document asks for, as `compact` leaves it: nothing in it is required.

    Documents of tools have no named fragments.
    """
    root: Any = schema.get_root_type(operation.operation)
    told = _object(schema, root, operation.selection_set)
    return told if len(told["properties"]) > 1 else _as_object(next(iter(told["properties"].values())))


def _as_object(told: dict[str, Any]) -> dict[str, Any]:
    return told if told.get("type") == "object" else {"type": "object", "properties": {"result": told}}


def _object(schema: GraphQLSchema, type_: Any, selection: SelectionSetNode) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    for one in selection.selections:
        if isinstance(one, FieldNode):
            name = one.alias.value if one.alias else one.name.value
            properties[name] = _value(schema, type_.fields[one.name.value].type, one.selection_set)
        elif isinstance(one, InlineFragmentNode):
            inner: Any = schema.type_map[one.type_condition.name.value] if one.type_condition else type_
            properties |= _object(schema, inner, one.selection_set)["properties"]
    return {"type": "object", "properties": properties}


def _value(schema: GraphQLSchema, type_: Any, selection: SelectionSetNode | None) -> dict[str, Any]:
    within: Any = getattr(type_, "of_type", None)
    if isinstance(type_, GraphQLNonNull):
        return _value(schema, within, selection)
    if isinstance(type_, GraphQLList):
        return {"type": "array", "items": _value(schema, within, selection)}
    if selection is not None:
        return _object(schema, type_, selection)
    if isinstance(type_, GraphQLEnumType):
        return {"type": "string"}
    return {} if type_.name == "JSON" else {"type": _SCALARS.get(type_.name, "string")}


def shown(data: dict[str, Any], tokens: int, *, several: bool = False) -> dict[str, Any]:
    """The answer of a document as a tool gives it: one root stands for itself, and long lists are cut to fit.

    `several` says that the document has more of them than were asked for this time.
    """
    roots = [compact(one) for one in data.values()]
    answer: Any = dict(zip(data, roots, strict=True)) if several or len(roots) != 1 else roots[0]
    whole = cast("Object", answer if isinstance(answer, dict) else {"result": answer})
    return fitted({name: one for name, one in whole.items() if one is not None}, tokens)


def compact(value: Any) -> Any:
    """Without what is null or an empty list: a model pays for every word."""
    if isinstance(value, dict):
        kept = {name: compact(one) for name, one in cast("Object", value).items()}
        return {name: one for name, one in kept.items() if one is not None and one != []}
    return [compact(one) for one in cast("list[Any]", value)] if isinstance(value, list) else value


def tokens_of(answer: object) -> int:
    return CAUTIOUS.count(orjson.dumps(answer).decode())


def fitted(answer: dict[str, Any], tokens: int) -> dict[str, Any]:
    """The longest list gives way, from its end, until the answer fits; what was left out is told."""
    lengths: dict[str, int] = {}
    while tokens_of(told := _told(answer, lengths)) > tokens:
        if not (lists := _lists(answer)):
            return _clipped(told, tokens)
        path, items = max(lists, key=lambda one: len(orjson.dumps(one[1])))
        lengths.setdefault(path, len(items))
        del items[len(items) // 2 :]
    return told


def _lists(value: Any, path: str = "") -> list[tuple[str, list[Any]]]:
    """All lists that hold something, each with its path."""
    if isinstance(value, dict):
        inner = {f"{path}.{name}".lstrip("."): one for name, one in cast("Object", value).items()}
        return [found for place, one in inner.items() for found in _lists(one, place)]
    if isinstance(value, list) and value:
        items = cast("list[Any]", value)
        return [(path, items), *(found for n, one in enumerate(items) for found in _lists(one, f"{path}[{n}]"))]
    return []


def _told(answer: dict[str, Any], lengths: dict[str, int]) -> dict[str, Any]:
    if not lengths:
        return answer
    now = {path: len(items) for path, items in _lists(answer)}
    left_out = [f"{path}: {now.get(path, 0)} of {length} shown" for path, length in lengths.items()]
    return {**answer, LEFT_OUT: [*left_out, "Ask again with a larger answer_tokens for more."]}


def _clipped(answer: dict[str, Any], tokens: int) -> dict[str, Any]:
    """Without lists left, long texts give way."""
    most = max(200, 3 * tokens // max(1, len(answer)))
    return {name: _clip(one, most) for name, one in answer.items()}


def _clip(value: Any, most: int) -> Any:
    if isinstance(value, dict):
        inner = cast("Object", value)
        return {name: _clip(one, most // max(1, len(inner))) for name, one in inner.items()}
    long = isinstance(value, str) and len(value) > most
    return f"{value[:most]} … ({most} of {len(value)} characters)" if long else value
