"""Filters, orders and pages as arguments state them."""

from collections.abc import Callable
from enum import Enum
from typing import Any, cast

from graph_schema.model.fields import Field, Kind
from graph_schema.model.names import stored_name
from graph_schema.model.registry import Registry
from graph_schema.model.relation import ANY
from graph_schema.model.times import Day, first_moment, last_moment
from resolvers.engine.arguments import Given
from resolvers.engine.repeated_tests import several
from resolvers.engine.variables import LOGIC, branches, shape_of_filter
from service.graph.reads import tree
from service.graph.reads.errors import DayNotExact, FilterInvalid, LimitExceeded, PagingInvalid
from service.graph.reads.filters import size_of
from service.graph.reads.tree import Filter, Operator, Order, Page, Slot, Values

MOST_RELATIONS = 3
"""A filter may follow so many relations, one after another: each multiplies what has to be looked at."""


class Criteria:
    """The filters of one operation."""

    def __init__(self, registry: Registry, max_depth: int, max_tests: int) -> None:
        self._registry = registry
        self._max_depth = max_depth
        self._max_tests = max_tests
        self._tests = 0

    def filter(self, given: Given, targets: tuple[str, ...]) -> Filter:
        """What a filter on records of these types says."""
        found = self._filter(given, targets, 1, 0)
        self._tests += size_of(found)
        self._check_tests(self._tests)
        return found

    def _filter(self, given: Given, targets: tuple[str, ...], depth: int, relations: int) -> Filter:
        """What it says below so many levels and relations."""
        if depth > self._max_depth:
            raise LimitExceeded("depth", self._max_depth, depth, "Nest the filter less deeply.")
        if relations > MOST_RELATIONS:
            raise LimitExceeded("filter relations", MOST_RELATIONS, relations, "Filter through fewer relations.")
        label = targets[0] if len(targets) == 1 else ANY
        fields = self._registry.common_fields if label == ANY else self._registry.types[label].fields
        parts: list[Filter] = []
        for shown, part in given.fields().items():
            name = stored_name(shown)
            if part.value is None:
                raise FilterInvalid(name)
            if name in LOGIC:
                parts.append(self._joined(part, targets, depth + 1, relations, every=name == "and"))
            elif name == "not":
                parts.append(tree.Not(self._filter(part, targets, depth + 1, relations)))
            elif name in fields:
                parts.extend(_tests(fields[name], part))
            else:
                relation = self._registry.relation_fields(label)[name]
                parts.append(tree.Through(relation, self._filter(part, relation.targets, depth + 1, relations + 1)))
        return parts[0] if len(parts) == 1 else tree.AllOf(tuple(parts))

    def _joined(self, given: Given, targets: tuple[str, ...], depth: int, relations: int, *, every: bool) -> Filter:
        """The filters of a list: those of one shape become one test with several rows of values."""
        groups = branches(given.value)
        self._check_tests(len(groups))
        parts: list[Filter] = []
        for shape, places in groups.items():
            items = given.alike(shape, places, shape_of_filter)
            tests = [self._filter(one, targets, depth, relations) for one in items.given]
            parts.append(tests[0] if len(places) == 1 else several(tests, items.rows, every=every))
        if len(parts) == 1:
            return parts[0]
        return tree.AllOf(tuple(parts)) if every else tree.AnyOf(tuple(parts))

    def _check_tests(self, count: int) -> None:
        if count > self._max_tests:
            remedy = "Test less at once. Tests that differ in their values alone count once."
            raise LimitExceeded("filter tests", self._max_tests, count, remedy)


def _tests(field: Field, given: Given) -> list[Filter]:
    tests: list[Filter] = []
    for operator, operand in given.fields().items():
        if operand.value is None:
            raise FilterInvalid(f"{field.name}.{operator}")
        if operator == "isNull":
            tests.append(tree.Missing(field.name, operand.value))
        else:
            tests.append(_test(field, cast("Operator", operator), operand.slot))
    return tests


def _test(field: Field, operator: Operator, slot: Slot) -> Filter:
    if field.kind is Kind.timestamp:
        return _time_test(field.name, operator, slot)
    return tree.Compare(field.name, operator, _stored(slot) if field.enum is not None else slot)


def _time_test(name: str, operator: Operator, slot: Slot) -> Filter:
    """A date is its whole day: `lte` takes it in, `gt` begins after it, and `eq` is any time of it."""
    match operator:
        case "gte" | "lt":
            return tree.Compare(name, operator, _moment(slot, first_moment))
        case "gt" | "lte":
            return tree.Compare(name, operator, _moment(slot, last_moment))
        case "eq":
            return tree.AllOf((_time_test(name, "gte", slot), _time_test(name, "lte", slot)))
        case _:
            return tree.Compare(name, operator, _exact(slot, f"{name}.{operator}"))


def _moment(slot: Slot, end: Callable[[str], str]) -> Slot:
    return lambda values: end(slot(values))


def _exact(slot: Slot, field: str) -> Slot:
    def exact(values: Values) -> list[str]:
        times: list[str] = slot(values)
        if any(isinstance(one, Day) for one in times):
            raise DayNotExact(field)
        return times

    return exact


def _stored(slot: Slot) -> Slot:
    """The value of an enum as the graph stores it."""

    def stored(values: Values) -> Any:
        value: Enum | list[Enum] = slot(values)
        return [one.value for one in value] if isinstance(value, list) else value.value

    return stored


def order_of(given: Given | None) -> Order:
    if given is None:
        return Order()
    parts = given.fields()
    descending = "direction" in parts and parts["direction"].value.value == "desc"
    return Order(parts["field"].value.value, descending)


def page_of(given: dict[str, Given]) -> Page:
    first, last, before = given.get("first"), given.get("last"), given.get("before")
    if first is not None and last is not None:
        raise PagingInvalid("last", "first is given as well")
    size = first or last
    return Page(
        size=size.slot if size else None,
        after=given["after"].slot if "after" in given else None,
        before=before.slot if before else None,
        backward=last is not None or (first is None and before is not None),
    )
