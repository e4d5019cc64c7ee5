"""Bad input through both doors: each event that is wrong has its code, field and remedy, and the others are kept."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any

import httpx
import orjson
import pytest
from starlette.applications import Starlette

from graph_schema.model.fields import DataClass
from graph_schema.model.names import stored_name
from resolvers.capability import Fields
from resolvers.engine.context import Context
from resolvers.engine.execution import ReadSchema
from resolvers.memory.reporting import ReportingMutation
from resolvers.memory.unreadable import set_aside
from resolvers.schema import build_schema
from service.memory.reporting.commands import Reporting
from service.memory.reporting.http import reporting_routes
from tests.memory.conftest import Executor
from tests.memory.reporting.test_doors import REPORT, As
from tests.memory.stories import POLICY, RUN, Event, Story, step
from tests.names import api_keys
from tests.viewers import viewer_of

Door = Callable[[list[Event]], Awaitable[dict[str, Any]]]
"""Takes events; gives their answers, or the errors of a call that was refused whole."""


@pytest.fixture(scope="module")
def schema() -> ReadSchema:
    return build_schema(fields=[Fields(mutations=(ReportingMutation,), set_aside=(set_aside,))])


@pytest.fixture(params=["graphql", "lines"])
async def door(request: pytest.FixtureRequest, executor: Executor, schema: ReadSchema) -> AsyncGenerator[Door]:
    """A reporter of no matter, cleared for what is privileged."""
    viewer = await viewer_of(executor.database, "reporter", clearance=DataClass.privileged, matters=[])

    async def by_graphql(events: list[Event]) -> dict[str, Any]:
        context = Context(viewer, executor.database, "req", {Reporting: executor.reporting})
        answer = await schema.execute(REPORT, variable_values={"events": api_keys(events)}, context_value=context)
        if answer.errors:
            return {"errors": [one.formatted for one in answer.errors]}
        assert answer.data
        return {"answers": [_as_lines(one) for one in answer.data["reportRunEvents"]["answers"]]}

    app = As(Starlette(routes=reporting_routes(executor.reporting)), viewer)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://tasklore") as client:

        async def by_lines(events: list[Event]) -> dict[str, Any]:
            answer = await client.post("/v1/events", content=b"\n".join(orjson.dumps(one) for one in events))
            if answer.status_code not in {200, 207, 422}:
                return answer.json()
            return {"answers": [orjson.loads(line) for line in answer.content.splitlines()]}

        yield by_graphql if request.param == "graphql" else by_lines


def _as_lines(answer: Event) -> Event:
    """An answer of GraphQL with the names that JSON lines have."""
    told = {stored_name(name): value for name, value in answer.items()}
    return {**told, "field": stored_name(told["field"]) if told["field"] else None}


SPAN: dict[str, Any] = {"kind": "span", "span_key": "s", "span_kind": "retry", "status": "success"}
GATE: dict[str, Any] = {"kind": "gate_opened", "gate_key": "g", "gate_kind": "hold", **step("m")}
DELIVERY: dict[str, Any] = {"kind": "delivery", "idempotency_key": "k", "delivery_kind": "email", **step("m")}
ARTIFACT: dict[str, Any] = {"kind": "artifact_produced", "artifact_key": "a", "artifact_kind": "document", **step("m")}

BAD: list[tuple[str, str, Event]] = [
    ("unknown_kind", "kind", {"kind": "run_paused"}),
    ("unknown_value", "trigger_kind", {"kind": "run_started", "trigger_kind": "cron"}),
    ("unknown_value", "span_kind", {**SPAN, "span_kind": "walk"}),
    ("unknown_value", "status", {**SPAN, "status": "delivered"}),
    ("unknown_value", "status", {**DELIVERY, "status": "lost"}),
    ("unknown_value", "gate_kind", {**GATE, "gate_kind": "wall"}),
    ("unknown_value", "artifact_kind", {**ARTIFACT, "artifact_kind": "poem"}),
    ("unknown_value", "output_class", {**ARTIFACT, "output_class": "best_output"}),
    ("unknown_value", "policy.memory_mode", {**SPAN, "policy": {**POLICY, "memory_mode": "elephant"}}),
    ("unknown_value", "policy.data_class", {**SPAN, "policy": {**POLICY, "data_class": "secret"}}),
    ("invalid_time", "occurred_at", {**SPAN, "occurred_at": "yesterday"}),
    ("time_out_of_range", "occurred_at", {**SPAN, "occurred_at": "1970-01-01T00:00:00.000Z"}),
    ("time_out_of_range", "completed_at", {**SPAN, "completed_at": "2999-01-01T00:00:00.000Z"}),
    ("time_out_of_range", "deadline_at", {**GATE, "deadline_at": "9999-01-01T00:00:00.000Z"}),
    ("times_out_of_order", "completed_at", {**SPAN, "started_at": "2026-01-02T00:00:00.000Z",
                                            "completed_at": "2026-01-01T00:00:00.000Z"}),
    ("times_out_of_order", "deadline_at", {**GATE, "opened_at": "2026-01-02T00:00:00.000Z",
                                           "deadline_at": "2026-01-01T00:00:00.000Z"}),
    ("out_of_range", "cost_usd", {**SPAN, "cost_usd": -0.01}),
    ("out_of_range", "total_cost_usd", {"kind": "run_completed", "total_cost_usd": -1}),
    ("out_of_range", "input_tokens", {**SPAN, "input_tokens": -1}),
    ("out_of_range", "size_bytes", {**ARTIFACT, "size_bytes": -1}),
    ("out_of_range", "activation_seq", {**ARTIFACT, "activation_seq": 0}),
    ("span_self_parent", "parent_span_key", {**SPAN, "parent_span_key": "s"}),
    ("artifact_self_reference", "derived_from", {**ARTIFACT, "derived_from": [{"key": "a"}]}),
    ("artifact_of_two_runs", "artifact_key", {**ARTIFACT, "artifact_key": "taken"}),
    ("text_too_long", "summary", {**SPAN, "summary": "x" * 10_000_000}),
    ("text_too_long", "name", {**SPAN, "name": "x" * 201}),
    ("list_too_long", "tags", {**SPAN, "tags": ["x"] * 201}),
    ("matter_not_allowed", "policy.matter_ids", {**SPAN, "policy": {**POLICY, "matter_ids": ["ent_m"]}}),
    ("class_not_allowed", "policy.data_class", {**SPAN, "policy": {**POLICY, "data_class": "local_only"}}),
    ("run_unknown", "policy", {**SPAN, "run": {"source": "exec", "key": "hidden"}, "policy": None}),
    ("not_found", "run", {**SPAN, "run": {"id": "run_hidden"}, "policy": None}),
    ("missing_field", "idempotency_key", {"kind": "delivery", "delivery_kind": "email", "status": "failed",
                                          **step("m")}),
    ("missing_field", "activation_seq", {**SPAN, "module_key": "m"}),
    ("wrong_kind", "key", {**ARTIFACT, "artifact_key": RUN["key"]}),
    ("wrong_kind", "key", {**ARTIFACT, "artifact_key": "x", "task_key": "x"}),
    ("wrong_kind", "about.0", {"kind": "run_started", "about": [{"kind": "Goal", "key": "g"}]}),
    ("wrong_kind", "goals.1", {"kind": "run_started", "goals": [{"key": "g"}, {"kind": "Entity", "key": "e"}]}),
    ("wrong_kind", "capabilities.0", {"kind": "activation_completed", "capabilities": [{"kind": "Goal", "key": "g"}],
                                      **step("m")}),
    ("wrong_kind", "derived_from.0", {**ARTIFACT, "derived_from": [{"kind": "Goal", "key": "g"}]}),
    ("wrong_kind", "item", {"kind": "artifact_consumed", "item": {"kind": "Goal", "key": "g"}, **step("m")}),
    ("unknown_field", "about", {"kind": "run_completed", "about": [{"kind": "Entity", "key": "e"}]}),
    ("not_found", "about.0", {"kind": "run_started", "about": [{"id": "ent_nowhere"}]}),
]  # fmt: skip


async def _before(executor: Executor) -> list[Event]:
    """A matter of others with a run in it, and a run that made an artifact. Then the good events of the batch."""
    await executor.database.run_alone(
        "CREATE (:Entity:Matter:Record {id: 'ent_m', name: 'M', kind: 'matter', audience: 'internal|ent_m'})"
    )
    hidden = Story({"source": "exec", "key": "hidden"}, {**POLICY, "matter_ids": ["ent_m"]}).tell("run_started")
    made = Story({"source": "exec", "key": "earlier"})
    made.tell("artifact_produced", artifact_key="taken", artifact_kind="document", **step("m"))
    for story in (hidden, made):
        assert await executor.told(story.events) == ["accepted"]
    await executor.database.run_alone("MATCH (r:Run {source_key: 'hidden'}) SET r.id = 'run_hidden'")
    return Story({"source": "exec", "key": "good"}).tell("run_started").tell("run_completed").events


@pytest.mark.slow
async def test_every_bad_event_is_told_and_the_others_are_kept(executor: Executor, door: Door) -> None:
    first, last = await _before(executor)
    known, _ = await executor.graph()
    envelope = {"occurred_at": "2026-01-01T10:00:00.000Z", "run": RUN, "policy": POLICY}
    bad: list[Event] = [
        {name: value for name, value in {**envelope, "event_id": f"bad{place}", **wrong}.items() if value is not None}
        for place, (_, _, wrong) in enumerate(BAD)
    ]
    answers = (await door([first, *bad, last]))["answers"]
    assert [one["outcome"] for one in answers] == ["accepted", *["rejected"] * len(bad), "accepted"]
    assert [(one["code"], one["field"]) for one in answers[1:-1]] == [(code, field) for code, field, _ in BAD]
    assert [one["event_id"] for one in answers[1:-1]] == [one["event_id"] for one in bad]
    assert all(one["remedy"] for one in answers[1:-1])
    nodes, _ = await executor.graph()
    assert len(nodes) == len(known) + 1
    assert (await executor.one("Run", source_key="good"))["status"] == "completed"


@pytest.mark.slow
async def test_501_events_are_refused_whole_and_500_are_taken(executor: Executor, door: Door) -> None:
    events = [
        {**Story().tell("span", span_key=f"s{place}", span_kind="retry", status="success").events[0],
         "event_id": f"e{place}"}
        for place in range(501)
    ]  # fmt: skip
    [error] = (await door(events))["errors"]
    told = error["extensions"]
    assert (told["code"], told["field"], bool(told["remedy"])) == ("too_many_events", "events", True)
    assert await executor.count("Span") == 0
    answers = (await door(events[:500]))["answers"]
    assert {one["outcome"] for one in answers} == {"accepted"}
    assert await executor.count("Span") == 500
