"""The two doors for executors: GraphQL, and JSON lines over HTTP."""

import gzip
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import orjson
import pytest
from starlette.applications import Starlette
from starlette.types import ASGIApp, Receive, Scope, Send

from resolvers.capability import Fields
from resolvers.engine.context import Context
from resolvers.engine.execution import ReadSchema
from resolvers.memory.reporting import ReportingMutation
from resolvers.memory.unreadable import set_aside
from resolvers.schema import build_schema
from service.access.viewer import Viewer
from service.memory.reporting.commands import Reporting
from service.memory.reporting.http import reporting_routes
from tests.memory.conftest import Executor
from tests.memory.stories import Event, Story, step, whole_run
from tests.names import api_keys
from tests.viewers import viewer_of

REPORT = """
mutation ($events: [RunEventInput!]!) {
  reportRunEvents(events: $events) {
    accepted duplicates rejected answers { index eventId outcome runId code field message remedy }
  }
}
"""


@pytest.fixture(scope="module")
def schema() -> ReadSchema:
    return build_schema(fields=[Fields(mutations=(ReportingMutation,), set_aside=(set_aside,))])


@pytest.mark.slow
async def test_graphql_takes_a_run_and_gives_it_back(executor: Executor, schema: ReadSchema) -> None:
    services = {Reporting: executor.reporting}
    bad: Event = {**whole_run()[0], "event_id": "bad", "kind": "run_paused"}
    shared = {name: whole_run()[0][name] for name in ("occurred_at", "run", "policy")}
    bare: Event = {**shared, "event_id": "bare", "kind": "activation_started", "activation_seq": 1}
    context = Context(await viewer_of(executor.database), executor.database, "req_1", services)
    answer = await schema.execute(
        REPORT, variable_values={"events": api_keys([*whole_run(), bare, bad])}, context_value=context
    )
    assert not answer.errors
    assert answer.data
    told = answer.data["reportRunEvents"]
    assert (told["accepted"], told["rejected"]) == (len(whole_run()), 2)
    assert told["answers"][-2]["message"].startswith("moduleKey: ")
    assert (told["answers"][-1]["code"], told["answers"][-1]["field"]) == ("unknown_kind", "kind")
    context = Context(await viewer_of(executor.database), executor.database, "req_2", services)
    read = await schema.execute(
        "{ runs { edges { node { status activated { edges { node { moduleKey produced { edges { port node "
        "{ name intakeLevel } } } } } } } } } }",
        context_value=context,
    )
    assert not read.errors
    assert read.data
    [run] = read.data["runs"]["edges"]
    assert run["node"]["status"] == "completed"
    assert len(run["node"]["activated"]["edges"]) == 10


async def test_an_event_that_graphql_cannot_read_is_refused_and_the_others_are_taken(
    executor: Executor, schema: ReadSchema
) -> None:
    first, last = api_keys(Story().tell("run_started").tell("run_completed").events)
    strange: list[tuple[Any, tuple[str, str, str]]] = [
        ({**first, "eventId": "e1", "colour": "red"}, ("unknown_field", "colour", "Leave it out")),
        ({**first, "eventId": "e2", "startedAtt": "x"}, ("unknown_field", "startedAtt", "It is `startedAt` here.")),
        ({**first, "eventId": "e3", "task_key": "t"}, ("unknown_field", "task_key", "It is `taskKey` here.")),
        (
            {**first, "eventId": "e4", "run": {"source": "exec", "kee": "r"}},
            ("unknown_field", "run.kee", "It is `key`"),
        ),
        ({**first, "eventId": "e5", "name": 5}, ("invalid_input", "name", "Correct it")),
        ("nonsense", ("invalid_input", "event", "Correct it")),
    ]
    events = [first, *(one for one, _ in strange), last]
    context = Context(await viewer_of(executor.database), executor.database, "req_1", {Reporting: executor.reporting})
    answer = await schema.execute(REPORT, variable_values={"events": events}, context_value=context)
    assert not answer.errors
    assert answer.data
    told = answer.data["reportRunEvents"]["answers"]
    assert [one["outcome"] for one in told] == ["accepted", *["rejected"] * len(strange), "accepted"]
    assert [one["eventId"] for one in told[1:-1]] == ["e1", "e2", "e3", "e4", "e5", None]
    for one, (_, (code, field, remedy)) in zip(told[1:-1], strange, strict=True):
        assert (one["code"], one["field"]) == (code, field)
        assert remedy in one["remedy"]


