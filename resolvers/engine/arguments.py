"""Arguments as they stand in a document: what they hold now, and where the next request will have it.

A plan is made for the shape of the arguments and used again with other values, so every value is kept with the slot
that finds it among the variables.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from graphql import FieldNode, ListValueNode, ObjectValueNode, ValueNode, VariableNode

from resolvers.engine.graphql_core import Type, is_input_object, is_list, literal_value, named_type, nullable_type
from service.graph.reads.tree import Slot


class Alike(NamedTuple):
    """Parts of a list that have one shape: as many as must be read to know them all, and how that is done.

    `rows` takes what is taken of each that was read, and gives it for all parts in the list of a later request.
    """

    given: "list[Given]"
    rows: Callable[[Sequence[Sequence[Slot]]], Slot]


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

    def alike(self, shape: Any, places: Sequence[int], shape_of: Callable[[Any], Any]) -> Alike:
        """The parts of this list that stand at these places and have this shape.

        Those of a document stay where they are. The list of a variable may be longer the next time, and in another
        order: there the first stands for all, and a request's own parts are found by their shape.
        """
        if self.parts is not None:
            parts = list(self.parts.values())
            return Alike([parts[place] for place in places], _written_rows)
        found = _found(self.slot, shape, shape_of)
        value = self.value[places[0]]
        if len(places) == 1:
            return Alike([Given(value, lambda values: found(values)[0])], _written_rows)
        return Alike([Given(value, lambda one: one)], partial(_rows, found))


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


def _found(slot: Slot, shape: Any, shape_of: Callable[[Any], Any]) -> Slot:
    return lambda values: [one for one in slot(values) if shape_of(one) == shape]


def _rows(found: Slot, taken: Sequence[Sequence[Slot]]) -> Slot:
    return lambda values: [[one(part) for one in taken[0]] for part in found(values)]


def _written_rows(taken: Sequence[Sequence[Slot]]) -> Slot:
    return lambda values: [[one(values) for one in row] for row in taken]


def _part(slot: Slot, key: Any) -> Slot:
    return lambda values: slot(values)[key]


def _no_slot(_values: object) -> Any:
    raise AssertionError("an input object is never a parameter; its parts are")


def _is_null(node: ValueNode) -> bool:
    return node.kind == "null_value"
