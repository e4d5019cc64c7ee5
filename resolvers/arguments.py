"""Arguments as they stand in a document: what they hold now, and where the next request will have it.

A plan is made for the shape of the arguments and used again with other values, so every value is kept with the slot
that finds it among the variables.
"""

from dataclasses import dataclass
from typing import Any

from graphql import FieldNode, ListValueNode, ObjectValueNode, ValueNode, VariableNode

from resolvers.core import Type, is_input_object, is_list, literal_value, named_type, nullable_type
from service.graph.reads.tree import Slot


@dataclass(frozen=True, slots=True)
class Given:
    """An argument, or a part of one. `value` decides the plan; `slot` finds the value in a later request."""

    value: Any
    slot: Slot
    parts: "dict[str, Given] | None" = None

    def fields(self) -> "dict[str, Given]":
        """The parts of an input object that were given."""
        if self.parts is not None:
            return self.parts
        return {name: Given(inner, _part(self.slot, name)) for name, inner in self.value.items()}

    def items(self) -> "list[Given]":
        """The parts of a list of input objects."""
        if self.parts is not None:
            return list(self.parts.values())
        return [Given(inner, _part(self.slot, place)) for place, inner in enumerate(self.value)]


def given_arguments(field: FieldNode, types: dict[str, Any], variables: dict[str, Any]) -> dict[str, Given]:
    """The arguments of a field that were given. One that is null counts as not given."""
    found: dict[str, Given] = {}
    for argument in field.arguments or ():
        given = _given(argument.value, types[argument.name.value].type, variables)
        if given is not None and given.value is not None:
            found[argument.name.value] = given
    return found


def _given(node: ValueNode, type_: Type, variables: dict[str, Any]) -> Given | None:
    if isinstance(node, VariableNode):
        name = node.name.value
        return Given(variables[name], _variable(name)) if name in variables else None
    inner = nullable_type(type_)
    if isinstance(node, ListValueNode) and is_list(inner):
        return _list([_given(one, inner.of_type, variables) for one in node.values or ()])
    if is_list(inner) and not _is_null(node):
        return _list([_given(node, inner.of_type, variables)])
    if isinstance(node, ObjectValueNode) and is_input_object(inner):
        parts = {
            one.name.value: _given(one.value, inner.fields[one.name.value].type, variables) for one in node.fields or ()
        }
        known = {name: part for name, part in parts.items() if part is not None}
        return Given({name: part.value for name, part in known.items()}, _no_slot, known)
    value = None if _is_null(node) else literal_value(node, named_type(type_))
    return Given(value, lambda _values: value)


def _list(items: list[Given | None]) -> Given:
    """An element whose variable is absent is null, as GraphQL has it."""
    known = [one or Given(None, lambda _values: None) for one in items]
    slots = [one.slot for one in known]
    return Given(
        [one.value for one in known],
        lambda values: [slot(values) for slot in slots],
        {str(place): one for place, one in enumerate(known)},
    )


def _variable(name: str) -> Slot:
    return lambda values: values[name]


def _part(slot: Slot, key: Any) -> Slot:
    return lambda values: slot(values)[key]


def _no_slot(_values: object) -> Any:
    raise AssertionError("an input object is never a parameter; its parts are")


def _is_null(node: ValueNode) -> bool:
    return node.kind == "null_value"
