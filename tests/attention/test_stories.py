"""Two users of other trades, by the API alone: what each has to expect is said first."""

from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import pytest

from resolvers.engine.context import Context
from resolvers.engine.execution import ReadSchema
from resolvers.schema import build_schema
from service import clock
from service.access.viewer import KeyScope
from tests.attention.desk import Desk
from tests.viewers import viewer_of

pytestmark = pytest.mark.slow

REPORT = """mutation ($events: [AgentEventInput!]!) { reportAgentEvents(events: $events) {
    rejected answers { sessionId code field message } } }"""
DECIDE = """mutation ($source: String!, $key: String!, $at: Timestamp!) {
    decideAttention(session: {source: $source, key: $key}, at: $at) { withheld directives { id summary detail }
    decision { traceId moments { moment } gates { maxDirectives verbosity proactiveAllowed }
      suppressed { moment reason }
      outputs { emitted action critical summary detail options optionsLeftOut ruleId } } } }"""
MODE = "mutation ($surface: String) { setAttentionMode(mode: advisory, surface: $surface) { version } }"
ACT = "mutation ($id: ID!) { actOnDirective(directive: {id: $id}) { record { directiveState } } }"
DISMISS = 'mutation ($id: ID!) { dismissDirective(directive: {id: $id}, note: "Later") { record { directiveState } } }'
RULE = "mutation ($input: AttentionRuleInput!) { saveAttentionRule(input: $input) { record { ruleId } } }"
INBOX = "{ attentionInbox { totalCount items { source summary urgency reasons } } }"
FIGURES = """{ attentionReport { sessions decisions missed dismissed
    figures { mode moment raised right tooMany unanswered } } }"""


class Office:
    """The API as one user has it. All times are counted from a beginning a few minutes ago."""

    def __init__(self, desk: Desk, schema: ReadSchema, user: str, source: str, component: str) -> None:
        self._desk = desk
        self._schema = schema
        self._user = user
        self._source = source
        self._component = component
        self._start = datetime.now(UTC) - timedelta(minutes=5)
        self._numbers = count()

    def at(self, seconds: float) -> str:
        return clock.stamp(self._start + timedelta(seconds=seconds))

    async def ask(self, document: str, **variables: Any) -> dict[str, Any]:
        scopes = (KeyScope.read, KeyScope.report, KeyScope.curate)
        viewer = await viewer_of(self._desk.database, self._user, scopes=scopes)
        context = Context(viewer, self._desk.database, "request", self._desk.services)
        answer = await self._schema.execute(document, variables, context)
        assert answer.errors is None, answer.errors
        assert answer.data
        return answer.data

    def event(self, kind: str, seconds: float, **payload: Any) -> dict[str, Any]:
        session = {"source": self._source, "key": "shift"}
        named = {"eventId": f"{next(self._numbers)}", "eventType": kind, "occurredAt": self.at(seconds)}
        return {**named, "session": session, "component": self._component, "payload": payload}

    async def tell(self, *events: dict[str, Any]) -> None:
        told = (await self.ask(REPORT, events=[*events]))["reportAgentEvents"]
        assert told["rejected"] == 0, told

    async def decide(self, seconds: float) -> dict[str, Any]:
        asked = {"source": self._source, "key": "shift", "at": self.at(seconds)}
        return (await self.ask(DECIDE, **asked))["decideAttention"]


@pytest.fixture(scope="module")
def schema() -> ReadSchema:
    return build_schema()


