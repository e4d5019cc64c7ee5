"""Not seen means not there: sessions, events, directives and decisions of attention."""

from graph_schema.registry import REGISTRY
from tests.api.conftest import Caller
from tests.api.marked import CLASSED, HIDDEN, OF_MATTER, TIMES, marked_id, ref

DECIDE = "mutation ($r: RecordRefInput!) { decideAttention(session: $r) { recordId } }"
DECISION = "query ($r: RecordRefInput!) { attentionDecision(trace: $r) { traceId } }"
REPLAY = "query ($r: RecordRefInput!) { replayAttention(trace: $r) { outcome } }"
DISMISS = "mutation ($r: RecordRefInput!) { dismissDirective(directive: $r) { recordId } }"
ACT = "mutation ($r: RecordRefInput!) { actOnDirective(directive: $r) { recordId } }"
SNOOZE = "mutation ($r: RecordRefInput!) { snoozeDirective(directive: $r) { recordId } }"
REPORT = """mutation ($events: [AgentEventInput!]!) { reportAgentEvents(events: $events) {
    rejected answers { code field message } } }"""


async def test_what_is_hidden_is_answered_as_what_is_missing(stranger: Caller) -> None:
    named = {DECIDE: "AttentionSession", DECISION: "PolicyTrace", REPLAY: "PolicyTrace"}
    named |= dict.fromkeys((DISMISS, ACT, SNOOZE), "AttentionDirective")
    for query, label in named.items():
        kind = REGISTRY.types[label]
        told = [
            (one["code"], one["message"].replace(hidden, "-"))
            for hidden in (marked_id(kind, CLASSED), marked_id(kind, OF_MATTER), f"{kind.prefix}_missing")
            for one in [await stranger.refused(query, r=ref(hidden))]
        ]
        assert told == [told[-1]] * 3, query
        assert told[-1][0] == "not_found"


async def test_events_point_at_nothing_that_their_reporter_cannot_see(stranger: Caller) -> None:
    kind = REGISTRY.types["Run"]
    hidden = [marked_id(kind, CLASSED), marked_id(kind, OF_MATTER), "run_missing"]
    events = [
        {
            "eventId": f"e{place}",
            "eventType": "user_action",
            "occurredAt": "2026-01-01T00:00:00Z",
            "session": {"source": "x", "key": "y"},
            "component": "c",
            "payload": {"action": "open"},
            "records": [{"id": one}],
        }
        for place, one in enumerate(hidden)
    ]
    session = marked_id(REGISTRY.types["AttentionSession"], OF_MATTER)
    events += [{**events[0], "records": [], "session": {"id": one}} for one in (session, "atse_missing")]
    told = (await stranger.ask(REPORT, events=events))["reportAgentEvents"]
    assert told["rejected"] == 5
    assert {one["code"] for one in told["answers"]} == {"not_found"}
    assert [one["field"] for one in told["answers"]] == ["records"] * 3 + ["session"] * 2


async def test_lists_and_figures_are_made_of_what_may_be_seen(stranger: Caller) -> None:
    inbox = (await stranger.ask("{ attentionInbox(first: 200) { items { recordId } } }"))["attentionInbox"]
    assert not {one["recordId"] for one in inbox["items"]} & {*HIDDEN}
    report = "query ($s: Timestamp!, $u: Timestamp!) { attentionReport(since: $s, until: $u) { sessions decisions } }"
    found = (await stranger.ask(report, s=TIMES[0], u=TIMES[0]))["attentionReport"]
    assert found["sessions"] == 1
    model = (await stranger.ask("{ userModel { modelId maxDirectives modes { surface mode } } }"))["userModel"]
    assert model == {"modelId": None, "maxDirectives": 2, "modes": [{"surface": "*", "mode": "shadow"}]}
    policy = (await stranger.ask("{ attentionPolicy { rulesVersion modes { code mustNot } } }"))["attentionPolicy"]
    assert [one["code"] for one in policy["modes"]] == ["M0", "M1", "M2"]
