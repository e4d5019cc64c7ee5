"""Tools that know their limits, as stories of the sample world, through the API of a running service."""

import json
from collections.abc import AsyncGenerator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.api.conftest import Api, Caller

REPORT = """mutation ($o: [ToolOutcomeInput!]!) { reportToolOutcomes(outcomes: $o) {
    accepted duplicates rejected answers { outcome recordId code field remedy warnings { code } } } }"""
ASK = "mutation ($a: [AskInput!]!) { reportAsks(asks: $a) { accepted duplicates rejected answers { code field } } }"
HEALTH = """query ($t: RecordRefInput!) { toolHealth(tool: $t) { outcomes successes executionErrors
    wrongToolBoundaryRecent lowUtilityRecent userCorrectionsRecent cohesionWarning boundaryAxesTop standing
    regenerationPriority repairPriority lowUtilityRate { rate count of } errors { errorClass count }
    methods { methodKey outcomes standing } tool { name } } }"""
KNOWN = """query ($r: String, $b: Int! = 800) { knownTools(request: $r, budget: $b) { text tokens budget leftOut
    tools { name score health { standing } methods { key selfCheck } recommendations { recommendationKind } } } }"""
EVALUATE = """mutation ($t: RecordRefInput!, $d: Boolean!) { evaluateTools(tool: $t, dryRun: $d) { replayed
    found { recommendationKind methodKey evidenceCount counterCount thresholds }
    recommendations { id state recommendationKind supportedBy { totalCount } counteredBy { totalCount } } } }"""
DECIDE = """mutation ($r: RecordRefInput!, $a: Boolean!) { decideRecommendation(recommendation: $r, accept: $a) {
    record { state decidedBy } } }"""
WHY = {
    "boundaryAxes": ["transport", "extraction"],
    "observedTaskShape": "fetch + extract movie titles",
    "suggestedSplit": "separate HTTP transport from extraction",
    "evidence": "transport succeeded but extracted output remained low utility",
}


def ago(**span: float) -> str:
    return (datetime.now(UTC) - timedelta(**span)).isoformat()


def sample(key: str) -> dict[str, str]:
    return {"source": "sample", "key": key}


def called(key: str, tool: str | dict[str, str], kind: str = "success", **more: Any) -> dict[str, Any]:
    told = {
        "eventId": key,
        "source": "stories",
        "tool": sample(tool) if isinstance(tool, str) else tool,
        "outcomeType": kind,
        "occurredAt": ago(minutes=30),
    }
    return {**told, **({"metadata": WHY} if kind == "wrong_tool_boundary" else {}), **more}


People = dict[str, Caller]


@pytest.fixture
async def people(api: Api) -> AsyncGenerator[People]:
    found = {name: api.caller(name) for name in ("outsider", "agent", "executor", "marex")}
    yield found
    for one in found.values():
        await one.client.aclose()


async def told(caller: Caller, *outcomes: dict[str, Any]) -> list[dict[str, Any]]:
    payload = (await caller.ask(REPORT, o=[*outcomes]))["reportToolOutcomes"]
    assert payload["rejected"] == 0, payload
    return payload["answers"]


async def health(caller: Caller, tool: str, source: str = "sample") -> dict[str, Any]:
    return (await caller.ask(HEALTH, t={"source": source, "key": tool}))["toolHealth"]


async def test_a_film_list_of_low_quality_is_flagged_and_no_silent_success(people: People) -> None:
    caller = people["outsider"]
    before = await health(caller, "web_fetcher")
    await told(
        caller,
        called("film-1", "web_fetcher", method="fetch_url"),
        called("film-2", "web_fetcher", "low_utility", method="extract", metadata={"evidence": "The list is a menu."}),
        called("film-3", "web_fetcher", "wrong_tool_boundary", method="extract"),
    )
    after = await health(caller, "web_fetcher")
    assert (after["lowUtilityRecent"], after["wrongToolBoundaryRecent"]) == (
        before["lowUtilityRecent"] + 1,
        before["wrongToolBoundaryRecent"] + 1,
    )
    assert {*after["boundaryAxesTop"]} == {*before["boundaryAxesTop"], "extraction", "transport"}
    assert after["tool"] == {"name": "web_fetcher"}
    listed = (await caller.ask(KNOWN, r="get the titles of films from a page"))["knownTools"]
    assert listed["tools"][0]["name"] == "web_fetcher"
    assert "low_utility" in listed["text"]
    assert "wrong_tool_boundary" in listed["text"]


