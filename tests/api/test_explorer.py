"""The explorer: every example works, and in a real browser a typed query gets its answer."""

import asyncio
import shutil
from collections.abc import AsyncGenerator

import httpx
import pytest
from playwright.async_api import Page, async_playwright, expect

from service.access.viewer import OPERATOR, KeyScope
from service.principals.owner import operator_commands
from service.principals.pages import sign_in_address
from service.web.explorer.routes import examples
from tests.api.conftest import Api, Caller
from tests.api.sockets import subscribed

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

QUERIES = [one for one in examples() if "subscription" not in one["query"]]


@pytest.mark.parametrize("example", QUERIES, ids=lambda one: one["title"])
async def test_every_example_works_on_the_sample_world(admin: Caller, example: dict[str, str]) -> None:
    assert await admin.ask(example["query"])


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
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine: install Debian's package chromium to run this")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield await browser.new_page()
        await browser.close()


async def test_somebody_signs_in_types_a_query_and_sees_the_answer(api: Api, page: Page) -> None:
    token = await operator_commands(api.database).create_sign_in(OPERATOR, "admin", [*KeyScope])
    await page.goto(sign_in_address(api.service.url, token.text or ""))
    await page.wait_for_url(f"{api.service.url}/")
    await page.goto(f"{api.service.url}/explorer")
    await page.wait_for_selector(".graphiql-query-editor .CodeMirror")
    assert "admin" in await page.inner_text("#viewer")
    await page.click(".graphiql-query-editor .CodeMirror")
    await page.keyboard.press("Control+A")
    await page.keyboard.press("Delete")
    await page.keyboard.type("{ viewer { name ", delay=5)
    await page.keyboard.press("Control+Enter")
    await expect(page.locator(".result-window")).to_contain_text("admin")
    await page.select_option("#examples", label=examples()[0]["title"])
    await expect(page.locator(".graphiql-query-editor")).to_contain_text("involves")
    await page.click(".graphiql-execute-button")
    await expect(page.locator(".result-window")).to_contain_text("Marex")


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
