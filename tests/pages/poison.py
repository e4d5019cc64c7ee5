"""Answers whose every text is hostile: what people and programs may have written anywhere."""

import json
from typing import Any, cast

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLInterfaceType,
    GraphQLNamedType,
    GraphQLObjectType,
    GraphQLSchema,
    InlineFragmentNode,
    OperationDefinitionNode,
    SelectionSetNode,
    get_named_type,
    is_leaf_type,
)

EVIL = """<script>alert(1)</script>"'><img src=x onerror=alert(1)>{{ 7*7 }}${7*7}</title></textarea>"""
_OURS = ("Url", "URL")
"""Fields that end so are addresses that the service made: they are not texts."""


class Poison:
    def __init__(self, schema: GraphQLSchema, document: DocumentNode) -> None:
        self._schema = schema
        self._fragments = {
            one.name.value: one for one in document.definitions if isinstance(one, FragmentDefinitionNode)
        }
        [self._asked] = [one for one in document.definitions if isinstance(one, OperationDefinitionNode)]

    def into(self, data: dict[str, Any]) -> dict[str, Any]:
        """The same answer; texts are hostile, and ids, times and words of the schema stay."""
        return self._object(data, self._asked.selection_set, [self._schema.query_type])

    def _object(self, data: dict[str, Any], selected: SelectionSetNode, types: list[Any]) -> dict[str, Any]:
        told = dict(data)
        for selection in selected.selections:
            if isinstance(selection, FieldNode):
                name = (selection.alias or selection.name).value
                if name in told:
                    told[name] = self._value(told[name], selection, types)
            elif isinstance(selection, (FragmentSpreadNode, InlineFragmentNode)):
                told = self._object(told, *self._within(selection, types))
        return told

    def _within(
        self, selection: FragmentSpreadNode | InlineFragmentNode, types: list[Any]
    ) -> tuple[SelectionSetNode, list[Any]]:
        inner = self._fragments[selection.name.value] if isinstance(selection, FragmentSpreadNode) else selection
        condition = inner.type_condition
        return inner.selection_set, [self._schema.type_map[condition.name.value]] if condition else types

    def _value(self, value: Any, field: FieldNode, types: list[Any]) -> Any:
        of = next((one for one in types if _has(one, field.name.value)), None)
        if of is None or value is None:
            return value
        kind = cast("GraphQLNamedType", get_named_type(of.fields[field.name.value].type))
        if is_leaf_type(kind):
            return (
                _hostile(value) if kind.name in ("String", "JSON") and not field.name.value.endswith(_OURS) else value
            )
        inner = field.selection_set
        assert inner
        if isinstance(value, list):
            several = cast("list[Any]", value)
            return [self._object(one, inner, [kind]) if one else one for one in several]
        return self._object(value, inner, [kind])


def _has(kind: Any, field: str) -> bool:
    return isinstance(kind, (GraphQLObjectType, GraphQLInterfaceType)) and field in kind.fields


def _hostile(value: Any) -> Any:
    """Each text is another one, so that what is told apart by its text still is."""
    if isinstance(value, list):
        return [_hostile(one) for one in cast("list[Any]", value)]
    if isinstance(value, dict):
        return {name: _hostile(one) for name, one in cast("dict[str, Any]", value).items()}
    return _text(value) if isinstance(value, str) and value else value


def _text(value: str) -> str:
    """What the service keeps as JSON stays JSON, with hostile texts in it."""
    try:
        return json.dumps(_hostile(json.loads(value))) if value[0] in "{[" else EVIL + value
    except ValueError:
        return EVIL + value
