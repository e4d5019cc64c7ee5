"""Documents for the oracle: whatever the schema allows, drawn at random."""

import json
from collections.abc import Sequence
from random import Random
from typing import Any, cast

import graphql
from graphql import GraphQLSchema

from graph_schema.model.names import stored_name
from resolvers.engine.graphql_core import named_type
from service.graph.reads import cursors
from tests.resolvers.oracle import tie_of
from tests.resolvers.world import NAMES, World

MAX_DEPTH = 3
_TEXTS = (*NAMES, "A", "a", "source 1", "class 1", "2026-01-02T00:00:00.000Z", "0003", "Goal")
_TIMES = ("2026-01-02T00:00:00.000Z", "2026-01-03T00:00:00.000Z", "2026-02-11T00:00:00.000Z")


class Drawer:
    """Draws one document and its variables. Every argument and condition may be written out or come as a variable."""

    def __init__(self, random: Random, schema: GraphQLSchema, world: World) -> None:
        self._random = random
        self._schema = schema
        self._world = world
        self._count = 0
        self._fragments: list[str] = []
        self._declared: list[str] = []
        self.variables: dict[str, Any] = {}

    def document(self) -> str:
        query: Any = self._schema.query_type
        roots = [name for name, field in query.fields.items() if name != "viewer" and _is_read(field)]
        chosen = self._random.choices(roots, k=self._random.randint(1, 2))
        body = " ".join(self._field(query, name, MAX_DEPTH) for name in chosen)
        if self._chance():
            body += " __typename"
        declared = f"({', '.join(self._declared)})" if self._declared else ""
        return " ".join([f"query Drawn{declared} {{ {body} }}", *self._fragments])

    def _field(self, parent: Any, name: str, depth: int) -> str:
        field = parent.fields[name]
        named = named_type(field.type)
        arguments = self._arguments(field, named) if field.args else ""
        # Fields with arguments are always renamed: two of them would be in conflict otherwise.
        alias = f"{self._name('a')}: " if field.args or self._chance() else ""
        inner = f" {{ {self._selection(named, depth)} }}" if graphql.is_composite_type(named) else ""
        return f"{alias}{name}{arguments}{self._directive()}{inner}"

    def _selection(self, named: Any, depth: int) -> str:
        parts = [self._field(named, name, depth - _costs(named, name)) for name in self._names(named, depth)]
        if graphql.is_abstract_type(named):
            members = list(self._schema.get_possible_types(named))
            parts += [
                f"... on {member.name}{self._directive()} {{ {self._selection(member, depth)} }}"
                for member in self._some(members, 2)
            ]
            if graphql.is_union_type(named) and self._chance():
                parts.append("... on Node { id name }")
        if depth > 0 and graphql.is_object_type(named) and self._chance(5):
            parts.append(self._fragment(named, depth))
        if not parts or self._chance(4):
            parts.append(f"{self._name('t')}: __typename")
        return " ".join(parts)

    def _names(self, named: Any, depth: int) -> list[str]:
        if graphql.is_union_type(named):
            return []
        names = [
            name
            for name, field in named.fields.items()
            if _is_read(field) and (depth > 0 or not field.args) and name != "history"
        ]
        return self._some(names, 4)

    def _fragment(self, named: Any, depth: int) -> str:
        name = self._name("F")
        self._fragments.append(f"fragment {name} on {named.name} {{ {self._selection(named, depth - 1)} }}")
        return f"...{name}{self._directive()}"

    def _directive(self) -> str:
        if not self._chance(8):
            return ""
        word = self._random.choice(["include", "skip"])
        value = self._chance(4) == (word == "skip")
        return f" @{word}(if: {self._value('Boolean!', value, json.dumps(value))})"

    def _arguments(self, field: Any, named: Any) -> str:
        if "id" in field.args:
            return f"(id: {self._text('ID!', self._id())})"
        if "ids" in field.args:
            ids = [self._id() for _ in range(self._random.randint(0, 3))]
            return f"(ids: {self._value('[ID!]!', ids, json.dumps(ids))})"
        given = [*self._paging(field, named), *self._filtering(field)]
        return f"({', '.join(given)})" if given else ""

    def _paging(self, field: Any, named: Any) -> list[str]:
        order = self._order(named_type(field.args["orderBy"].type)) if self._chance() else None
        given = [f"orderBy: {order[1]}"] if order else []
        name, tag = order[0] if order else ("created_at", "created_at")
        size = self._random.choice([None, "first", "last"])
        if size:
            number = self._random.randint(0, 4)
            given.append(f"{size}: {self._value('Int', number, str(number))}")
        for argument in ("after", "before"):
            if self._chance(4):
                cursor = self._cursor(name, tag, linked=not _is_root(named, field, self._schema))
                given.append(f"{argument}: {self._text('String', cursor)}")
        return given

    def _order(self, input_type: Any) -> tuple[tuple[str, str], str]:
        name = self._random.choice(list(named_type(input_type.fields["field"].type).values))
        direction = self._random.choice([None, "asc", "desc"])
        tag = f"-{name}" if direction == "desc" else name
        text = f"{{ field: {name}{f' direction: {direction}' if direction else ''} }}"
        value = {"field": name, **({"direction": direction} if direction else {})}
        return (stored_name(name), stored_name(tag)), self._value(input_type.name, value, text)

    def _cursor(self, name: str, tag: str, *, linked: bool) -> str:
        records = [one for one in self._world.records.values() if name in one or name not in _NEVER_NULL]
        record = self._random.choice(records)
        link = self._random.choice(self._world.links).element_id if linked else None
        return cursors.encode(tag, record.get(name), tie_of(record, name), link)

    def _filtering(self, field: Any) -> list[str]:
        if not self._chance():
            return []
        named = named_type(field.args["filter"].type)
        value = self._filter(named, 2)
        return [f"filter: {self._value(named.name, value, _literal(value))}"]

    def filter(self, name: str) -> dict[str, Any]:
        """A filter of this type, as a value."""
        return self._filter(self._schema.type_map[name], 2)

    def _filter(self, named: Any, depth: int) -> dict[str, Any]:
        drawn: dict[str, Any] = {}
        for name in self._some(list(named.fields), 2):
            inner = named_type(named.fields[name].type)
            if name in ("and", "or"):
                drawn[name] = self._branches(inner, depth - 1) if depth else []
            elif name == "not" or "and" in inner.fields:
                drawn[name] = self._filter(inner, depth - 1) if depth else {}
            else:
                drawn[name] = {one: self._operand(inner, one) for one in self._some(list(inner.fields), 2)}
        return drawn

    def _branches(self, named: Any, depth: int) -> list[dict[str, Any]]:
        """Some of them of one shape, with other values: these become one test."""
        drawn = [self._filter(named, depth) for _ in range(self._random.randint(0, 2))]
        alike = [self._again(named, one) for one in drawn for _ in range(self._random.choice([0, 0, 1, 2]))]
        return self._random.sample(drawn + alike, len(drawn + alike))

    def _again(self, named: Any, drawn: Any) -> Any:
        """The same filter with other values."""
        found: dict[str, Any] = {}
        for name, one in drawn.items():
            inner = named_type(named.fields[name].type)
            if name in ("and", "or"):
                found[name] = [self._again(inner, part) for part in one]
            elif name == "not" or "and" in inner.fields:
                found[name] = self._again(inner, one)
            else:
                found[name] = {operator: self._operand(inner, operator) for operator in one}
        return found

    def _operand(self, tests: Any, operator: str) -> Any:
        named = named_type(tests.fields[operator].type)
        values = self._values(named)
        if operator == "in":
            return self._random.choices(values, k=self._random.randint(0, 3))
        return self._random.choice(values)

    def _values(self, named: Any) -> Sequence[Any]:
        if graphql.is_enum_type(named):
            return [Word(one) for one in named.values]
        known: dict[str, Sequence[Any]] = {
            "Boolean": (True, False),
            "Int": range(6),
            "Long": (0, 3, 1 << 40),
            "Float": (0.0, 0.5, 1.0),
            "ID": (*self._world.records, "nothing"),
            "Timestamp": _TIMES,
        }
        return known.get(named.name, _TEXTS)

    def _id(self) -> str:
        return self._random.choice([*self._world.records, "nothing"])

    def _text(self, type_: str, value: str) -> str:
        return self._value(type_, value, json.dumps(value, ensure_ascii=False))

    def _value(self, type_: str, value: Any, text: str) -> str:
        """The value as a literal, or as a variable."""
        if self._chance():
            return text
        name = self._name("v")
        self._declared.append(f"${name}: {type_}")
        self.variables[name] = value
        return f"${name}"

    def _some(self, values: Sequence[Any], most: int) -> list[Any]:
        return self._random.sample(values, min(len(values), self._random.randint(1, most))) if values else []

    def _chance(self, against: int = 2) -> bool:
        return self._random.randrange(against) == 0

    def _name(self, prefix: str) -> str:
        self._count += 1
        return f"{prefix}{self._count}"


