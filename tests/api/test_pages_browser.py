"""The pages in a real browser: where is my run, why did it not know, which template fits; all can read them."""

from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any, Literal

import axe_playwright_python
import orjson
import pytest
from playwright.async_api import Page, ViewportSize, expect

from service.access.viewer import OPERATOR, KeyScope
from service.principals.owner import operator_commands
from service.principals.pages import sign_in_address
from tests.api.conftest import Api, Caller
from tests.browser import a_page
from tests.laws import some
from tests.memory.stories import Story, step
from tests.pages.addresses import ADDRESSES, ALERT, address_of

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
RULES = "axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice']})"
SHIFTS = """window.shifted = 0; new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (!one.hadRecentInput) window.shifted += one.value;
}).observe({type: "layout-shift", buffered: true});"""
STILL = 0.1
"""Below this a page counts as still, by the measure that browsers give (cumulative layout shift)."""
OUTLINED = """(() => { const one = document.activeElement, seen = getComputedStyle(one);
  return one === document.body || one.closest("svg") !== null
    || (one.matches(":focus-visible") && (seen.outlineStyle !== "none" || seen.boxShadow !== "none")); })()"""
NARROW, WIDE = ViewportSize(width=390, height=844), ViewportSize(width=1280, height=900)
LOOKS: tuple[tuple[Literal["light", "dark"], ViewportSize], ...] = (
    ("light", WIDE),
    ("dark", NARROW),
    ("dark", WIDE),
    ("light", NARROW),
)
"""Each page is looked at in one of them."""


