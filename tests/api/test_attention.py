"""Attention as a user's interface has it: over HTTP and a socket, by a service that decides by itself."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from datetime import UTC, datetime, timedelta
from typing import Any

from service import clock
from tests.api.conftest import Api, Caller
from tests.api.sockets import subscribed

REPORT = """mutation ($events: [AgentEventInput!]!) { reportAgentEvents(events: $events) {
    accepted rejected answers { sessionId code message } } }"""
FOLLOW = """subscription ($after: String) { attentionDirectives(after: $after) { cursor directiveId sessionId state
    output { summary detail action modeCode classCode viewCommands { command } } directive { directiveState } } }"""
MODE = 'mutation { setAttentionMode(mode: advisory, surface: "oven") { record { mode surface } } }'
DISMISS = "mutation ($id: ID!) { dismissDirective(directive: {id: $id}) { record { directiveState answeredAt } } }"
DECIDE = "mutation ($s: ID!) { decideAttention(session: {id: $s}) { recordId } }"
TRACES = """query ($s: String!) { policyTraces(filter: {sessionId: {eq: $s}}) { nodes {
    id byItself mode emittedCount rulesFired emitted { nodes { id } } readEvents { nodes { eventType } } } } }"""
REPLAY = "query ($id: ID!) { replayAttention(trace: {id: $id}) { outcome sameRules then { moments { code } } } }"

SECONDS = 60
"""Two on a machine of its own: the bench measures it."""


def undone(session: str) -> list[dict[str, Any]]:
    now = datetime.now(UTC)
    return [
        {
            "eventId": f"undo {number}",
            "eventType": "user_action",
            "occurredAt": clock.stamp(now - timedelta(seconds=3 - number)),
            "session": {"source": "kitchen", "key": session},
            "component": "oven",
            "payload": {"action": "undo"},
        }
        for number in range(3)
    ]


async def _simplifying(payloads: AsyncGenerator[Any], session: str) -> dict[str, Any]:
    """On a slow machine somebody who only waits is taken to hesitate, in the session before, too."""
    async for one in payloads:
        raised = one["data"]["attentionDirectives"]
        if raised["sessionId"] == session and raised["output"]["classCode"] != "I1_POINT":
            return raised
    raise AssertionError("nothing was raised")


async def test_a_user_is_asked_by_itself_soon_and_answers(api: Api, admin: Caller) -> None:
    assert (await admin.ask(MODE))["setAttentionMode"]["record"] == {"mode": "advisory", "surface": "oven"}
    warm = (await admin.ask(REPORT, events=undone("warm")))["reportAgentEvents"]
    await admin.ask(DECIDE, s=warm["answers"][0]["sessionId"])  # the statements are planned once
    after = (await admin.ask("{ events(first: 1) { head } }"))["events"]["head"]
    async with aclosing(subscribed(api.service.url, api.keys["admin"], FOLLOW, after=after)) as payloads:
        told = (await admin.ask(REPORT, events=undone("supper")))["reportAgentEvents"]
        assert (told["accepted"], told["rejected"]) == (3, 0), told
        async with asyncio.timeout(SECONDS):
            raised = await _simplifying(payloads, told["answers"][0]["sessionId"])
    assert (raised["state"], raised["output"]["modeCode"], raised["output"]["classCode"]) == ("open", "M1", "I2_REVIEW")
    assert (raised["output"]["summary"], raised["output"]["viewCommands"]) == ("Let's simplify", [])
    answered = (await admin.ask(DISMISS, id=raised["directiveId"]))["dismissDirective"]["record"]
    assert answered["directiveState"] == "dismissed"
    traces = (await admin.ask(TRACES, s=told["answers"][0]["sessionId"]))["policyTraces"]["nodes"]
    [trace] = [one for one in traces if raised["directiveId"] in [each["id"] for each in one["emitted"]["nodes"]]]
    assert (trace["byItself"], trace["mode"]) == (True, "advisory")
    assert trace["emittedCount"] == len(trace["emitted"]["nodes"])
    assert "POLICY_OVERLOAD_RECOVERY_v1" in trace["rulesFired"]
    again = (await admin.ask(REPLAY, id=trace["id"]))["replayAttention"]
    assert (again["outcome"], again["sameRules"]) == ("identical", True)
    assert "MOMENT_OVERLOAD" in [one["code"] for one in again["then"]["moments"]]


async def test_components_without_graphql_send_lines(admin: Caller) -> None:
    line = {
        "event_id": "line 1",
        "event_type": "user_action",
        "occurred_at": clock.stamp(datetime.now(UTC)),
        "session": {"source": "kitchen", "key": "lines"},
        "component": "oven",
        "payload": {"action": "open"},
    }
    wrong = {**line, "event_id": "line 2", "payload": {"action": "open", "colour": "red"}}
    body = f"{json.dumps(line)}\n{json.dumps(line)}\nno json\n{json.dumps(wrong)}\n"
    answer = await admin.client.post("/v1/agent-events", content=body)
    told = [json.loads(one) for one in answer.text.splitlines()]
    assert (answer.status_code, [one["outcome"] for one in told]) == (
        207,
        ["accepted", "duplicate", "rejected", "rejected"],
    )
    assert [one.get("field") for one in told] == [None, None, "event", "payload.colour"]
    assert told[0]["session_id"] == told[1]["session_id"]


async def test_an_event_that_graphql_cannot_read_is_refused_for_itself(admin: Caller) -> None:
    good, bad, stray = undone("mixed")
    bad |= {"payload": {"confidence": "very"}}
    stray |= {"colour": "red"}
    told = (await admin.ask(REPORT, events=[bad, good, stray]))["reportAgentEvents"]
    assert (told["accepted"], told["rejected"]) == (1, 2)
    assert [bool(one["code"]) for one in told["answers"]] == [True, False, True]


async def test_what_waits_in_a_run_is_answered_by_its_own_id(admin: Caller) -> None:
    """A weather station: the morning's reading failed. Dismissed, it waits no more; the evening's is another."""

    async def failed(run: str) -> None:
        policy: dict[str, Any] = {"memory_mode": "standard", "data_class": "internal", "matter_ids": []}
        named: dict[str, Any] = {
            "run": {"source": "weather", "key": run},
            "policy": policy,
            "occurred_at": clock.stamp(datetime.now(UTC)),
        }
        lines = [
            {**named, "event_id": f"{run} 1", "kind": "run_started", "name": run, "task_key": "reading"},
            {**named, "event_id": f"{run} 2", "kind": "run_failed", "failure_code": "no_signal"},
        ]
        told = await admin.client.post("/v1/events", content="\n".join(json.dumps(one) for one in lines))
        assert told.status_code == 200, told.text

    async def waiting() -> dict[str, dict[str, Any]]:
        asked = "{ attentionInbox(sources: [run_failed], first: 200) { items { summary recordId directiveId } } }"
        return {one["summary"]: one for one in (await admin.ask(asked))["attentionInbox"]["items"]}

    await failed("Morning reading")
    item = (await waiting())["Morning reading failed"]
    assert item["directiveId"] is None
    answer = """mutation ($id: ID!) { dismissDirective(directive: {id: $id}, note: "Read by eye.") {
        recordId about answer record { directiveState } } }"""
    told = (await admin.ask(answer, id=item["recordId"]))["dismissDirective"]
    assert told == {"recordId": None, "about": item["recordId"], "answer": "dismissed", "record": None}
    await failed("Evening reading")
    assert {"Evening reading failed"} <= {*await waiting()}
    assert "Morning reading failed" not in await waiting()
    kept = """{ attentionSessions(filter: {sessionKey: {eq: "inbox"}}) { nodes { setAside { edges { answer note
        node { ... on Run { name } } } } } } }"""
    edges = [edge for one in (await admin.ask(kept))["attentionSessions"]["nodes"] for edge in one["setAside"]["edges"]]
    assert {"answer": "dismissed", "note": "Read by eye.", "node": {"name": "Morning reading"}} in edges
    decide = """mutation { decideAttention(session: {source: "tasklore", key: "inbox"}) { withheld directives { id }
        decision { ended moments { moment component } suppressed { moment reason } outputs { summary emitted } } } }"""
    decided = (await admin.ask(decide))["decideAttention"]
    assert not decided["decision"]["ended"]
    assert {"moment": "error", "reason": "dismissed"} in decided["decision"]["suppressed"]
    assert {"moment": "error", "component": "tasks"} in decided["decision"]["moments"]
