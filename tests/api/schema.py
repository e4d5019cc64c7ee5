"""The committed schema, as tests read it. To build it takes seconds: names alone are read from its text."""

import re
from functools import cache
from pathlib import Path
from typing import Any

from graphql import (
    GraphQLEnumType,
    GraphQLInputObjectType,
    GraphQLList,
    GraphQLNonNull,
    GraphQLScalarType,
    GraphQLSchema,
    build_schema,
)

SCHEMA_FILE = Path(__file__).parents[2] / "resolvers" / "schema.graphql"

PLAIN: dict[str, object] = {
    "Int": 1,
    "Float": 0.5,
    "Boolean": True,
    "Long": 1,
    "Timestamp": "2026-01-31T09:30:00Z",
    "JSON": {},
}
NAMES = {"source": "nowhere", "key": "unknown"}


@cache
def committed_schema() -> GraphQLSchema:
    return build_schema(SCHEMA_FILE.read_text())


def root_fields(root: str) -> list[str]:
    """The fields of `Query`, `Mutation` or `Subscription`."""
    [body] = re.findall(rf"^type {root} \{{\n(.*?)^\}}", SCHEMA_FILE.read_text(), re.MULTILINE | re.DOTALL)
    return re.findall(r"^  (\w+)[(:]", re.sub(r'"""(?:.|\n)*?"""', "", body), re.MULTILINE)


def _within(kind: Any) -> Any:
    return kind.of_type


def least(kind: Any, depth: int = 0) -> object:
    """A value with all that is required, and with every record that may be named."""
    if isinstance(kind, GraphQLNonNull):
        return least(_within(kind), depth)
    if isinstance(kind, GraphQLList):
        return [least(_within(kind), depth + 1)]
    if isinstance(kind, GraphQLEnumType):
        return next(iter(kind.values))
    if isinstance(kind, GraphQLScalarType):
        return PLAIN.get(kind.name, "unknown")
    assert isinstance(kind, GraphQLInputObjectType)
    if kind.name == "RecordRefInput":
        return NAMES
    return {
        name: least(one.type, depth + 1)
        for name, one in kind.fields.items()
        if str(one.type).endswith("!") or (depth < 3 and "RecordRefInput" in str(one.type))
    }
