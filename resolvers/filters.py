"""Generated inputs: the filter and the order of each record type."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

import strawberry

from graph_schema.fields import Field, Kind
from graph_schema.registry import Registry
from graph_schema.relation import ANY
from resolvers.making import Member, make_input, optional, set_members
from resolvers.scalars import scalar_type

_COMPARED = ("gt", "gte", "lt", "lte")
_OPERATORS: dict[Kind, tuple[str, ...]] = {
    Kind.string: ("eq", "in", "contains", "startsWith", *_COMPARED, "isNull"),
    Kind.timestamp: ("eq", "in", *_COMPARED, "isNull"),
    Kind.integer: ("eq", "in", *_COMPARED, "isNull"),
    Kind.long: ("eq", "in", *_COMPARED, "isNull"),
    Kind.number: ("eq", "in", *_COMPARED, "isNull"),
    Kind.enum: ("eq", "in", "isNull"),
    Kind.boolean: ("eq", "isNull"),
}
_DESCRIPTIONS = {
    "eq": "Equal to this.",
    "in": "Equal to one of these.",
    "contains": "Contains this text, in the same case.",
    "startsWith": "Begins with this text, in the same case.",
    "gt": "After this in the order of its values.",
    "gte": "Equal to this or after it.",
    "lt": "Before this in the order of its values.",
    "lte": "Equal to this or before it.",
    "isNull": "True: has no value. False: has one.",
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
        self._filters = {label: make_input(f"{label}Filter", _about(label)) for label in labels}
        self._plain = {label: make_input(f"{label}FieldFilter", _about_plain(label)) for label in labels}
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
                optional(self._plain[_common(one.targets)]),
                f"Some visible record there passes: {one.relation.description}",
            )
            for name, one in relations.items()
        ]
        set_members(self._plain[label], [*own, *_logic(self._plain[label])])
        set_members(self._filters[label], [*own, *through, *_logic(self._filters[label])])

    def _operator(self, field: Field) -> type:
        """The input with the operators that fit the field's kind; one for each scalar and enum."""
        scalar = scalar_type(field)
        name = f"{_scalar_name(field)}Filter"
        if name not in self._operators:
            made = make_input(name, f"Tests of a value of type {_scalar_name(field)}. Several must all hold.")
            types = {"in": list[scalar], "isNull": bool}
            operators = ("eq", "in") if field.name == "id" else _OPERATORS[field.kind]
            set_members(made, [Member(one, optional(types.get(one, scalar)), _DESCRIPTIONS[one]) for one in operators])
            self._operators[name] = made
        return self._operators[name]

    def _order(self, label: str) -> type:
        names: Any = StrEnum(
            f"{label}OrderField", {name: name for name, field in self._fields(label).items() if field.ordered}
        )
        enum: Any = strawberry.enum(names, description=f"What lists of {label} records can be ordered by.")
        made = make_input(f"{label}Order", f"The order of a list of {label} records. Ties are broken by id.")
        set_members(
            made,
            [
                Member("field", enum, "The field to order by. Records without a value come last."),
                Member("direction", OrderDirection, "Ascending or descending.", default=OrderDirection.asc),
            ],
        )
        return made


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


def _about_plain(label: str) -> str:
    return f"Which {label} records at the other end of a relation count. Several tests must all hold."


def _scalar_name(field: Field) -> str:
    if field.name == "id":
        return "ID"
    if field.enum is not None:
        return field.enum.__name__
    names: dict[Kind, Any] = {Kind.string: "String", Kind.integer: "Int", Kind.long: "Long", Kind.number: "Float"}
    return names.get(field.kind, field.kind.value.capitalize())