async def test_the_same_asked_again_is_a_correction_and_weighs_more_than_an_opinion(people: People) -> None:
    caller = people["outsider"]
    tool = {"key": "table_maker"}
    shape = {"source": "stories", "user": "ben", "session": "films", "taskShape": "list of films"}
    pattern = {"capabilityPattern": ["http_fetch", "html_extract"]}
    await told(caller, called("again-1", tool, ask={"key": "ask-1"}))
    asks = [
        {**shape, **pattern, "eventId": "ask-1", "askedAt": ago(minutes=20)},
        {**shape, **pattern, "eventId": "ask-2", "askedAt": ago(minutes=15)},
        {**shape, "capabilityPattern": ["arithmetic"], "eventId": "ask-3", "askedAt": ago(minutes=12)},
        {**shape, **pattern, "eventId": "ask-4", "askedAt": ago(minutes=1)},
    ]
    assert (await caller.ask(ASK, a=asks))["reportAsks"]["accepted"] == 4
    assert (await caller.ask(ASK, a=asks[::-1]))["reportAsks"]["duplicates"] == 4
    found = await health(caller, "table_maker", "stories")
    assert (found["outcomes"], found["successes"], found["userCorrectionsRecent"]) == (1, 1, 1)
    assert found["lowUtilityRate"]["count"] == 3
    assert found["standing"] == "reliable", "asking again alone is weak evidence"
    query = """query ($n: String!) { userCorrections(filter: {name: {contains: $n}}) { nodes { secondsBetween likeness
        corrects { nodes { sourceKey answeredBy { nodes { outcomeType } } } } madeBy { nodes { sourceKey } } } } }"""
    nodes = (await caller.ask(query, n="asked again after 300"))["userCorrections"]["nodes"]
    [one] = [one for one in nodes if one["corrects"]["nodes"][0]["sourceKey"] == "ask/ask-1"]
    assert one["madeBy"]["nodes"] == [{"sourceKey": "ask/ask-2"}]
    assert one["corrects"]["nodes"][0]["answeredBy"]["nodes"] == [{"outcomeType": "success"}]


async def test_repeated_mismatch_leads_to_a_split_that_a_person_accepts(people: People) -> None:
    caller, agent = people["outsider"], people["agent"]
    tool = {"key": "page_reader"}
    await told(caller, *(called(f"split-{one}", tool, "wrong_tool_boundary") for one in range(3)))
    await told(caller, *(called(f"split-good-{one}", tool) for one in range(4)))
    named = {"source": "stories", "key": "page_reader"}
    dry = (await caller.ask(EVALUATE, t=named, d=True))["evaluateTools"]
    assert [one["recommendationKind"] for one in dry["found"]] == ["split_boundary"]
    assert dry["recommendations"] == []
    kept = (await caller.ask(EVALUATE, t=named, d=False))["evaluateTools"]
    [advice] = kept["recommendations"]
    assert (advice["state"], advice["supportedBy"], advice["counteredBy"]) == (
        "open",
        {"totalCount": 3},
        {"totalCount": 4},
    )
    again = (await caller.ask(EVALUATE, t=named, d=False))["evaluateTools"]
    assert [one["id"] for one in again["recommendations"]] == [advice["id"]]
    assert (await agent.refused(DECIDE, r={"id": advice["id"]}, a=True))["code"] == "approval_required"
    decided = (await caller.ask(DECIDE, r={"id": advice["id"]}, a=True))["decideRecommendation"]
    assert decided["record"]["state"] == "accepted"
    error = await caller.refused(DECIDE, r={"id": advice["id"]}, a=False)
    assert (error["code"], error["field"], bool(error["remedy"])) == ("recommendation_settled", "recommendation", True)
    known = (await caller.ask(KNOWN, r="page reader"))["knownTools"]
    [entry] = [one for one in known["tools"] if one["name"] == "page_reader"]
    assert entry["recommendations"] == [{"recommendationKind": "split_boundary"}]
    assert "accepted: split_boundary" in known["text"]
    assert (await caller.ask(EVALUATE, t=named, d=False))["evaluateTools"]["recommendations"] == []


async def test_plain_arithmetic_carries_no_hint_to_judge_itself(people: People) -> None:
    caller = people["outsider"]
    await told(caller, *(called(f"sum-{one}", "calculator", method="add", durationMs=1) for one in range(3)))
    known = (await caller.ask(KNOWN, r="add numbers"))["knownTools"]
    [entry] = [one for one in known["tools"] if one["name"] == "calculator"]
    assert entry["methods"] == [{"key": "add", "selfCheck": None}]
    lines = known["text"].splitlines()
    start = lines.index("- calculator: Adds, multiplies and rounds numbers.")
    assert "judge" not in "\n".join(lines[start : start + 3])
    assert (await health(caller, "calculator"))["standing"] == "reliable"
    small = (await caller.ask(KNOWN, r=None, b=60))["knownTools"]
    assert small["tokens"] <= 60


