"""The committed schema, as tests read it. To build it takes seconds: names alone are read from its text."""

import re
from functools import cache
from pathlib import Path

from graphql import GraphQLSchema, build_schema

SCHEMA_FILE = Path(__file__).parents[2] / "resolvers" / "schema.graphql"


@cache
def committed_schema() -> GraphQLSchema:
    return build_schema(SCHEMA_FILE.read_text())


def root_fields(root: str) -> list[str]:
    """The fields of `Query`, `Mutation` or `Subscription`."""
    [body] = re.findall(rf"^type {root} \{{\n(.*?)^\}}", SCHEMA_FILE.read_text(), re.MULTILINE | re.DOTALL)
    return re.findall(r"^  (\w+)[(:]", re.sub(r'"""(?:.|\n)*?"""', "", body), re.MULTILINE)
