"""Every mutation that takes a record by its outside name, with a name that nobody knows: done, or refused in words."""

from collections.abc import AsyncGenerator
from typing import Any

import pytest

from tests.api.conftest import Api, Caller
from tests.api.schema import committed_schema, least, root_fields


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