async def test_what_else_is_wrong_with_the_variables_still_refuses_the_request(
    executor: Executor, schema: ReadSchema
) -> None:
    context = Context(await viewer_of(executor.database), executor.database, "req_1", {Reporting: executor.reporting})
    for variables in ({}, {"events": None}, {"events": [None]}):
        answer = await schema.execute(REPORT, variable_values=variables, context_value=context)
        assert [(one.extensions or {})["code"] for one in answer.errors or ()] == ["invalid_variables"]


class As:
    """Sets the viewer as the guard does."""

    def __init__(self, app: ASGIApp, viewer: Viewer | None) -> None:
        self._app = app
        self._viewer = viewer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope.setdefault("state", {})["viewer"] = self._viewer
        await self._app(scope, receive, send)


@asynccontextmanager
async def _client(executor: Executor) -> AsyncGenerator[httpx.AsyncClient]:
    app = As(Starlette(routes=reporting_routes(executor.reporting)), await viewer_of(executor.database))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://tasklore") as client:
        yield client


async def test_compressed_lines_count_by_what_they_hold(executor: Executor) -> None:
    lines = orjson.dumps(Story().tell("run_started").events[0])
    packed = {"content-encoding": "gzip"}
    async with _client(executor) as client:
        answer = await client.post("/v1/events", content=gzip.compress(lines), headers=packed)
        assert (answer.status_code, orjson.loads(answer.content)["outcome"]) == (200, "accepted")
        for body, headers, status, code in (
            (gzip.compress(bytes(17_000_000)), packed, 413, "body_too_large"),
            (gzip.compress(b"{}\n" * 501), packed, 413, "too_many_events"),
            (b"nonsense", packed, 400, "invalid_body"),
            (lines, {"content-encoding": "br"}, 415, "unsupported_content_encoding"),
        ):
            refused = await client.post("/v1/events", content=body, headers=headers)
            assert (refused.status_code, refused.json()["errors"][0]["extensions"]["code"]) == (status, code)


async def test_a_list_is_taken_as_its_lines_would_be(executor: Executor) -> None:
    events = (
        Story({"source": "runner", "key": "listed"}).tell("run_started").tell("activation_started", **step("m")).events
    )
    async with _client(executor) as client:
        for body, status, outcomes in (
            (orjson.dumps(events, option=orjson.OPT_INDENT_2), 200, ["accepted", "accepted"]),
            (orjson.dumps([events[0], 7, [events[1]]]), 207, ["duplicate", "rejected", "rejected"]),
            (b"[]", 200, []),
            (b"[{nonsense", 422, ["rejected"]),
        ):
            answer = await client.post("/v1/events", content=body)
            told = [orjson.loads(line) for line in answer.content.splitlines()]
            assert (answer.status_code, [one["outcome"] for one in told]) == (status, outcomes)
        too_many = await client.post("/v1/events", content=orjson.dumps([{}] * 501))
        assert too_many.status_code == 413


async def test_lines_are_taken_each_for_itself(executor: Executor) -> None:
    events = Story().tell("run_started").tell("activation_started", **step("m")).events
    lines = [orjson.dumps(events[0]), b"", b"{nonsense", orjson.dumps(events[1]), orjson.dumps(events[0])]
    async with _client(executor) as client:
        response = await client.post("/v1/events", content=b"\n".join(lines))
        assert response.status_code == 207
        told = [orjson.loads(line) for line in response.content.splitlines()]
        assert [one["index"] for one in told] == [0, 1, 2, 3]
        assert [one["outcome"] for one in told] == ["accepted", "rejected", "accepted", "duplicate"]
        assert told[1]["code"] == "invalid_json"
        for body, status in ((lines[0], 200), (b"", 200), (b"{nonsense", 422), (b'{"kind": "x"}\n{}', 422)):
            answer = await client.post("/v1/events", content=body)
            assert (answer.status_code, len(answer.content.splitlines())) == (status, len(body.splitlines()))
        too_many = await client.post("/v1/events", content=b"{}\n" * 501)
        assert (too_many.status_code, too_many.json()["errors"][0]["extensions"]["code"]) == (413, "too_many_events")