@pytest.fixture
async def page(api: Api) -> AsyncGenerator[Page]:
    """Signed in. What the browser complains of, such as a policy that was broken, fails the test."""
    async with a_page() as page:
        complaints: list[str] = []
        page.on("console", lambda one: complaints.append(one.text) if one.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        token = await operator_commands(api.database).create_sign_in(OPERATOR, "admin", [*KeyScope])
        await page.goto(sign_in_address(api.service.url, token.text or ""))
        await page.wait_for_url(f"{api.service.url}/home")
        yield page
        assert not complaints


async def test_where_is_my_run(api: Api, page: Page, admin: Caller) -> None:
    """From home to a run that is at work; what is reported of it is on the page a moment later, by itself."""
    story = Story(
        {"source": "browser", "key": "live"}, {"memory_mode": "standard", "data_class": "internal", "matter_ids": []}
    )
    story.tell("run_started", name="Followed by a browser").tell("activation_started", name="Read it", **step("read"))
    await _report(admin, story.events)
    await page.goto(f"{api.service.url}/home")
    await page.get_by_role("link", name="Followed by a browser").click()
    await expect(page.locator("#live")).to_have_text("Live")
    await expect(page.locator("#head")).to_contain_text("Read it is running")
    await page.locator("#steps summary").first.click()
    story.tell("activation_completed", output_summary=["Forty pages"], **step("read"))
    story.tell("activation_started", name="Write it", **step("write"))
    await _report(admin, story.events[2:])
    await expect(page.locator("#steps")).to_contain_text("Write it")
    await expect(page.locator("#flow svg").first).to_contain_text("Write it")
    await expect(page.locator("#steps details[open]")).to_contain_text("Forty pages")
    await page.get_by_label("Search the steps").fill("write")
    await expect(page.locator("#steps")).not_to_contain_text("Forty pages")
    await expect(page).to_have_url(f"{page.url.partition('?')[0]}?search=write")


async def test_why_did_it_not_know(api: Api, page: Page, admin: Caller) -> None:
    """From the run through what a step was given to the gate that stopped a record; a judgement is kept."""
    await page.goto(api.service.url + ALERT)
    await page.get_by_role("link", name="Context and audit").click()
    await page.get_by_role("link", name="Evaluate the complaint").click()
    await page.get_by_label("Why did it not know…").fill("Short status notes")
    await page.keyboard.press("Enter")
    await page.locator("#answer").get_by_role("link", name="Short status notes").first.click()
    await expect(page.locator("main")).to_contain_text("kept out by the gate")
    await expect(page.locator("main")).to_contain_text("What it would have needed")
    await page.go_back()
    await page.get_by_role("button", name="Not helpful").first.click()
    await expect(page.get_by_role("status").filter(has_text="Your judgement is kept")).to_be_visible()


async def test_find_a_template(api: Api, page: Page) -> None:
    """By the keyboard alone: the search is focused by a slash, the match is typed; its picture can be zoomed."""
    await page.goto(f"{api.service.url}/templates")
    await page.keyboard.press("/")
    await expect(page.locator("#find")).to_be_focused()
    await page.get_by_label("What is to be done?").fill("a complaint audit for Acme")
    await page.keyboard.press("Enter")
    await expect(page.locator(".candidate").first).to_contain_text("Complaint Evaluation")
    await expect(page.locator(".candidate").first.locator("tr")).to_have_count(9)
    await expect(page.locator("main")).to_contain_text("Why not the others")
    await page.get_by_role("link", name="Complaint Evaluation").first.click()
    await expect(page.locator("svg[data-moveable]")).to_contain_text("Elements")
    before = await page.locator("svg[data-moveable]").get_attribute("viewBox")
    await page.get_by_role("button", name="Nearer").click()
    assert await page.locator("svg[data-moveable]").get_attribute("viewBox") != before


async def test_share_a_run_and_revoke_it(api: Api, page: Page) -> None:
    """From the run to a link, which somebody without an account opens; and to the page that closes it again."""
    await page.goto(api.service.url + ADDRESSES["run/steps"])
    await page.get_by_role("link", name="Share", exact=True).click()
    await page.get_by_label("Specific run with artifacts").check()
    await page.get_by_role("button", name="Make the link").click()
    link = await page.get_by_label("The link").input_value()
    assert link.startswith(f"{api.service.url}/share/tls_")
    async with a_page() as outside:
        await outside.goto(link)
        await expect(outside.locator("main")).to_contain_text("Shared with you")
        await expect(outside.locator("main .steps li")).not_to_have_count(0)
        await expect(outside.get_by_role("navigation")).to_have_count(0)
        assert not await outside.context.cookies()
        await page.get_by_role("link", name="The share, and closing it").click()
        await expect(page.locator("main")).to_contain_text("somebody with the link")
        await page.get_by_label("Reason").fill("It was a trial")
        await page.get_by_role("button", name="Close it for good").click()
        await expect(page.get_by_role("status")).to_contain_text("opens nothing any more")
        await outside.reload()
        await expect(outside.get_by_role("heading")).to_have_text("Nothing is shared here")


async def test_everybody_can_read_a_shared_page(api: Api, admin: Caller) -> None:
    made = await admin.ask(
        """mutation { createShare(input: {
          run: {kind: "Run", source: "sample", key: "run-marex-complaint"}, shareMode: audit_packet,
          redactionProfile: trusted_internal
        }) { secret } }"""
    )
    async with a_page() as page:
        complaints: list[str] = []
        page.on("console", lambda one: complaints.append(one.text) if one.type in ("error", "warning") else None)
        for scheme, size in LOOKS[:2]:
            await page.emulate_media(color_scheme=scheme)
            await page.set_viewport_size(size)
            await page.goto(f"{api.service.url}/share/{made['createShare']['secret']}")
            assert await page.evaluate("document.documentElement.scrollWidth") <= size["width"]
            await page.evaluate(AXE)
            told = await page.evaluate(RULES)
            assert not [(one["id"], one["nodes"][0]["html"]) for one in told["violations"]]
        assert not complaints


async def test_what_is_it_built_of(api: Api, page: Page) -> None:
    """From a task to a module of its graph, from there to the same step of the run and back; what the agent can do."""
    await page.goto(f"{api.service.url}/tasks/sample:task-damages-review")
    await page.get_by_role("link", name="Ask the Task Agent").click()
    await expect(page.locator("#agent")).to_contain_text("Without a model")
    await page.get_by_role("link", name="Its modules and runs").click()
    await page.locator("svg a", has_text="Damages").click()
    await expect(page.locator("#module")).to_contain_text("Damages memo")
    await expect(page.locator("svg .here")).to_contain_text("Damages")
    graph = page.url
    await page.get_by_role("link", name="Open it in the run").click()
    await expect(page.locator("details.here")).to_contain_text("Damages")
    await page.get_by_role("link", name="Back to where you came from").click()
    await expect(page).to_have_url(graph)
    await page.get_by_role("link", name="Explain this graph").click()
    await expect(page.locator("#words")).to_contain_text("acts on the outside world")


async def test_the_query_behind_a_page_opens_in_the_explorer(api: Api, page: Page) -> None:
    await page.goto(api.service.url + ADDRESSES["lineage"])
    await page.get_by_role("link", name="The query behind this page").click()
    await expect(page.locator(".graphiql-query-editor")).to_contain_text("query Lineage")
    await page.click(".graphiql-execute-button")
    await expect(page.locator(".result-window")).to_contain_text("Final revised complaint")


async def test_everybody_can_read_every_page_and_nothing_in_it_moves(api: Api, page: Page, admin: Caller) -> None:
    """Each light and wide, and some of them, or all in a thorough run, dark and narrow: axe finds nothing, nothing is
    wider than the screen, nothing jumps."""
    found: list[Any] = []
    dark = {*some(ADDRESSES, 3)}
    await page.add_init_script(SHIFTS)
    for folder in ADDRESSES:
        address = await address_of(admin, folder)
        await page.set_viewport_size(WIDE)
        await page.emulate_media(color_scheme="light")
        await page.goto(api.service.url + address)
        found += [(folder, "light", *one) for one in await _read(page, WIDE)]
        if (moved := await page.evaluate("window.shifted")) > STILL:
            found.append((folder, "moves", moved))
        if folder in dark:
            await page.emulate_media(color_scheme="dark")
            await page.set_viewport_size(NARROW)
            found += [(folder, "dark", *one) for one in await _read(page, NARROW)]
    assert not found


async def _read(page: Page, size: ViewportSize) -> list[tuple[str, str]]:
    """What is wrong with the page as it stands."""
    wide = await page.evaluate("document.documentElement.scrollWidth")
    await page.evaluate(AXE)
    told = await page.evaluate(RULES)
    wrong = [(one["id"], one["nodes"][0]["html"]) for one in told["violations"]]
    return [*wrong, *([("wider than the screen", str(wide))] if wide > size["width"] else [])]


async def test_all_of_it_can_be_done_by_the_keyboard(api: Api, page: Page) -> None:
    """The first key leads past the frame; whatever is reached is seen to be; the slash searches, and finds the run."""
    for folder in ("home", "run/steps", "review/all", "templates/all"):
        await page.goto(api.service.url + ADDRESSES[folder])
        await page.keyboard.press("Tab")
        await expect(page.locator(".skip")).to_be_focused()
        await page.keyboard.press("Enter")
        await expect(page.locator("#main")).to_be_focused()
        for _ in range(12):
            await page.keyboard.press("Tab")
            assert await page.evaluate(OUTLINED), folder
    await page.keyboard.press("/")
    await page.keyboard.type("Opposition to the motion")
    await page.keyboard.press("Enter")
    await page.get_by_role("link", name="Opposition to the motion").first.focus()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", level=1)).to_contain_text("Opposition to the motion")


async def test_approve_a_proposal(api: Api, page: Page) -> None:
    """From the queue to what would change, through the cases of its replay, to a decision that is kept with why."""
    await page.goto(f"{api.service.url}/review?risk=low")
    await page.locator("#list a").first.click()
    await expect(page.locator("main")).to_contain_text("What would change")
    await expect(page.locator(".diff ins, .diff del").first).to_be_visible()
    await page.get_by_role("button", name="Replay it now").click()
    await expect(page.get_by_role("status")).to_be_visible()
    await page.reload()
    await page.get_by_role("checkbox", name="the same").check()
    await expect(page.locator("#cases")).to_contain_text("of")
    if await page.get_by_label("I have seen what the replay says").count():
        await page.get_by_label("I have seen what the replay says").check()
    await page.locator("#why-approve").fill("It is what we do already")
    await page.get_by_role("button", name="Approve").click()
    await expect(page.get_by_role("status")).to_contain_text("pproved")
    await page.reload()
    await expect(page.locator("main")).to_contain_text("It is what we do already")


async def test_what_waits_for_me_is_decided_from_home(api: Api, page: Page, admin: Caller) -> None:
    """A gate that was opened while its run goes on stands in the inbox; what is decided is kept with who said what."""
    story = Story(
        {"source": "browser", "key": "gated"}, {"memory_mode": "standard", "data_class": "internal", "matter_ids": []}
    )
    story.tell("run_started", name="Asks for leave").tell("activation_started", name="Send it", **step("send"))
    asked = {"gate_key": "leave", "gate_kind": "approval", "question": "May the bees be moved tonight?"}
    asked |= {"opened_at": "2026-01-01T08:00:00Z", "deadline_at": "2026-01-02T08:00:00Z"}
    story.tell("gate_opened", **asked, **step("send"))
    await _report(admin, story.events)
    await page.goto(f"{api.service.url}/home")
    await page.get_by_role("link", name="May the bees be moved tonight?").click()
    await page.locator("#note-approved").fill("Before the frost")
    await page.get_by_role("button", name="Approve").click()
    await expect(page.get_by_role("status")).to_contain_text("Your decision is kept")
    await page.reload()
    await expect(page.locator("main")).to_contain_text("by admin: Before the frost")
    await expect(page.locator("main")).to_contain_text("nothing left to decide")
    await page.goto(f"{api.service.url}/home")
    await expect(page.locator("#inbox")).not_to_contain_text("May the bees be moved")


async def test_pages_work_without_a_script(api: Api) -> None:
    token = await operator_commands(api.database).create_sign_in(OPERATOR, "admin", [*KeyScope])
    async with a_page(java_script=False) as page:
        await page.goto(sign_in_address(api.service.url, token.text or ""))
        await page.get_by_role("button", name="Sign in").click()
        await page.goto(api.service.url + ADDRESSES["run/steps"])
        await page.get_by_label("Search the steps").fill("red-team")
        await page.keyboard.press("Enter")
        await expect(page.locator("#steps .steps > li")).to_have_count(1)
        await page.get_by_role("link", name="Draw the timeline").click()
        await expect(page.locator("#timeline svg")).to_be_visible()
        await page.goto(api.service.url + ADDRESSES["run/given"])
        await page.get_by_role("button", name="Helpful", exact=True).first.click()
        await expect(page.get_by_role("status")).to_contain_text("Your judgement is kept")


async def _report(admin: Caller, events: list[dict[str, Any]]) -> None:
    body = b"\n".join(orjson.dumps(one) for one in events)
    answers = [orjson.loads(line) for line in (await admin.client.post("/v1/events", content=body)).iter_lines()]
    assert {one["outcome"] for one in answers} == {"accepted"}, answers
