"""Documents about a schema: whatever the meta types allow, drawn at random."""

from random import Random
from typing import Any

import graphql
from graphql import GraphQLSchema, introspection_types

from resolvers.engine.graphql_core import named_type

LISTS = 2
"""Lists of types inside one another; graphql-core refuses a third."""
DEPTH = 3
_LISTS = {"fields", "interfaces", "possibleTypes", "inputFields"}


class Drawer:
    """Draws one document and its variables. Every argument and condition may be written out or come as a variable."""

    def __init__(self, random: Random, schema: GraphQLSchema) -> None:
        self._random = random
        self._names = [*schema.type_map, "Nobody"]
        self._count = 0
        self._fragments: list[str] = []
        self._declared: list[str] = []
        self.variables: dict[str, Any] = {}

    def document(self) -> str:
        roots = " ".join(self._root() for _ in range(self._random.randint(1, 3)))
        if self._chance():
            name = self._name("R")
            self._fragments.append(f"fragment {name} on Query {{ {roots} }}")
            roots = f"...{name}{self._directive()} __typename"
        declared = f"({', '.join(self._declared)})" if self._declared else ""
        return " ".join([f"query Drawn{declared} {{ {roots} }}", *self._fragments])

    def _root(self) -> str:
        alias = f"{self._name('r')}: "
        if self._chance():
            return f"{alias}__schema{self._directive()} {{ {self._selection('__Schema', DEPTH, LISTS)} }}"
        name = self._value("String!", self._random.choice(self._names))
        return f"{alias}__type(name: {name}){self._directive()} {{ {self._selection('__Type', DEPTH, LISTS)} }}"

    def _selection(self, type_name: str, depth: int, lists: int) -> str:
        type_: Any = introspection_types[type_name]
        names = [name for name in type_.fields if self._may(type_.fields[name], name, depth, lists)]
        chosen = self._random.choices(names, k=self._random.randint(1, 3))
        parts = [self._field(type_.fields[name], name, depth, lists) for name in chosen]
        if self._chance(4):
            parts.append("__typename")
        if self._chance(4):
            parts.append(f"...{self._directive()} {{ {self._selection(type_name, depth - 1, lists)} }}")
        if self._chance(4):
            parts.append(self._fragment(type_name, depth, lists))
        return " ".join(parts)

    def _field(self, field: Any, name: str, depth: int, lists: int) -> str:
        """Always renamed: two of one name with other arguments would be in conflict."""
        named = named_type(field.type)
        inner = ""
        if graphql.is_object_type(named):
            inner = f" {{ {self._selection(named.name, depth - 1, lists - (name in _LISTS))} }}"
        arguments = ""
        if field.args and self._chance():
            arguments = f"(includeDeprecated: {self._value('Boolean!', self._chance())})"
        return f"{self._name('a')}: {name}{arguments}{self._directive()}{inner}"

    def _fragment(self, type_name: str, depth: int, lists: int) -> str:
        name = self._name("F")
        self._fragments.append(f"fragment {name} on {type_name} {{ {self._selection(type_name, depth - 1, lists)} }}")
        return f"...{name}{self._directive()} ...{name}"

    def _may(self, field: Any, name: str, depth: int, lists: int) -> bool:
        return graphql.is_leaf_type(named_type(field.type)) or (depth > 0 and (name not in _LISTS or lists > 0))

    def _directive(self) -> str:
        if not self._chance(4):
            return ""
        return f" @{self._random.choice(('include', 'skip'))}(if: {self._value('Boolean!', self._chance())})"

    def _value(self, type_: str, value: Any) -> str:
        if self._chance():
            return f'"{value}"' if isinstance(value, str) else str(value).lower()
        name = self._name("v")
        self._declared.append(f"${name}: {type_}")
        self.variables[name] = value
        return f"${name}"

    def _name(self, start: str) -> str:
        self._count += 1
        return f"{start}{self._count}"

    def _chance(self, one_in: int = 2) -> bool:
        return self._random.randrange(one_in) == one_in - 1
