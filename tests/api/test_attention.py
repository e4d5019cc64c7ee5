"""Attention as a user's interface has it: over HTTP and a socket, by a service that decides by itself."""

import asyncio
from contextlib import aclosing
from datetime import UTC, datetime, timedelta
from typing import Any

from service import clock
from tests.api.conftest import Api, Caller
from tests.api.sockets import subscribed

REPORT = """mutation ($events: [AgentEventInput!]!) { reportAgentEvents(events: $events) {
    accepted rejected answers { sessionId code message } } }"""
FOLLOW = """subscription ($after: String) { attentionDirectives(after: $after) { cursor directiveId state
    output { summary detail action modeCode classCode viewCommands { command } } directive { directiveState } } }"""
MODE = 'mutation { setAttentionMode(mode: advisory, surface: "oven") { record { mode surface } } }'
DISMISS = "mutation ($id: ID!) { dismissDirective(directive: {id: $id}) { record { directiveState answeredAt } } }"
DECIDE = "mutation ($s: ID!) { decideAttention(session: {id: $s}) { recordId } }"
TRACES = """query ($s: String!) { policyTraces(filter: {sessionId: {eq: $s}}) { nodes {
    id byItself mode emittedCount rulesFired emitted { nodes { id } } readEvents { nodes { eventType } } } } }"""
REPLAY = "query ($id: ID!) { replayAttention(trace: {id: $id}) { outcome sameRules then { moments { code } } } }"

SECONDS = 60
"""Two on a machine of its own: the bench measures it."""


def _events(session: str) -> list[dict[str, Any]]:
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


async def test_a_user_is_asked_by_itself_soon_and_answers(api: Api, admin: Caller) -> None:
    assert (await admin.ask(MODE))["setAttentionMode"]["record"] == {"mode": "advisory", "surface": "oven"}
    warm = (await admin.ask(REPORT, events=_events("warm")))["reportAgentEvents"]
    await admin.ask(DECIDE, s=warm["answers"][0]["sessionId"])  # the statements are planned once
    after = (await admin.ask("{ events(first: 1) { head } }"))["events"]["head"]
    async with aclosing(subscribed(api.service.url, api.keys["admin"], FOLLOW, after=after)) as payloads:
        told = (await admin.ask(REPORT, events=_events("supper")))["reportAgentEvents"]
        assert (told["accepted"], told["rejected"]) == (3, 0), told
        async with asyncio.timeout(SECONDS):
            raised = (await anext(payloads))["data"]["attentionDirectives"]
    assert (raised["state"], raised["output"]["modeCode"], raised["output"]["classCode"]) == ("open", "M1", "I2_REVIEW")
    assert (raised["output"]["summary"], raised["output"]["viewCommands"]) == ("Let's simplify", [])
    answered = (await admin.ask(DISMISS, id=raised["directiveId"]))["dismissDirective"]["record"]
    assert answered["directiveState"] == "dismissed"
    traces = (await admin.ask(TRACES, s=told["answers"][0]["sessionId"]))["policyTraces"]["nodes"]
    [trace] = [one for one in traces if one["emittedCount"]]
    assert (trace["byItself"], trace["mode"]) == (True, "advisory")
    assert [one["id"] for one in trace["emitted"]["nodes"]] == [raised["directiveId"]]
    assert "POLICY_OVERLOAD_RECOVERY_v1" in trace["rulesFired"]
    again = (await admin.ask(REPLAY, id=trace["id"]))["replayAttention"]
    assert (again["outcome"], again["sameRules"]) == ("identical", True)
    assert [one["code"] for one in again["then"]["moments"]] == ["MOMENT_OVERLOAD"]
