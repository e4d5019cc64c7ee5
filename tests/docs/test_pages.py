"""The pages as they are served: grouped, linked, searched; safe for a browser, and whole without a script."""

import re
from collections.abc import AsyncGenerator
from html import unescape

import httpx
import pytest
from playwright.async_api import Page, expect

from service.web.documents import document_names
from service.web.documents.index import search
from service.web.documents.library import files, groups
from service.web.documents.markdown import headings, target_of, tokens_of
from service.web.documents.routes import POLICY
from tests.browser import a_page
from tests.docs.running import Reader

LINK = re.compile(r'(?:href|src)="([^"]*)"')


@pytest.fixture
async def client(reader: Reader) -> AsyncGenerator[httpx.AsyncClient]:
    """Nobody needs a key to read."""
    async with httpx.AsyncClient(base_url=reader.url, timeout=60) as client:
        yield client


async def test_every_page_is_served_with_its_title_and_the_headers_of_a_page(client: httpx.AsyncClient) -> None:
    for name in document_names():
        page = await client.get(f"/docs/{name}")
        assert page.status_code == 200, name
        assert page.headers["content-security-policy"] == POLICY
        assert "<h1" in page.text, name
        assert "style=" not in page.text, name
        assert not re.search(r"<script(?! src=\"/docs/-/docs.js\" defer)", page.text), name


async def test_what_pages_load_and_link_to_is_there(client: httpx.AsyncClient) -> None:
    """Nothing is loaded from elsewhere. A link to a part of a page leads to a heading that it has."""
    anchors = {
        name: {one.anchor for one in headings(tokens_of(files()[name].read_text()))} for name in document_names()
    }
    wanted: set[str] = set()
    for name in document_names():
        text = (await client.get(f"/docs/{name}")).text
        assert not re.search(r'src="(?:https?:)?//', text), name
        for link in map(unescape, LINK.findall(text)):
            path, _, anchor = link.partition("#")
            if path.startswith("/docs/") and anchor and path.removeprefix("/docs/"):
                assert anchor in anchors[path.removeprefix("/docs/")], (name, link)
            if path.startswith("/"):
                wanted.add(path)
    for path in sorted(wanted):
        assert (await client.get(path)).status_code == 200, path


def test_the_pages_own_links_lead_somewhere() -> None:
    """A link that leads out of the documentation is text when it is served: only to code of the repository."""
    for name in document_names():
        for link in re.findall(r"\]\(([^)\s]+)\)", files()[name].read_text()):
            if target_of(name, link) is None:
                assert re.match(r"(\.\./)*(resolvers|service|tests|seeds|LICENSE)", link), (name, link)


def test_every_page_is_in_a_group_of_the_readme() -> None:
    grouped = [name for group in groups() for name in group.pages]
    assert sorted({*grouped, "README.md"}) == sorted(document_names())
    assert groups()[0].title == "Begin"


@pytest.mark.parametrize("path", ["/docs", "/docs/"])
async def test_they_begin_with_the_readme(client: httpx.AsyncClient, path: str) -> None:
    page = await client.get(path)
    assert page.status_code == 200
    assert '<h1 id="tasklore">Tasklore</h1>' in page.text


@pytest.mark.parametrize(
    "path", ["/docs/nowhere.md", "/docs/../pyproject.toml", "/docs/%2e%2e/pyproject.toml", "/docs/-/x"]
)
async def test_what_is_not_a_page_is_not_found(client: httpx.AsyncClient, path: str) -> None:
    assert (await client.get(path)).status_code in {401, 404}


@pytest.mark.parametrize(
    ("asked", "page"),
    [
        ("revoke a key", "access.md"),
        ("how to report a run", "reporting.md"),
        ("why was it kept out of the packet", "context-asking.md"),
        ("backup", "deploying.md"),
        ("n8n", "import.md"),
        ("TASKLORE_MAX_COST", "settings.md"),
    ],
)
def test_a_search_finds_the_page(asked: str, page: str) -> None:
    assert page in [found.section.page for found in search(asked)][:5]


async def test_a_search_says_when_nothing_has_the_words_and_tells_nothing_as_markup(client: httpx.AsyncClient) -> None:
    page = await client.get("/docs/search", params={"q": "<img src=x onerror=alert(1)> zyzzyva"})
    assert "<img src=x" not in page.text
    assert "Nothing has these words." in (await client.get("/docs/search", params={"q": "zyzzyva"})).text
    assert (await client.get("/docs/search")).status_code == 200
    assert (await client.get("/docs/search", params={"q": "a" * 5000})).status_code == 200


async def test_in_a_browser_one_searches_reads_and_copies(reader: Reader) -> None:
    async with a_page() as page:
        complaints: list[str] = []
        page.on("console", lambda one: complaints.append(one.text) if one.type == "error" else None)
        await page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=reader.url)
        await page.goto(f"{reader.url}/docs/")
        await page.fill("input[name=q]", "provenance sentence")
        await page.keyboard.press("Enter")
        await page.click('.found a[href^="/docs/lineage.md"] >> nth=0')
        await expect(page.locator("h1")).to_have_text("Lineage")
        await page.hover("main pre >> nth=0")
        await page.click(".copy >> nth=0")
        await expect(page.locator(".copy >> nth=0")).to_have_text("Copied")
        assert "provenance(of:" in await page.evaluate("navigator.clipboard.readText()")
        await page.goto(f"{reader.url}/docs/quickstart.md")
        await _copy_the_session(page)
        assert not complaints


async def _copy_the_session(page: Page) -> None:
    """Of a session at a terminal only what was typed is copied."""
    frame = page.locator('.frame:has(pre[data-language="console"]) >> nth=0')
    await frame.hover()
    await frame.locator(".copy").click()
    copied = await page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("curl -s")
    assert '"data"' not in copied


async def test_pictures_are_shown(reader: Reader) -> None:
    async with a_page() as page:
        await page.goto(f"{reader.url}/docs/context.md")
        picture = page.locator('img[src$="packet.svg"]')
        await picture.scroll_into_view_if_needed()
        await expect(picture).to_have_js_property("complete", value=True)
        assert await picture.evaluate("one => one.naturalWidth") > 100


async def test_without_a_script_everything_but_copying_works(reader: Reader) -> None:
    async with a_page(java_script=False) as page:
        await page.goto(f"{reader.url}/docs/")
        await page.fill("input[name=q]", "provenance sentence")
        await page.keyboard.press("Enter")
        await page.click('.found a[href^="/docs/lineage.md"] >> nth=0')
        await expect(page.locator("h1")).to_have_text("Lineage")
        assert await page.locator(".copy").count() == 0
        await page.click('nav a:has-text("Quickstart")')
        await expect(page.locator("h1")).to_have_text("Quickstart")
