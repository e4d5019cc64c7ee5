"""The pages of what was learned, over HTTP: what their buttons and forms do."""

from collections.abc import AsyncGenerator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from service.access.viewer import OPERATOR, KeyScope
from service.principals.owner import operator_commands
from tests.api.conftest import Api, Caller
from tests.pages.addresses import address_of
from tests.pages.reading import Form, Reading

PROMPT = "Review the lease and tell the client what you think. It should be thorough."
PART = {"hx-request": "true"}


@pytest.fixture
async def browser(api: Api) -> AsyncGenerator[httpx.AsyncClient]:
    token = await operator_commands(api.database).create_sign_in(OPERATOR, "admin", [*KeyScope])
    async with httpx.AsyncClient(base_url=api.service.url, headers={"origin": api.service.url}, timeout=60) as client:
        await client.post("/signin", data={"token": token.text or ""})
        yield client


async def test_a_prompt_is_judged_by_a_form_and_stands_in_no_address(browser: httpx.AsyncClient) -> None:
    page = await browser.get("/prompts")
    [form] = _forms(page, "check-prompt")
    assert "Underconstrained" not in page.text
    told = await browser.post("/do/check-prompt", data=form.fields | {"text": PROMPT})
    assert (told.status_code, "Underconstrained" in told.text, "[added]" in told.text) == (200, True, True)
    assert "<mark>" in told.text
    part = await browser.post(
        "/do/check-prompt", data=form.fields | {"text": PROMPT}, headers={**PART, "hx-target": "answer"}
    )
    assert part.text.strip().startswith('<div id="answer"')
    foreign = await browser.post("/do/check-prompt", data=form.fields | {"text": PROMPT, "token": "0" * 64})
    assert (foreign.status_code, "form_not_ours" in foreign.text) == (400, True)


async def test_a_run_is_assessed_from_its_page(browser: httpx.AsyncClient, admin: Caller) -> None:
    page = await browser.get("/runs/sample:run-marex-complaint/context")
    [form] = _forms(page, "assess-run")
    assert (await browser.post("/do/assess-run", data=form.fields)).status_code == 303
    run = form.fields["run"]
    found = await admin.ask(
        "query ($run: String!) { assessments(filter: {runId: {eq: $run}}) { nodes { id } } }", run=run
    )
    [kept] = found["assessments"]["nodes"]
    again = await browser.get("/runs/sample:run-marex-complaint/context")
    assert f'/assessments/{kept["id"]}"' in again.text


async def test_what_a_finding_suggests_waits_with_its_buttons(browser: httpx.AsyncClient, admin: Caller) -> None:
    page = await browser.get(await address_of(admin, "assessments/one"))
    assert "Wire Damages memo on Calder as explicit context" in page.text
    assert _forms(page, "approve-proposal")
    [save] = _forms(page, "save-work-product")
    assert save.fields["artifact"].startswith("art_")


async def test_results_are_told_by_group_and_variant(admin: Caller) -> None:
    dataset = (await address_of(admin, "evaluations/one")).rpartition("/")[2]
    query = """query ($id: ID!) { evalResults(dataset: {id: $id}) {
      candidates { candidate scorerKind meanScore }
      slices { slice examples candidates { candidate scorerKind meanScore } } } }"""
    told = (await admin.ask(query, id=dataset))["evalResults"]
    groups = {one["slice"]: one for one in told["slices"]}
    assert [*groups] == ["long", "scanned", "short"]
    best = {name: one["candidates"][0]["candidate"] for name, one in groups.items()}
    assert best == {"long": "With a page for each claim", "scanned": "As it is", "short": "As it is"}
    judged = [one["meanScore"] for one in told["candidates"] if one["scorerKind"] == "judge"]
    assert judged == [0.6833, 0.625]
    page = (await admin.client.get(f"/evaluations/{dataset}")).text
    assert "With a page for each claim on long: 78%" in page


async def test_a_winner_is_proposed_from_its_prompt(browser: httpx.AsyncClient, admin: Caller) -> None:
    address = await address_of(admin, "prompts/one")
    [form] = _forms(await browser.get(address), "propose-prompt")
    done = await browser.post("/do/propose-prompt", data=form.fields | {"rationale": "Long pleadings are better."})
    assert done.status_code == 303
    queue = await admin.ask("{ reviewQueue(first: 50, kind: prompt_update_proposal) { items { proposalId } } }")
    assert len(queue["reviewQueue"]["items"]) == 1


