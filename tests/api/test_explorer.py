"""The explorer: every example is answered from the sample world, and in a real browser it does what a newcomer does."""

import asyncio
import json
import re
from collections.abc import AsyncGenerator
from typing import Any

import httpx
import pytest
from graphql import OperationDefinitionNode, parse
from playwright.async_api import Page, Request, expect

from service.access.viewer import OPERATOR, KeyScope
from service.principals.owner import operator_commands
from service.principals.pages import sign_in_address
from service.web.explorer.routes import examples
from tests.api.conftest import Api, Caller
from tests.api.sockets import subscribed
from tests.browser import a_page

SEEN = {
    "Which template fits a request, and why not the others": "Complaint Evaluation fits",
    "A request that nothing fits": "nothing_fits",
    "Should a request become a saved task?": "background_or_recurring_saved_task",
    "What will go wrong with a task before it runs, and what it costs": "nobody is asked before",
    "Is this tool still the right one?": "referrals",
    "What learning proposes, and what a replay of the past says of it": "nextStep",
    "What a module was given, and what was kept from it": "wrong_task_type",
    "Why a module was not given something": "was kept out by the gate",
    "Did anything come from outside a run's scope?": "comes from outside",
    "A run, step by step, with its costs and what does not look right": "Draft the complaint",
    "Why a run waits, and for whom": "May the draft opposition go to co-counsel?",
    "Runs about somebody, newest first, with what they made": "produced",
    "How every task does: counts, times, costs": "Narayanan docket monitor",
    "Where a document came from, in a sentence": "Amended complaint",
    "All that went into it, level by level": "Exhibit A: desk ledgers 2023 to 2025",
    "What was made from a document since, and what has left the house": "Marex case file",
    "The matters, who is involved in them, and their goals": "Julian Calder",
    "Search by meaning, with the parts of every score": "semantic",
    "Find something that a run made, and see who made it": "semantic",
    "Save a goal; send it twice and see that it is carried out once": "Quieter inbox",
    "What a record was before": "Complaint Evaluation",
    "What happened, in order": "created",
    "Who you are to the service": "admin",
}
"""A word of each answer that only the sample world, or who asks, can have given."""

QUERIES = [one for one in examples() if "subscription" not in one["query"]]


@pytest.mark.parametrize("example", QUERIES, ids=lambda one: one["title"])
async def test_every_example_is_answered_from_the_sample_world(admin: Caller, example: dict[str, str]) -> None:
    answer = await admin.ask(example["query"])
    assert SEEN[example["title"]] in json.dumps(answer, ensure_ascii=False)


def test_there_are_examples_of_every_headline_and_their_operations_have_names() -> None:
    names: list[str] = []
    for one in examples():
        [operation] = parse(one["query"]).definitions
        assert isinstance(operation, OperationDefinitionNode)
        assert operation.name
        assert one["group"]
        names.append(operation.name.value)
    assert len(names) == len(set(names)) >= 15
    assert len({one["title"] for one in examples()}) == len(names)


async def test_the_example_subscription_hears_of_a_change(api: Api, admin: Caller) -> None:
    query = next(one["query"] for one in examples() if "subscription" in one["query"])
    payloads = subscribed(api.service.url, api.keys["admin"], query)
    first = asyncio.ensure_future(anext(payloads))
    while not first.done():
        await admin.ask(
            'mutation ($name: String!) { savePreference(input: {name: $name, statement: "S"}) { version } }',
            name=f"Heard {id(first)}",
        )
        await asyncio.wait([first], timeout=1)
    assert (await first)["data"]["events"]["kind"] == "preference.created"
    await payloads.aclose()


async def test_its_files_are_our_own_and_need_a_key(api: Api, nobody: Caller, admin: Caller) -> None:
    page = await admin.client.get("/explorer")
    assert "http" not in page.text.replace("http-equiv", "")
    assert "script-src 'self'" in page.headers["content-security-policy"]
    assert (await admin.client.get("/explorer/files/graphiql.js")).is_success
    assert (await admin.client.get("/explorer/files/..%2fsecret")).status_code == 404
    assert (await nobody.client.get("/explorer")).status_code == 401


@pytest.fixture
async def page(api: Api) -> AsyncGenerator[Page]:
    async with a_page() as page:
        yield page


