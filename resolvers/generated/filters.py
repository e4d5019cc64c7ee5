"""Generated inputs: the filter and the order of each record type."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any

import strawberry

from graph_schema.model.fields import Field, Kind
from graph_schema.model.names import api_name
from graph_schema.model.registry import Registry
from graph_schema.model.relation import ANY
from resolvers.engine.scalars import scalar_type
from resolvers.generated.construction import Member, make_input, optional, set_members

_COMPARED = ("gt", "gte", "lt", "lte")
_OPERATORS: dict[Kind, tuple[str, ...]] = {
    Kind.string: ("eq", "in", "contains", "starts_with", *_COMPARED, "is_null"),
    Kind.timestamp: ("eq", "in", *_COMPARED, "is_null"),
    Kind.integer: ("eq", "in", *_COMPARED, "is_null"),
    Kind.long: ("eq", "in", *_COMPARED, "is_null"),
    Kind.number: ("eq", "in", *_COMPARED, "is_null"),
    Kind.enum: ("eq", "in", "is_null"),
    Kind.boolean: ("eq", "is_null"),
}
_DESCRIPTIONS = {
    "eq": "Equal to this.",
    "in": "Equal to one of these.",
    "contains": "Contains this text, in the same case.",
    "starts_with": "Begins with this text, in the same case.",
    "gt": "After this in the order of its values.",
    "gte": "Equal to this or after it.",
    "lt": "Before this in the order of its values.",
    "lte": "Equal to this or before it.",
    "is_null": "True: has no value. False: has one.",
}


@strawberry.enum(description="A direction of ordering.")
class OrderDirection(StrEnum):
    asc = "asc"
    desc = "desc"


def selectable(fields: Mapping[str, Field]) -> dict[str, Field]:
    """The fields that lists may be filtered by."""
    return {
        name: field
        for name, field in fields.items()
        if (field.filtered or name == "id") and not field.hidden and not field.many
    }


class Inputs:
    """The filter and order inputs of all record types, and of `Record` for what they share."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._operators: dict[str, type] = {}
        labels = (ANY, *registry.types)
        self._filters = {label: make_input(f"{_shown(label)}Filter", _about(label)) for label in labels}
        self._by_fields: dict[tuple[str, ...], type] = {}
        self._orders = {label: self._order(label) for label in labels}
        for label in labels:
            self._fill(label)

    def filter(self, targets: tuple[str, ...]) -> type:
        return self._filters[_common(targets)]

    def order(self, targets: tuple[str, ...]) -> type:
        return self._orders[_common(targets)]

    def _fields(self, label: str) -> dict[str, Field]:
        return selectable(self._registry.common_fields if label == ANY else self._registry.types[label].fields)

    def _fill(self, label: str) -> None:
        own = [
            Member(name, optional(self._operator(field)), field.description)
            for name, field in self._fields(label).items()
        ]
        relations = {} if label == ANY else self._registry.relation_fields(label)
        through = [
            Member(
                name,
                optional(self._filters[_common(one.targets)]),
                f"Some visible record there passes: {one.relation.description}",
            )
            for name, one in relations.items()
        ]
        set_members(self._filters[label], [*own, *through, *_logic(self._filters[label])])

    def _operator(self, field: Field) -> type:
        """The input with the operators that fit the field's kind; one for each scalar and enum."""
        scalar = scalar_type(field)
        name = f"{_scalar_name(field)}Filter"
        if name not in self._operators:
            made = make_input(name, f"Tests of a value of type {_scalar_name(field)}. Several must all hold.")
            types = {"in": list[scalar], "is_null": bool}
            operators = ("eq", "in") if field.name == "id" else _OPERATORS[field.kind]
            set_members(made, [Member(one, optional(types.get(one, scalar)), _DESCRIPTIONS[one]) for one in operators])
            self._operators[name] = made
        return self._operators[name]

    def _order(self, label: str) -> type:
        """Types whose lists can be ordered by the same fields share one input, which is named after the fields."""
        fields = self._ordered(label)
        if fields not in self._by_fields:
            shared = sum(self._ordered(one) == fields for one in (ANY, *self._registry.types)) > 1
            self._by_fields[fields] = order_input(_joined(fields) if shared else label, fields)
        return self._by_fields[fields]

    def _ordered(self, label: str) -> tuple[str, ...]:
        return tuple(name for name, field in self._fields(label).items() if field.ordered)


def order_input(name: str, fields: Iterable[str]) -> type:
    """The order of lists that can be ordered by these fields."""
    names: Any = StrEnum(f"{name}OrderField", {api_name(one): one for one in fields})
    enum: Any = strawberry.enum(names, description="What such lists can be ordered by.")
    made = make_input(f"{name}Order", "The order of a list. Ties are broken by id.")
    set_members(
        made,
        [
            Member("field", enum, "The field to order by. Records without a value come last."),
            Member("direction", OrderDirection, "Ascending or descending.", default=OrderDirection.asc),
        ],
    )
    return made


def _joined(fields: Iterable[str]) -> str:
    """`NameCreated` for lists that can be ordered by name and by when they were created."""
    return "".join(one.removesuffix("_at").capitalize() for one in fields)


def _logic(own: type) -> list[Member]:
    return [
        Member("and", optional(list[own]), "All of these hold."),
        Member("or", optional(list[own]), "At least one of these holds."),
        Member("not", optional(own), "This does not hold."),
    ]


def _common(targets: tuple[str, ...]) -> str:
    return targets[0] if len(targets) == 1 else ANY


def _about(label: str) -> str:
    return f"Which {label} records a list shows. Several tests must all hold."


def _shown(label: str) -> str:
    return "Node" if label == ANY else label


def _scalar_name(field: Field) -> str:
    if field.name == "id":
        return "ID"
    if field.enum is not None:
        return field.enum.__name__
    names: dict[Kind, Any] = {Kind.string: "String", Kind.integer: "Int", Kind.long: "Long", Kind.number: "Float"}
    return names.get(field.kind, field.kind.value.capitalize())