async def test_a_recommendation_is_made_and_accepted(browser: httpx.AsyncClient, admin: Caller) -> None:
    await _hand_back(admin)
    listed = await browser.get("/tools?request=get+pages+from+the+web")
    assert "web_fetcher" in listed.text
    [look] = _forms(await browser.get("/tools/sample:web_fetcher"), "evaluate-tools")
    assert (await browser.post("/do/evaluate-tools", data=look.fields)).status_code == 303
    page = await browser.get("/tools/sample:web_fetcher")
    assert "It does several jobs." in page.text
    accept = next(one for one in _forms(page, "decide-recommendation") if one.fields["accept"] == "true")
    counted = "{ recommendations(filter: {state: {in: [accepted]}}) { totalCount } }"
    before = (await admin.ask(counted))["recommendations"]["totalCount"]
    assert (await browser.post("/do/decide-recommendation", data=accept.fields)).status_code == 303
    assert (await admin.ask(counted))["recommendations"]["totalCount"] == before + 1


async def test_a_directive_is_answered_from_the_inbox(browser: httpx.AsyncClient, admin: Caller) -> None:
    await admin.ask('mutation { setAttentionMode(mode: advisory, surface: "page_reader") { recordId } }')
    await admin.ask(_ASKED, at=_ago(seconds=5))
    # The service may have decided by itself meanwhile; either way there is one directive.
    await admin.ask('mutation { decideAttention(session: {source: "pages", key: "inbox"}) { withheld } }')
    raised = await admin.ask('{ attentionDirectives(filter: {surface: {eq: "page_reader"}}) { nodes { id } } }')
    [directive] = raised["attentionDirectives"]["nodes"]
    page = await browser.get("/attention?sources=directive")
    options = [one.fields["option"] for one in _forms(page, "act-on-directive") if "option" in one.fields]
    assert {"Send it", "Keep it"} <= {*options}
    chosen = next(one for one in _forms(page, "act-on-directive") if one.fields.get("option") == "Keep it")
    assert (await browser.post("/do/act-on-directive", data=chosen.fields)).status_code == 303
    query = "query ($id: ID!) { node(id: $id) { ... on AttentionDirective { directiveState chosenOption } } }"
    told = (await admin.ask(query, id=directive["id"]))["node"]
    assert told == {"directiveState": "acted", "chosenOption": "Keep it"}


async def test_artifacts_are_found_by_filters_alone_or_it_is_said_why_not(admin: Caller) -> None:
    run = (await admin.ask('{ run(source: "sample", key: "run-calder-complaint") { id } }'))["run"]["id"]
    page = await admin.client.get(f"/artifacts?runs={run}&kinds=document")
    assert "Draft against Calder" in page.text
    assert "Kitchen quotes side by side" not in page.text
    none = await admin.client.get(f"/artifacts?runs={run}&kinds=email")
    assert "passes the filters" in none.text
    assert 'href="/artifacts"' in none.text
    assert "No artifact" in (await admin.client.get("/artifacts?text=sourdough")).text


def _forms(page: httpx.Response, name: str) -> list[Form]:
    return [one for one in Reading(page.text).posts if one.attributes["action"] == f"/do/{name}"]


def _ago(**past: float) -> str:
    return (datetime.now(UTC) - timedelta(**past)).isoformat()


_ASKED = """mutation ($at: String!) { reportAgentEvents(events: [{eventId: "ask", eventType: "decision_required"
  occurredAt: $at, session: {source: "pages", key: "inbox"}, component: "page_reader", dataClass: "internal"
  payload: {question: "Shall the letter be sent?", decisionId: "letter"
    options: [{id: "send", label: "Send it"}, {id: "keep", label: "Keep it"}]}}]) { accepted } }"""


async def _hand_back(admin: Caller) -> None:
    """Calls of these days that one tool handed back, on several axes."""
    outcomes: list[dict[str, Any]] = [
        {
            "eventId": f"page-{axis}",
            "source": "sample",
            "tool": {"key": "web_fetcher"},
            "method": "extract",
            "occurredAt": _ago(hours=1),
            "outcomeType": "wrong_tool_boundary",
            "metadata": {"boundaryAxes": [axis], "observedTaskShape": "titles", "evidence": "Nothing came of it."},
        }
        for axis in ("parsing", "rendering", "transport", "login")
    ]
    reported = "mutation ($o: [ToolOutcomeInput!]!) { reportToolOutcomes(outcomes: $o) { accepted answers { code } } }"
    told = (await admin.ask(reported, o=outcomes))["reportToolOutcomes"]
    assert told["accepted"] == 4, told