async def _sign_in(api: Api, page: Page) -> None:
    token = await operator_commands(api.database).create_sign_in(OPERATOR, "admin", [*KeyScope])
    await page.goto(sign_in_address(api.service.url, token.text or ""))
    await page.wait_for_url(f"{api.service.url}/home")


async def test_somebody_signs_in_types_a_query_chooses_examples_and_sees_answers(api: Api, page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(_operation(request)))
    await _sign_in(api, page)
    await page.goto(f"{api.service.url}/explorer")
    await page.wait_for_selector(".graphiql-query-editor .CodeMirror")
    await expect(page.locator("#viewer")).to_contain_text("Signed in as admin, sees up to local_only")
    await expect(page.locator("#signout")).to_be_visible()
    await page.click(".graphiql-query-editor .CodeMirror")
    await page.keyboard.press("Control+A")
    await page.keyboard.press("Delete")
    await page.keyboard.type("{ viewer { name ", delay=5)
    await page.keyboard.press("Control+Enter")
    await expect(page.locator(".result-window")).to_contain_text("admin")
    for title in ("Where a document came from, in a sentence", "Why a module was not given something"):
        await page.select_option("#examples", label=title)
        await expect(page.locator(".graphiql-query-editor")).to_contain_text(title)
        await page.click(".graphiql-execute-button")
        await expect(page.locator(".result-window")).to_contain_text(SEEN[title])
    assert asked.count("IntrospectionQuery") == 1


async def test_an_example_that_was_changed_comes_back_when_it_is_chosen_again(api: Api, page: Page) -> None:
    await _sign_in(api, page)
    await page.goto(f"{api.service.url}/explorer")
    await page.wait_for_selector(".graphiql-query-editor .CodeMirror")
    for _ in range(2):
        await page.select_option("#examples", label="Who you are to the service")
        await expect(page.locator(".graphiql-query-editor")).to_contain_text("WhoAmI")
        await page.click(".graphiql-query-editor .CodeMirror")
        await page.keyboard.press("Control+A")
        await page.keyboard.press("Delete")
        await expect(page.locator(".graphiql-query-editor")).not_to_contain_text("WhoAmI")


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_it_is_light_or_dark_as_the_system_is(api: Api, page: Page, scheme: str) -> None:
    await page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    await _sign_in(api, page)
    await page.goto(f"{api.service.url}/explorer")
    await page.wait_for_selector(".graphiql-query-editor .CodeMirror")
    shades = [await _lightness(page, place) for place in ("body", ".graphiql-container")]
    assert all((shade < 128) == (scheme == "dark") for shade in shades)


async def test_who_is_no_longer_signed_in_is_told_so(api: Api, page: Page) -> None:
    await _sign_in(api, page)
    await page.goto(f"{api.service.url}/explorer")
    await expect(page.locator("#viewer")).to_contain_text("Signed in as admin")
    await page.context.clear_cookies()
    await page.click(".graphiql-execute-button")
    await expect(page.locator("#viewer")).to_contain_text("Not signed in")
    await expect(page.locator("#signout")).to_be_hidden()


def _operation(request: Request) -> str:
    sent: dict[str, Any] = json.loads(request.post_data or "{}") if request.url.endswith("/graphql") else {}
    return sent.get("operationName") or ""


async def _lightness(page: Page, place: str) -> float:
    colour = await page.evaluate("place => getComputedStyle(document.querySelector(place)).backgroundColor", place)
    parts = [float(one) for one in re.findall(r"[\d.]+", colour)]
    return sum(parts[:3]) / 3


async def test_a_token_signs_in_only_once(api: Api) -> None:
    token = await operator_commands(api.database).create_sign_in(OPERATOR, "admin", [*KeyScope])
    async with (
        httpx.AsyncClient(base_url=api.service.url) as first,
        httpx.AsyncClient(base_url=api.service.url) as second,
    ):
        origin = {"origin": api.service.url}
        entered = await first.post("/signin", data={"token": token.text or ""}, headers=origin)
        assert entered.status_code in {302, 303}
        assert (await second.post("/signin", data={"token": token.text or ""}, headers=origin)).status_code >= 400
        assert (await first.get("/explorer")).is_success