async def test_a_nurse_at_night_is_told_one_thing_at_a_time(desk: Desk, schema: ReadSchema) -> None:
    """She has told that much becomes too much, and that few words are enough.

    A blocked pump is critical by a rule of the ward: it comes first, and nothing beside it. The question about the
    lines has five answers: it comes when the pump is settled, with three of them. A battery that she dismisses is not
    told again, though it is reported again.
    """
    ward = Office(desk, schema, "prin_nurse", "ward", "infusion_monitor")
    await ward.ask(MODE, surface="infusion_monitor")
    rule = {"name": "Blocked pump", "ruleId": "POLICY_PUMP_BLOCKED_v1", "moment": "finding", "urgency": ["1"]}
    rule |= {"components": ["infusion_monitor"], "findingKinds": ["occlusion"], "interventionClass": "intervene"}
    await ward.ask(RULE, input={**rule, "summary": "Pump {pump} in bed {bed:.0f} is blocked"})
    sure = {"confidence": 0.9}
    await ward.tell(
        ward.event("user_feedback", 0, dimension="cognitive_load_sensitivity", value=0.8, **sure),
        ward.event("user_feedback", 1, dimension="guidance_density", value=0.2, **sure),
        ward.event("user_action", 2, action="open_chart"),
    )
    lines = [{"id": f"{one}", "label": f"Line {one}"} for one in range(5)]
    battery = {"summary": "A battery is low", "findingId": "battery", "hint": "Change it."}
    await ward.tell(
        ward.event("attention_requested", 3, **battery),
        ward.event("decision_required", 4, question="Which line first?", decisionId="line", options=lines),
        ward.event("attention_requested", 5, findingKind="occlusion", values={"pump": "B", "bed": 12}),
    )
    first = await ward.decide(6)
    [pump] = first["directives"]
    assert (pump["summary"], pump["detail"]) == ("Pump B in bed 12 is blocked", "Pump B in bed 12 is blocked")
    gates = {"maxDirectives": 1, "verbosity": "summary_only", "proactiveAllowed": True}
    assert (first["decision"]["gates"], first["decision"]["outputs"][0]["critical"]) == (gates, True)
    assert {one["reason"] for one in first["decision"]["suppressed"]} == {"too_many_at_once"}
    await ward.ask(ACT, id=pump["id"])
    second = await ward.decide(7)
    [line] = second["decision"]["outputs"]
    assert (line["action"], line["options"], line["optionsLeftOut"]) == ("decide", ["Line 0", "Line 1", "Line 2"], 2)
    await ward.tell(ward.event("user_action", 8, action="decided", decisionId="line"))
    await ward.ask(ACT, id=second["directives"][0]["id"])
    third = await ward.decide(9)
    [low] = third["directives"]
    assert low["summary"] == "A battery is low"
    await ward.ask(DISMISS, id=low["id"])
    await ward.tell(ward.event("attention_requested", 10, **battery))
    fourth = await ward.decide(11)
    assert fourth["directives"] == []
    assert {"moment": "finding", "reason": "dismissed"} in fourth["decision"]["suppressed"]
    figures = (await ward.ask(FIGURES))["attentionReport"]
    assert (figures["sessions"], figures["dismissed"]) == (1, 1)
    told = {one["moment"]: (one["raised"], one["right"], one["tooMany"]) for one in figures["figures"]}
    assert told == {"decision_required": (1, 1, 0), "finding": (2, 1, 1)}


async def test_a_translator_who_leads_herself_is_left_alone_until_she_asks(desk: Desk, schema: ReadSchema) -> None:
    """At first it only watches: a failed check and a term that differs are kept as what would have been told.

    Then she lets it advise. She has told that she leads herself: of the term nothing is said, of the check that failed
    it is. When she asks for help the terms come. What she has not answered waits in her inbox, and in nobody else's.
    """
    desk_of = Office(desk, schema, "prin_translator", "bureau", "cat_editor")
    await desk_of.tell(
        desk_of.event("user_feedback", 0, dimension="initiative_tolerance", value=0.1, confidence=0.9),
        desk_of.event("user_action", 1, action="type"),
        desk_of.event("attention_requested", 2, summary="'Vertrag' is 'contract' elsewhere", findingId="term-1"),
        desk_of.event("analysis_failed", 3, message="The check of numbers did not run", hint="Run it again."),
    )
    watched = await desk_of.decide(4)
    assert (watched["directives"], watched["withheld"]) == ([], 1)
    assert [one["emitted"] for one in watched["decision"]["outputs"]] == [False]
    await desk_of.ask(MODE, surface=None)
    advised = await desk_of.decide(5)
    [check] = advised["directives"]
    assert check["detail"].endswith("Try: Run it again.")
    assert advised["decision"]["suppressed"] == [{"moment": "finding", "reason": "not_proactive"}]
    await desk_of.tell(desk_of.event("user_action", 6, action="help"))
    asked = await desk_of.decide(7)
    assert [one["summary"] for one in asked["directives"]] == ["'Vertrag' is 'contract' elsewhere"]
    inbox = (await desk_of.ask(INBOX))["attentionInbox"]
    assert {one["summary"] for one in inbox["items"]} == {check["summary"], asked["directives"][0]["summary"]}
    other = Office(desk, schema, "prin_other", "bureau", "cat_editor")
    assert (await other.ask(INBOX))["attentionInbox"]["totalCount"] == 0
