"""What a model reads of the tools before it calls one: short, typed, and true of the API."""

from typing import Any

import orjson
import pytest

from embeddings.tokens import ESTIMATES
from resolvers.schema import build_schema
from service.mcp.arguments import reference
from service.mcp.errors import NotAReference
from service.mcp.output import LEFT_OUT, compact, fitted, tokens_of
from service.mcp.server import prepared
from service.mcp.tools import TOOLS


def _tokens(tools: list[dict[str, Any]]) -> int:
    return ESTIMATES["o200k"].count(orjson.dumps(tools).decode())


@pytest.fixture(scope="module")
def told() -> dict[str, dict[str, Any]]:
    schema = build_schema().core_schema
    tools = [prepared(one, schema).described for one in TOOLS]
    return {one.name: one.model_dump(mode="json", by_alias=True, exclude_none=True) for one in tools}


def test_the_core_is_small(told: dict[str, dict[str, Any]]) -> None:
    core = [told[one.name] for one in TOOLS if one.core]
    without = [{name: one for name, one in tool.items() if name != "outputSchema"} for tool in core]
    assert len(core) <= 8
    assert _tokens(without) <= 1_500
    assert _tokens(core) <= 3_000


def test_all_of_them_are_not_many(told: dict[str, dict[str, Any]]) -> None:
    assert len(told) <= 20
    assert _tokens([*told.values()]) <= 8_000


def test_every_tool_says_what_it_takes_gives_and_does(told: dict[str, dict[str, Any]]) -> None:
    for tool in TOOLS:
        one = told[tool.name]
        assert one["outputSchema"]["type"] == "object"
        assert one["annotations"]["readOnlyHint"] is tool.reads
        assert {*one["inputSchema"]["required"]} <= {*one["inputSchema"]["properties"]}
        assert "title" not in orjson.dumps(one["inputSchema"]).decode()


def test_no_tool_takes_who_is_asking(told: dict[str, dict[str, Any]]) -> None:
    for one in told.values():
        names = {*one["inputSchema"]["properties"]}
        assert names.isdisjoint({"principal", "user", "viewer", "key", "token", "matter_ids"})


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("run_01k9x3v7m2q8r5t1w4y6z0abcd", {"id": "run_01k9x3v7m2q8r5t1w4y6z0abcd"}),
        ("erp:4711", {"source": "erp", "key": "4711"}),
        (" erp:a:b ", {"source": "erp", "key": "a:b"}),
    ],
)
def test_a_record_is_named_by_id_or_by_source_and_key(given: str, meant: dict[str, str]) -> None:
    assert reference("run", given) == meant


@pytest.mark.parametrize("given", ["", "4711", ":4711", "erp:", "the Marex run"])
def test_what_names_no_record_is_refused_with_the_argument(given: str) -> None:
    with pytest.raises(NotAReference) as refused:
        reference("run", given)
    assert refused.value.field == "run"


def test_an_answer_is_cut_to_what_was_asked_for_and_says_so() -> None:
    answer = {"sentence": "All of it.", "items": [{"name": f"item {n}", "text": "word " * 20} for n in range(100)]}
    cut = fitted(answer, 500)
    assert tokens_of(cut) <= 500
    assert cut["sentence"] == "All of it."
    assert 0 < len(cut["items"]) < 100
    assert f"items: {len(cut['items'])} of 100 shown" in cut[LEFT_OUT]


def test_an_answer_that_fits_is_left_alone() -> None:
    answer = {"items": [1, 2, 3]}
    assert fitted(dict(answer), 500) == answer


def test_what_is_empty_is_not_told() -> None:
    assert compact({"a": None, "b": [], "c": [{"d": None, "e": 0}], "f": False}) == {"c": [{"e": 0}], "f": False}
