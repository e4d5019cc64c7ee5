"""Every mutation that takes a record by its outside name, with a name that nobody knows: done, or refused in words."""

from collections.abc import AsyncGenerator
from typing import Any

import pytest
from graphql import (
    GraphQLEnumType,
    GraphQLInputObjectType,
    GraphQLList,
    GraphQLNonNull,
    GraphQLScalarType,
)

from tests.api.conftest import Api, Caller
from tests.api.schema import committed_schema, root_fields

PLAIN: dict[str, object] = {
    "Int": 1,
    "Float": 0.5,
    "Boolean": True,
    "Long": 1,
    "Timestamp": "2026-01-31T09:30:00Z",
    "JSON": {},
}
NAMES = {"source": "nowhere", "key": "unknown"}


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


@pytest.fixture(scope="module")
async def outsider(api: Api) -> AsyncGenerator[Caller]:
    caller = api.caller("outsider")
    yield caller
    await caller.client.aclose()


@pytest.mark.parametrize("name", root_fields("Mutation"))
async def test_an_unknown_outside_name_is_taken_or_refused_in_words(name: str, outsider: Caller) -> None:
    mutations = committed_schema().mutation_type
    assert mutations
    taken: dict[str, Any] = {
        one: argument.type
        for one, argument in mutations.fields[name].args.items()
        if str(argument.type).endswith("!") or "RecordRefInput" in str(argument.type)
    }
    given = ", ".join(f"${one}: {kind}" for one, kind in taken.items())
    passed = ", ".join(f"{one}: ${one}" for one in taken)
    signature, arguments = (f"({given})", f"({passed})") if taken else ("", "")
    document = f"mutation{signature} {{ {name}{arguments} {{ __typename }} }}"
    answer = await outsider.post(document, **{one: least(kind) for one, kind in taken.items()})
    codes = [error["extensions"]["code"] for error in answer.json().get("errors", [])]
    assert "internal" not in codes, answer.json()
