"""JSON Schema and OpenAPI say what the code does: valid, complete, and agreeing with what is taken and refused."""

import json
from collections.abc import AsyncGenerator
from functools import cache
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator, FormatChecker
from openapi_spec_validator import validate

from service.errors import TaskloreError
from service.memory.reporting.events import MODELS, understood
from service.memory.reporting.kinds import KINDS
from service.seeding import read_stories
from service.web.contract import events_schema, openapi
from tests.docs.running import Reader
from tests.laws import law

LATEST = "2100-01-01T00:00:00.000Z"
EVENT: dict[str, Any] = {
    "event_id": "1",
    "kind": "run_started",
    "occurred_at": "2026-01-31T09:30:00Z",
    "run": {"source": "runner", "key": "r1"},
}


@pytest.fixture(scope="module")
def events() -> Draft202012Validator:
    Draft202012Validator.check_schema(events_schema())
    return Draft202012Validator(events_schema(), format_checker=FormatChecker())


def test_the_description_is_valid_openapi() -> None:
    validate(openapi())


def test_it_has_every_door_and_every_kind_of_event() -> None:
    assert {path for path in openapi()["paths"] if path.startswith("/v1/")} == {
        "/v1/events",
        "/v1/tool-outcomes",
        "/v1/asks",
        "/v1/traces",
        "/v1/runs/{run_id}/traces",
        "/v1/audits/{export_id}",
        "/v1/shares/{secret}",
    }
    assert {*events_schema()["discriminator"]["mapping"]} == {*KINDS} == {*MODELS}


def _sample() -> list[dict[str, Any]]:
    return [dict(one.event) for one in read_stories()]


def test_every_event_of_the_sample_world_is_one(events: Draft202012Validator) -> None:
    """As it goes over the wire."""
    sample = json.loads(json.dumps(_sample()))
    assert len(sample) > 300
    assert [wrong for one in sample for wrong in _wrong(events, one)] == []


@law(200)
@given(data=st.data())
def test_what_is_taken_is_of_the_schema(data: st.DataObject) -> None:
    """Of an event that lacks something, has too much, or says something of another shape."""
    schema = _validator()
    event = dict(data.draw(st.sampled_from(_events())))
    name = data.draw(st.sampled_from(sorted(event)))
    match data.draw(st.sampled_from(["drop", "add", "list", "object", "null", "empty"])):
        case "drop":
            del event[name]
        case "add":
            event[f"{name}_x"] = 1
        case "list":
            event[name] = [[]]
        case "object":
            event[name] = {"x": 1}
        case "null":
            event[name] = None
        case _:
            event[name] = ""
    try:
        understood(0, event, LATEST)
    except TaskloreError:
        return
    assert not _wrong(schema, event), event


@cache
def _validator() -> Draft202012Validator:
    return Draft202012Validator(events_schema())


@cache
def _events() -> list[dict[str, Any]]:
    return json.loads(json.dumps(_sample()))


@pytest.fixture
async def client(reader: Reader) -> AsyncGenerator[httpx.AsyncClient]:
    headers = {"authorization": f"Bearer {reader.key}"}
    async with httpx.AsyncClient(base_url=reader.url, headers=headers, timeout=60) as client:
        yield client


async def test_answers_of_the_doors_are_of_the_schema(client: httpx.AsyncClient) -> None:
    good: dict[str, Any] = EVENT | {"policy": {"memory_mode": "standard", "data_class": "internal", "matter_ids": []}}
    sent: list[tuple[str, list[dict[str, Any]], str]] = [
        ("/v1/events", [good], "200"),
        ("/v1/events", [good, {"event_id": "2"}], "207"),
        ("/v1/events", [{"event_id": "2"}], "422"),
        ("/v1/tool-outcomes", [{"event_id": "2"}], "422"),
        ("/v1/asks", [{"event_id": "2"}], "422"),
    ]
    for path, lines, code in sent:
        answer = await client.post(path, content="\n".join(map(json.dumps, lines)))
        assert str(answer.status_code) == code
        for line in answer.text.splitlines():
            assert _answer_errors(path, "post", code, answer.headers["content-type"], json.loads(line)) == []


async def test_refusals_of_the_doors_are_of_the_schema(client: httpx.AsyncClient, reader: Reader) -> None:
    kind = "application/json"
    many = await client.post("/v1/events", content="{}\n" * 501)
    assert _answer_errors("/v1/events", "post", str(many.status_code), kind, many.json()) == []
    missing = await client.get("/v1/audits/aud_nowhere")
    assert _answer_errors("/v1/audits/{export_id}", "get", str(missing.status_code), kind, missing.json()) == []
    async with httpx.AsyncClient(base_url=reader.url) as nobody:
        stranger = await nobody.post("/v1/asks", content="{}")
    assert _answer_errors("/v1/asks", "post", str(stranger.status_code), kind, stranger.json()) == []


def _answer_errors(path: str, method: str, code: str, media_type: str, told: Any) -> list[str]:
    described = openapi()
    schema = described["paths"][path][method]["responses"][code]["content"][media_type]["schema"]
    whole = {**schema, "components": described["components"]}
    return _wrong(Draft202012Validator(whole), told)


def _wrong(validator: Any, told: Any) -> list[str]:
    return [error.message for error in validator.iter_errors(told)]


async def test_they_are_served_to_anybody(reader: Reader) -> None:
    async with httpx.AsyncClient(base_url=reader.url) as nobody:
        assert (await nobody.get("/docs/schemas/openapi.json")).json() == openapi()
        assert (await nobody.get("/docs/schemas/events.schema.json")).json() == events_schema()
