"""Documents and what is made of them are kept within so many bytes, and what is too long is not even parsed."""

import gc
import tracemalloc
from dataclasses import replace
from typing import Any

import pytest

from resolvers.engine.context import Context
from resolvers.engine.execution import ReadSchema
from resolvers.engine.limits import Limits
from resolvers.engine.recent import ENTRY, Recent
from resolvers.schema import build_schema
from service.graph.database import Database
from service.graph.reads.errors import LimitExceeded
from tests.resolvers.world import reader

SMALL = replace(Limits(), cached_bytes=200_000)
ROOM_FOR_ERROR = 3
"""Weights are estimates; what counts is that they hold up to a small factor."""


@pytest.fixture(scope="module")
def served() -> ReadSchema:
    return build_schema(limits=SMALL)


def _refusal(schema: ReadSchema, text: str) -> dict[str, Any]:
    with pytest.raises(LimitExceeded) as caught:
        schema.documents.get(text, None)
    return {"code": caught.value.code, **caught.value.facts}


@pytest.mark.parametrize(
    "text", ["#" * 15_000_000, "{ viewer { name } }" + " " * 200_000, '{ node(id: "' + "x" * 100_000 + '") { id } }']
)
def test_a_long_document_is_refused_before_it_is_parsed_and_not_kept(served: ReadSchema, text: str) -> None:
    before = served.documents.kept.weight
    told = _refusal(served, text)
    assert (told["code"], told["limit"], told["actual"]) == ("limit_exceeded", SMALL.document, len(text))
    assert served.documents.kept.weight == before


def _tokens(number: int) -> str:
    return "{ " + " ".join(f"a{number}_{n}: __typename" for n in range(30)) + " }"


def _wide(number: int) -> str:
    return "{ goals(first: 5) { nodes { " + " ".join(["id", *["name"] * 4]) + f" }} }} }} # {number}" + "x" * 50_000


def _wrong(number: int) -> str:
    return "{ " + f"nothing{number} " + "}" + " " * 30_000


def _broken(number: int) -> str:
    return f"{{ goals( # {number}" + "x" * 50_000


@pytest.mark.slow
@pytest.mark.parametrize("made", [_tokens, _wide, _wrong, _broken])
async def test_however_many_documents_come_little_is_kept(served: ReadSchema, database: Database, made: Any) -> None:
    context = Context(reader(), database, "request")
    await served.execute(made(-1), {}, context)
    gc.collect()
    tracemalloc.start()
    try:
        for number in range(20):
            await served.execute(made(number), {}, context)
        gc.collect()
        kept = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert served.documents.kept.weight <= SMALL.cached_bytes
    assert served.readings.weight <= SMALL.cached_bytes
    assert kept < ROOM_FOR_ERROR * 2 * SMALL.cached_bytes


def test_what_was_used_last_stays() -> None:
    recent: Recent[str, int] = Recent(3, 10 * ENTRY)
    for key in "abc":
        recent.put(key, 1, ENTRY)
    assert recent.get("a") == 1
    recent.put("d", 1, ENTRY)
    assert [recent.get(key) for key in "abcd"] == [1, None, 1, 1]
    assert recent.put("e", 2, 5 * ENTRY) == 2
    assert recent.weight <= 10 * ENTRY
    assert recent.get("e") == 2
    assert recent.put("f", 3, 10 * ENTRY) == 3
    assert recent.get("f") is None