class Word(str):
    """An enum value: a word without quotes in a document, a string in JSON."""

    __slots__ = ()


_NEVER_NULL = ("id", "name", "created_at", "updated_at")


def _literal(value: Any) -> str:
    if isinstance(value, dict):
        parts = cast("dict[str, Any]", value)
        return "{" + ", ".join(f"{name}: {_literal(part)}" for name, part in parts.items()) + "}"
    if isinstance(value, list):
        items = cast("list[Any]", value)
        return "[" + ", ".join(_literal(item) for item in items) + "]"
    return str(value) if isinstance(value, Word) else json.dumps(value, ensure_ascii=False)


def _is_read(field: Any) -> bool:
    """Whether the oracle answers it: not the fields with rules of their own."""
    named = named_type(field.type)
    known = ("Node", "PageInfo", "Truncation")
    return (
        graphql.is_leaf_type(named)
        or graphql.is_union_type(named)
        or named.name in known
        or named.name.endswith(("Connection", "Edge"))
        or any(one.name == "Node" for one in getattr(named, "interfaces", ()))
    ) and not named.name.startswith("RecordEvent")


def _is_root(_named: Any, field: Any, schema: GraphQLSchema) -> bool:
    query: Any = schema.query_type
    return any(field is one for one in query.fields.values())


def _costs(named: Any, name: str) -> int:
    return 1 if named.fields[name].args else 0
