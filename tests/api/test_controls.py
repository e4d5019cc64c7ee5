"""A NUL, or another character that only controls, comes in at no door; what comes beside it is taken."""

from typing import Any

import orjson
import pytest

from tests.api.conftest import Api, Caller
from tests.names import api_keys

SAVE = """mutation ($id: String!, $name: String!) {
  saveGoal(commandId: $id, input: {name: $name, goalType: risk_control_goal, goalStatement: "x"}) { recordId }
}"""
REPORT = "mutation ($e: [RunEventInput!]!) { reportRunEvents(events: $e) { answers { outcome code field } } }"
POLICY: dict[str, Any] = {"memory_mode": "standard", "data_class": "internal", "matter_ids": []}


def _event(event_id: str, **more: Any) -> dict[str, Any]:
    run = {"source": "controls", "key": "run"}
    at = "2026-01-01T00:00:00.000Z"
    return {"event_id": event_id, "kind": "run_started", "occurred_at": at, "run": run, "policy": POLICY, **more}


@pytest.mark.parametrize("control", ["\x00", "\x1b", "\x7f"])
async def test_documents_and_variables(admin: Caller, control: str) -> None:
    told = await admin.refused(SAVE, id="controls", name=f"a{control}b")
    assert (told["code"], told["character"]) == ("control_character", f"U+{ord(control):04X}")
    assert told["remedy"]
    escaped = f"\\u{ord(control):04x}"
    for query in (
        SAVE.replace(", $name: String!", "").replace("$name", f'"a{escaped}b"'),
        f'{{ node(id: "goal_{escaped}") {{ id }} }}',
        f'{{ goals(filter: {{or: [{{name: {{eq: "{escaped}"}}}}]}}) {{ totalCount }} }}',
        f'{{ search(text: "a{escaped}") {{ explanation }} }}',
    ):
        variables = {"id": "controls"} if "$id" in query else {}
        assert (await admin.refused(query, **variables))["code"] == "control_character", query


async def test_a_reported_event_is_refused_for_itself(admin: Caller, api: Api) -> None:
    bad = _event("bad", workflow_summary="a\x00b")
    named = _event("worse", run={"source": "controls", "key": "run\x00"})
    told = (await admin.ask(REPORT, e=api_keys([bad, _event("good"), named])))["reportRunEvents"]["answers"]
    assert [one["outcome"] for one in told] == ["rejected", "accepted", "rejected"]
    assert {one["code"] for one in told} == {"control_character", None}
    lines = b"\n".join(orjson.dumps(one) for one in (bad, _event("good"), named))
    answer = await admin.client.post("/v1/events", content=lines)
    told = [orjson.loads(line) for line in answer.content.splitlines()]
    assert [(one["outcome"], one.get("code")) for one in told] == [
        ("rejected", "control_character"),
        ("duplicate", None),
        ("rejected", "control_character"),
    ]
    [row] = await api.database.read(
        "MATCH (n:Record) WHERE any(k IN keys(n) WHERE n[k] = 'a\\u0000b') RETURN count(n) AS n"
    )
    assert row["n"] == 0


async def test_a_span_is_refused_for_itself(admin: Caller) -> None:
    def span(number: int, model: str) -> dict[str, Any]:
        return {
            "traceId": "5b8efff798038103d269b633813fc60c",
            "spanId": f"eee19b7ec3c1b17{number}",
            "name": "chat",
            "kind": 3,
            "startTimeUnixNano": "1767225600000000000",
            "endTimeUnixNano": "1767225601000000000",
            "attributes": [
                {"key": "tasklore.memory_mode", "value": {"stringValue": "standard"}},
                {"key": "tasklore.data_class", "value": {"stringValue": "internal"}},
                {"key": "tasklore.matters", "value": {"arrayValue": {"values": []}}},
                {"key": "gen_ai.operation.name", "value": {"stringValue": "chat"}},
                {"key": "gen_ai.request.model", "value": {"stringValue": model}},
            ],
        }

    traces = {"resourceSpans": [{"scopeSpans": [{"spans": [span(1, "a\x00b"), span(2, "fine")]}]}]}
    answer = await admin.client.post("/v1/traces", json=traces)
    assert answer.status_code == 200
    told = answer.json()["partialSuccess"]
    assert int(told["rejectedSpans"]) == 1
    assert "control_character" in told["errorMessage"]
