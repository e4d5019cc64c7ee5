"""Hostile requests get a clear error soon, and leave the service serving."""

import time
from typing import Any

import httpx
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.api.conftest import Api, Caller
from tests.laws import law
from tests.names import api_keys

SECONDS = 5.0
"""Generous for a busy machine; the point is that no request hangs."""

DEEP = "{ goals " + "{ nodes { supports " * 40 + "{ totalCount }" + " } }" * 40 + " }"
WIDE = "{ " + " ".join(f"a{n}: goals {{ totalCount }}" for n in range(150)) + " }"
LONG = "{ " + "__typename " * 6_000 + "}"
CIRCLE = "{ goals { nodes { ...A } } } fragment A on Goal { ...B } fragment B on Goal { ...A }"
COSTLY = "{ goals(first: 1000) { nodes { supports(first: 1000) { nodes { supports(first: 1000) { totalCount } } } } } }"
_TWICE = "fragment F{n} on Goal {{ a{n}: supports {{ nodes {{ ...F{m} }} }} b{n}: supports {{ nodes {{ ...F{m} }} }} }}"
EXPONENTIAL = " ".join(
    [
        "{ goals { nodes { ...F0 } } }",
        *(_TWICE.format(n=n, m=n + 1) for n in range(30)),
        "fragment F30 on Goal { id }",
    ]
)


@pytest.mark.parametrize(
    ("query", "code"),
    [
        (DEEP, "limit_exceeded"),
        (WIDE, "limit_exceeded"),
        (LONG, "limit_exceeded"),
        (COSTLY, "limit_exceeded"),
        (EXPONENTIAL, "limit_exceeded"),
        (CIRCLE, "invalid_document"),
        ("{ goals { nodes { nonsense } } }", "invalid_document"),
        ("{ goals(first: 100000) { totalCount } }", "limit_exceeded"),
        ("{ goals(first: -1) { totalCount } }", "invalid_paging"),
        ('{ goals(after: "garbage") { nodes { id } } }', "invalid_cursor"),
        ("{", "invalid_document"),
        ("", "invalid_document"),
    ],
)
async def test_a_hostile_document_gets_a_code_and_a_word(admin: Caller, query: str, code: str) -> None:
    started = time.monotonic()
    error = await admin.refused(query)
    assert error["code"] == code
    assert error["message"]
    assert time.monotonic() - started < SECONDS


async def test_a_limit_says_what_it_is_and_what_was_asked(admin: Caller) -> None:
    error = await admin.refused(WIDE)
    assert (error["field"], error["limit"], error["actual"]) == ("aliases", 100, 150)
    assert error["remedy"]
    assert error["requestId"]


async def test_an_answer_tells_its_cost(admin: Caller) -> None:
    answer = (await admin.post("{ goals(first: 5) { nodes { name } } }")).json()
    assert answer["extensions"]["cost"] >= 5


BODIES = [
    b"\xff\xfe not text",
    b'{"query": "{ viewer { name } }", "variables": {"a": "\xed\xa0\x80"}}',
    b'{"query": "{ node(id: \\"\\u0000\\") { id } }"}',
    b'{"query": "query ($t: String!) { search(text: $t) { explanation } }", "variables": {"t": "\\ud800"}}',
    b"[" * 100_000,
    b'{"query": 7}',
    b"null",
    b"",
]


@pytest.mark.parametrize("body", BODIES, ids=range(len(BODIES)))
async def test_bytes_that_are_no_request_are_refused_or_answered_but_never_a_crash(admin: Caller, body: bytes) -> None:
    answer = await admin.client.post("/graphql", content=body, headers={"content-type": "application/json"})
    assert answer.status_code < 500
    for error in answer.json().get("errors", []):
        assert error["extensions"]["code"] != "internal", error
    assert (await admin.ask("{ viewer { name } }"))["viewer"]["name"] == "admin"


async def test_a_body_that_is_too_large_is_refused(admin: Caller) -> None:
    answer = await admin.client.post(
        "/graphql", json={"query": "{ viewer { name } }", "variables": {"x": "y" * 17_000_000}}
    )
    assert answer.status_code == 413
    assert answer.json()["errors"][0]["extensions"]["code"] == "body_too_large"


async def test_ten_megabytes_in_one_summary_do_not_lose_the_other_events(admin: Caller) -> None:
    event: dict[str, Any] = {
        "event_id": "large",
        "kind": "run_started",
        "occurred_at": "2026-01-01T00:00:00.000Z",
        "run": {"source": "hostile", "key": "large"},
        "policy": {"memory_mode": "full_ephemeral_test", "data_class": "internal", "matter_ids": []},
    }
    events = [{**event, "event_id": "huge", "workflow_summary": "x" * 10_000_000}, event]
    query = "mutation ($e: [RunEventInput!]!) { reportRunEvents(events: $e) { answers { outcome code field } } }"
    told = (await admin.ask(query, e=api_keys(events)))["reportRunEvents"]["answers"]
    assert [one["outcome"] for one in told] == ["rejected", "accepted"]
    assert (told[0]["code"], told[0]["field"]) == ("text_too_long", "workflowSummary")
    lines = b"\n".join(orjson.dumps(one) for one in events)
    answer = await admin.client.post("/v1/events", content=lines)
    assert [orjson.loads(line)["outcome"] for line in answer.content.splitlines()] == ["rejected", "duplicate"]


CYPHER = [
    "') DETACH DELETE n //",
    '" OR 1=1 //',
    "`]-() MATCH (n) DETACH DELETE n //",
    "$audiences",
    "\u0000",
    "\\",
    "'",
    '"',
]
TEXT = st.one_of(st.sampled_from(CYPHER), st.text(max_size=50))


@law(15)
@given(text=TEXT)
async def test_cypher_in_any_argument_is_only_text(admin: Caller, api: Api, text: str) -> None:
    before = await api.database.read_one("RETURN COUNT { MATCH (:Record) } AS records")
    query = """query ($t: String!, $id: ID!) {
      node(id: $id) { id }
      entities(filter: {name: {contains: $t}}) { totalCount }
      goals(filter: {or: [{name: {startsWith: $t}}, {name: {in: [$t]}}]}) { totalCount }
    }"""
    answer = await admin.client.post("/graphql", content=_json(query, {"t": text, "id": text}))
    assert answer.status_code == 200
    for error in answer.json().get("errors", []):
        assert error["extensions"]["code"] != "internal", error
    assert await api.database.read_one("RETURN COUNT { MATCH (:Record) } AS records") == before


def _json(query: str, variables: dict[str, Any]) -> bytes:
    """As a client would send it that does not look at its texts: lone surrogates come as escapes."""
    return httpx.Request("POST", "http://x", json={"query": query, "variables": variables}).read()