async def test_feeds_that_are_fetched_again_and_again_come_by_telemetry_and_are_counted_once(people: People) -> None:
    """The baseline: three feeds, several times over. Who sends spans need not report as well."""
    executor, caller = people["executor"], people["outsider"]
    now = int(datetime.now(UTC).timestamp() * 1e9) - 10**11
    spans: list[dict[str, Any]] = [
        _span(0, now, [], root=True),
        *(_span(one, now, [("gen_ai.operation.name", "execute_tool"), ("gen_ai.tool.name", "feed_tool"),
            ("tasklore.tool_method", feed)], failed=feed == "nyt")
          for one, feed in enumerate(("google", "yahoo", "nyt", "google", "yahoo", "nyt"), 1)),
    ]  # fmt: skip
    held = {"memory_mode": "standard", "data_class": "internal", "matters": ""}
    policy = [_told(f"tasklore.{name}", value) for name, value in held.items()]
    body = {"resourceSpans": [{"resource": {"attributes": policy}, "scopeSpans": [{"spans": spans}]}]}
    for _ in range(2):
        sent = await executor.client.post(
            "/v1/traces", content=json.dumps(body), headers={"content-type": "application/json"}
        )
        assert (sent.status_code, sent.json()) == (200, {})
    found = await health(caller, "feed_tool", "otel")
    assert (found["outcomes"], found["successes"], found["executionErrors"]) == (6, 4, 2)
    assert found["errors"] == [{"errorClass": "environment", "count": 2}]
    assert [(one["methodKey"], one["outcomes"]) for one in found["methods"]] == [
        ("google", 2),
        ("nyt", 2),
        ("yahoo", 2),
    ]
    run = {"source": "otel", "key": f"{7:032x}"}
    line = {"event_id": "feed-1", "source": "otel", "tool": {"key": "feed_tool"}, "outcome_type": "low_utility",
        "occurred_at": ago(minutes=1), "run": run, "span_key": f"{101:016x}"}  # fmt: skip
    lines = f"{json.dumps(line)}\n{json.dumps(line)}\nno json\n"
    answer = await people["outsider"].client.post("/v1/tool-outcomes", content=lines)
    assert [json.loads(one)["outcome"] for one in answer.text.splitlines()] == ["accepted", "duplicate", "rejected"]
    assert answer.status_code == 207
    after = await health(caller, "feed_tool", "otel")
    assert (after["outcomes"], after["successes"], after["lowUtilityRecent"]) == (6, 3, 1)


def _told(key: str, value: str) -> dict[str, Any]:
    return {"key": key, "value": {"stringValue": value}}


def _span(
    number: int, at: int, said: list[tuple[str, str]], *, root: bool = False, failed: bool = False
) -> dict[str, Any]:
    failure = [("error.type", "HTTP 503")] if failed else []
    return {
        "traceId": f"{7:032x}",
        "spanId": f"{100 + number:016x}",
        **({} if root else {"parentSpanId": f"{100:016x}"}),
        "name": "feeds" if root else f"execute_tool {number}",
        "kind": 1,
        "startTimeUnixNano": str(at + number),
        "endTimeUnixNano": str(at + 10**9 + number * 10**6),
        "attributes": [_told(key, value) for key, value in (*said, *failure)],
        "status": {"code": 2} if failed else {},
    }


async def test_a_badly_standing_tool_is_told_where_its_capability_is_used_and_removes_nothing(people: People) -> None:
    caller = people["outsider"]
    match = """query ($r: MatchRequest!) { matchTemplates(request: $r) {
        outcome recommended { name } warnings { code message } } }"""
    request = {"text": "Draft a complaint"}
    before = (await caller.ask(match, r=request))["matchTemplates"]
    await told(caller, *(called(f"cite-{one}", "citation_checker", "low_utility", method="check") for one in range(4)))
    after = (await caller.ask(match, r=request))["matchTemplates"]
    assert (after["outcome"], after["recommended"]) == (before["outcome"], before["recommended"])
    told_of = [one for one in after["warnings"] if one not in before["warnings"]]
    assert [one["code"] for one in told_of] == ["warning.capability_historically_unreliable"]
    assert "citation_checker" in told_of[0]["message"]


async def test_what_another_matter_reports_changes_nothing_for_who_may_not_see_it(api: Api, people: People) -> None:
    insider, outsider = people["marex"], people["outsider"]
    closed = {"matterIds": [api.matters["Marex"]], "dataClass": "privileged"}
    await told(outsider, called("open-1", "feed_reader", method="latest"))
    seen = [
        await health(outsider, "feed_reader"),
        (await outsider.ask(KNOWN, r="latest entries of a feed"))["knownTools"],
    ]
    await told(insider, *(called(f"closed-{one}", "feed_reader", "wrong_tool_boundary", **closed) for one in range(4)))
    asks = {"source": "stories", "user": "eve", "session": "x", **closed, "capabilityPattern": ["a"]}
    await insider.ask(ASK, a=[{**asks, "eventId": f"closed-{one}", "askedAt": ago(minutes=one)} for one in (1, 2)])
    [advice] = (await insider.ask(EVALUATE, t=sample("feed_reader"), d=False))["evaluateTools"]["recommendations"]
    assert (await health(insider, "feed_reader"))["wrongToolBoundaryRecent"] == 4
    assert [
        await health(outsider, "feed_reader"),
        (await outsider.ask(KNOWN, r="latest entries of a feed"))["knownTools"],
    ] == seen
    assert (await outsider.ask(EVALUATE, t=sample("feed_reader"), d=True))["evaluateTools"]["found"] == []
    assert (await outsider.ask("query ($i: ID!) { node(id: $i) { id } }", i=advice["id"]))["node"] is None
