"""The pages over HTTP: each shows the answer to its one document, to whoever may see it, whatever things are called."""

import gzip
import json
import re
from collections.abc import AsyncGenerator
from html import unescape
from importlib import resources
from typing import Any
from urllib.parse import parse_qsl, quote, unquote

import httpx
import orjson
import pytest
from graphql import OperationDefinitionNode, parse

from service.access.viewer import OPERATOR, KeyScope
from service.graph.bookmarks import HEADER
from service.principals.owner import operator_commands
from service.web.pages.engine.actions import WROTE
from service.web.pages.engine.assets import FILES, HTMX, OWN
from service.web.pages.engine.documents import FOLDER, NOTHING, text_of
from service.web.pages.engine.page import Asked, Page
from service.web.pages.engine.rendering import templates
from service.web.pages.engine.routes import POLICY, rendered
from service.web.pages.site import PAGES, SECTIONS
from tests.api.conftest import Api, Caller
from tests.api.schema import committed_schema
from tests.memory.stories import Story, step
from tests.pages.addresses import ADDRESSES, address_of
from tests.pages.crawl import Crawl
from tests.pages.poison import EVIL, Poison
from tests.pages.reading import Form, Reading

PART = {"hx-request": "true"}
FORM = {"content-type": "application/x-www-form-urlencoded"}
GIVEN = ADDRESSES["run/given"]


def test_every_page_has_an_address_here() -> None:
    assert {*ADDRESSES} == {one.folder for one in PAGES}


@pytest.fixture(scope="module")
def kept() -> dict[str, httpx.Response]:
    """Each page is asked for once, however many tests look at it."""
    return {}


async def _page(admin: Caller, kept: dict[str, httpx.Response], folder: str) -> httpx.Response:
    if folder not in kept:
        kept[folder] = await admin.client.get(await address_of(admin, folder))
    return kept[folder]


@pytest.mark.parametrize("folder", ADDRESSES)
async def test_a_page_and_each_of_its_parts_are_shown(
    admin: Caller, kept: dict[str, httpx.Response], folder: str
) -> None:
    answer = await _page(admin, kept, folder)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-security-policy"] == POLICY
    read = Reading(answer.text)
    assert not read.dangers()
    assert sum(tag == "h1" for tag, _ in read.elements) == 1
    for part in _parts(folder):
        alone = await admin.client.get(await address_of(admin, folder), headers={**PART, "hx-target": part})
        assert alone.status_code == 200, (part, alone.text)
        assert "<html" not in alone.text
        assert f'id="{part}"' in alone.text


@pytest.mark.parametrize("folder", ADDRESSES)
async def test_a_page_shows_nothing_that_the_query_behind_it_does_not_answer(
    admin: Caller, kept: dict[str, httpx.Response], folder: str
) -> None:
    read = Reading((await _page(admin, kept, folder)).text)
    [link] = [one for one in read.links() if one.startswith("/explorer#")]
    behind = json.loads(unquote(link.partition("#")[2]))
    assert behind["query"].startswith(text_of(f"{folder}/query.graphql").strip())
    data = await admin.ask(behind["query"], **behind["variables"])
    assert data["viewer"]["name"] == "admin"


@pytest.mark.parametrize("folder", ADDRESSES)
async def test_every_button_is_for_an_operation_or_says_why_not(
    admin: Caller, kept: dict[str, httpx.Response], folder: str
) -> None:
    read = Reading((await _page(admin, kept, folder)).text)
    for button, form in read.buttons:
        assert form or ("disabled" in button and button["title"]), button
    for form in read.posts:
        operation = _operation_of(form.attributes["action"].removeprefix("/do/"))
        takes = {one.variable.name.value for one in operation.variable_definitions or ()}
        assert {*form.fields} - takes - {NOTHING, "back"} == {"token"}
        assert _asks(form) or form.fields.get(NOTHING, "commandId") in takes


ASKING = {one.form: one.folder for one in PAGES if one.form}
"""Forms that ask what a page shows, and change nothing."""


def _asks(form: Form) -> bool:
    return form.attributes["action"].removeprefix("/do/") in ASKING


def _operation_of(name: str) -> OperationDefinitionNode:
    """The one mutation of an action, or the query of the page that a form asks."""
    text = text_of(f"{ASKING[name]}/query.graphql") if name in ASKING else text_of(f"actions/{name}.graphql")
    operation = parse(text).definitions[0]
    assert isinstance(operation, OperationDefinitionNode)
    assert name in ASKING or len(operation.selection_set.selections) == 1
    return operation


async def test_no_link_of_any_page_leads_nowhere(admin: Caller) -> None:
    """All that the owner can get to by following links, from every page: no more than a few of those that differ by a
    filter alone."""
    crawl = Crawl(admin.client)
    await crawl.begin([await address_of(admin, folder) for folder in ADDRESSES])
    assert not crawl.dead()
    known = {one.name.removesuffix(".graphql") for one in resources.files(FOLDER).joinpath("actions").iterdir()}
    assert {one.removeprefix("/do/") for one in crawl.actions} <= known | {*ASKING}


async def test_what_a_step_was_given_without_a_packet_is_told(admin: Caller) -> None:
    """It was prompted, and nobody assembled a packet: its page says so, and so does the run's, page by page."""
    run = {"source": "unpacked", "key": "run"}
    story = Story(run, {"memory_mode": "standard", "data_class": "internal", "matter_ids": []})
    story.tell("run_started", name="Without packets").tell("activation_started", model_ref="some/model", **step("m"))
    made = {"snapshot_key": "s", "snapshot_kind": "prompt", "prompt_text_ref": "store://prompt/1"}
    story.tell("snapshot", **made, redaction_mode="redacted", **step("m"))
    for at in range(60):
        story.tell("activation_completed", **step("n", at + 1))
    await _report(admin, story)
    page = await admin.client.get("/runs/unpacked:run/context")
    assert "Given context without a packet: a prompt was reported" in page.text
    assert "50 of 61 steps" in page.text
    [more] = [one for one in Reading(page.text).links() if "after=" in one]
    assert "11 of 61 steps" in (await admin.client.get(more)).text
    at = next(one for one in Reading(page.text).links() if one.startswith("/steps/"))
    told = (await admin.client.get(at)).text
    assert "It was given context without a packet" in told
    assert "store://prompt/1" in told


async def test_a_lineage_by_an_outside_name_is_told_in_a_sentence(admin: Caller) -> None:
    by_name = (await admin.client.get("/lineage/sample:art-complaint-final")).text
    known = (await admin.ask('{ node(source: "sample", key: "art-complaint-final") { id } }'))["node"]["id"]
    sentences = [
        re.findall('<p class="status">(.*?)</p>', page)
        for page in (by_name, (await admin.client.get(f"/lineage/{known}")).text)
    ]
    assert sentences[0] == sentences[1] != []
    assert (await admin.client.get("/lineage/nobody:knows")).status_code == 404


async def test_runs_are_found_however_they_are_written(admin: Caller) -> None:
    for words in ("damages review", "Damages review", "DAMAGES REVIEW"):
        assert "Runs of that name" in (await admin.client.get(f"/search?text={quote(words)}")).text, words


async def test_whoever_may_not_see_a_run_is_told_the_same_as_of_one_that_there_is_not(
    admin: Caller, outsider: Caller
) -> None:
    run = (await admin.ask('{ run(source: "sample", key: "run-marex-complaint") { id } }'))["run"]["id"]
    told = [await outsider.client.get(f"/runs/{one}") for one in (run, "run_01m7r3hpagae9rcm8pn4p00000")]
    assert [one.status_code for one in told] == [404, 404]
    assert told[0].text == told[1].text


@pytest.mark.parametrize("folder", ADDRESSES)
async def test_no_page_tells_an_outsider_of_a_matter(admin: Caller, outsider: Caller, folder: str) -> None:
    answer = await outsider.client.get(await address_of(admin, folder))
    assert answer.status_code in (200, 403, 404), answer.text
    assert (answer.status_code == 403) == folder.startswith("administration/")
    assert not re.search("marex|calder|narayanan", _without_what_was_asked(answer.text).lower())


async def test_what_is_asked_wrongly_is_refused_with_what_to_do(admin: Caller) -> None:
    for address, status, words in (
        ("/runs/nobody:knows", 404, "There is nothing here"),
        ("/runs/no-reference", 400, "names no record"),
        ("/runs/sample:run-marex-complaint?status=nope", 400, "It is one of pending"),
        ("/tasks?first=many", 400, "no number"),
        ("/tasks?after=garbage", 400, "invalid_cursor"),
        (ADDRESSES["run/given"].replace("evaluate", "nothing"), 404, "packet"),
    ):
        answer = await admin.client.get(address)
        assert (answer.status_code, words in answer.text) == (status, True), (address, answer.status_code)
        assert "/home" in answer.text


async def test_without_a_key_it_says_how_to_sign_in(nobody: Caller) -> None:
    answer = await nobody.client.get("/home", headers={"accept": "text/html"})
    assert answer.status_code == 401
    assert "tasklore signin" in answer.text


async def test_scripts_and_styles_are_few_and_kept_by_the_browser(nobody: Caller) -> None:
    """They are no secret, so that whoever reads a shared page can have them."""
    files = [await nobody.client.get(f"{FILES}{name}") for name in (*OWN, HTMX)]
    assert all(one.status_code == 200 and "immutable" in one.headers["cache-control"] for one in files)
    assert sum(len(gzip.compress(one.content)) for one in files) < 60_000
    assert (await nobody.client.get(f"{FILES}..%2fshell.html")).status_code == 404


@pytest.fixture
async def browser(api: Api) -> AsyncGenerator[httpx.AsyncClient]:
    """Signed in by a cookie, as a person is."""
    token = await operator_commands(api.database).create_sign_in(OPERATOR, "admin", [*KeyScope])
    async with httpx.AsyncClient(base_url=api.service.url, headers={"origin": api.service.url}, timeout=60) as client:
        await client.post("/signin", data={"token": token.text or ""})
        yield client


async def test_a_form_of_the_page_carries_out_its_operation_once(browser: httpx.AsyncClient, admin: Caller) -> None:
    form = Reading((await browser.get(GIVEN)).text).posts[0]
    before = await _judgements(admin)
    first = await browser.post(form.attributes["action"], data=form.fields)
    again = await browser.post(form.attributes["action"], data=form.fields)
    assert [one.status_code for one in (first, again)] == [303, 303]
    assert await _judgements(admin) == before + 1
    back = await browser.get(first.headers["location"])
    assert "Your judgement is kept with the packet." in back.text
    swapped = await browser.post(form.attributes["action"], data=form.fields, headers=PART)
    assert swapped.text.strip().startswith('<span class="outcome good"')


async def test_the_page_behind_a_form_brings_what_it_wrote(browser: httpx.AsyncClient) -> None:
    """Another process, before another server of a cluster, has it by then."""
    form = Reading((await browser.get(GIVEN)).text).posts[0]
    assert WROTE not in browser.cookies
    written = await browser.post(form.attributes["action"], data=form.fields)
    assert browser.cookies[WROTE].strip('"') == written.headers[HEADER]
    assert (await browser.get(GIVEN)).status_code == 200
    browser.cookies.set(WROTE, "made-up")
    assert "bookmark" in (await browser.get(GIVEN)).text


@pytest.mark.parametrize("token", ["", "0" * 64, "é"])
async def test_a_form_that_is_not_ours_changes_nothing(browser: httpx.AsyncClient, admin: Caller, token: str) -> None:
    form = Reading((await browser.get(GIVEN)).text).posts[0]
    before = await _judgements(admin)
    answer = await browser.post(form.attributes["action"], data=form.fields | {"token": token})
    assert (answer.status_code, "form_not_ours" in answer.text) == (400, True)
    foreign = {"origin": "http://evil.example"}
    assert (await browser.post(form.attributes["action"], data=form.fields, headers=foreign)).status_code == 403
    assert await _judgements(admin) == before


async def test_forms_of_another_session_or_action_and_other_doors_are_closed(
    browser: httpx.AsyncClient, admin: Caller
) -> None:
    theirs = Reading((await admin.client.get(GIVEN)).text).posts[0]
    assert (await browser.post(theirs.attributes["action"], data=theirs.fields)).status_code == 400
    ours = Reading((await browser.get(GIVEN)).text).posts[0]
    assert (await browser.post("/do/find-artifact", data=ours.fields)).status_code == 400
    assert (await browser.post("/do/nothing", data=ours.fields)).status_code == 404
    assert (await browser.post("/graphql", data=ours.fields)).status_code == 415
    assert (await browser.post("/do/judge-context", json=ours.fields)).status_code == 400


@pytest.mark.parametrize("back", ["//evil.example", "https://evil.example", "/\\evil.example", ""])
async def test_nobody_is_led_elsewhere_after_a_form(browser: httpx.AsyncClient, back: str) -> None:
    form = Reading((await browser.get(GIVEN)).text).posts[0]
    answer = await browser.post(form.attributes["action"], data=form.fields | {"back": back})
    assert answer.headers["location"] == "/home?done=judge-context"


async def test_a_reader_sees_buttons_that_say_which_scope_they_need(api: Api) -> None:
    reader = api.caller("reader")
    async with reader.client as client:
        read = Reading((await client.get("/runs/sample:run-sales-1/context")).text)
    told = [button.get("title", "") for button, _ in read.buttons if "disabled" in button]
    assert told
    assert {*told} == {"Your key lacks the scope curate"}


@pytest.mark.parametrize("folder", ADDRESSES)
async def test_whatever_texts_an_answer_holds_they_are_text_on_its_page_and_in_its_parts(
    admin: Caller, kept: dict[str, httpx.Response], folder: str
) -> None:
    """The page's own answer, with something hostile in every text of it, whoever wrote that."""
    read = Reading((await _page(admin, kept, folder)).text)
    [link] = [one for one in read.links() if one.startswith("/explorer#")]
    behind = json.loads(unquote(link.partition("#")[2]))
    page = next(one for one in PAGES if one.folder == folder)
    poison = Poison(committed_schema(), parse(behind["query"]))
    address = await address_of(admin, folder)
    for part in ("", *_parts(folder)):
        only = {f"show{one.title()}": one == part for one in _parts(folder)} if part else {}
        data = poison.into(await admin.ask(behind["query"], **(behind["variables"] | only)))
        shown = _drawn(page, data, address, part)
        assert not Reading(shown).dangers(), part
        assert "<script>alert" not in shown


def _drawn(page: Page, data: dict[str, Any], address: str, part: str) -> str:
    path, _, behind = address.partition("?")
    asked = Asked(path, tuple(parse_qsl(behind)))
    told: dict[str, Any] = dict.fromkeys(("question", "in_explorer", "done"), "")
    told |= {"asset": f"{FILES}{{}}".format, "sections": SECTIONS, "section": page.section, "explorer": True}
    told |= {"token": str, "command_id": str, "back": path, "refusals": [], "asked": asked, "data": data, "part": part}
    told |= page.view(data, asked) if page.view else {}
    return rendered(templates().get_template(f"{page.folder}/page.html"), told, part)


async def test_hostile_names_are_text_on_every_page(admin: Caller) -> None:
    seen = await _hostile(admin)
    for address in seen:
        answer = await admin.client.get(address)
        assert answer.status_code == 200, (address, answer.text)
        assert not Reading(answer.text).dangers(), address
        assert "&lt;script&gt;alert(1)" in answer.text, address
        assert "<script>alert" not in answer.text, address


_EVIL_WORDS = """mutation ($name: String!) {
  createEvalDataset(input: {name: $name, datasetSource: manual, description: $name, freeze: true
    examples: [{exampleKey: "one", inputSummary: $name, expected: $name, slice: $name}]}) { recordId }
  saveTool(input: {name: $name, summary: $name}) { recordId }
  recordPrompt(input: {name: $name, livesIn: {source: "sample", key: "preset-issue-matrix"}
    surface: module_preset_prompt, text: $name, capturePrompts: full_local_only}) { recordId }
}"""


async def _hostile(admin: Caller) -> list[str]:
    """A run whose every text is hostile, with what hangs on it, and the pages that show it."""
    story = Story(
        {"source": "evil", "key": "run"}, {"memory_mode": "standard", "data_class": "internal", "matter_ids": []}
    )
    about = {"kind": "Entity", "source": "evil", "key": "who", "name": EVIL}
    story.tell("run_started", name=EVIL, task_key="evil-task", task_name=EVIL, about=[about])
    story.tell("activation_started", name=EVIL, module_type="agent", **step("m"))
    made = {"artifact_key": "evil-art", "artifact_kind": "document", "name": EVIL, "summary": EVIL}
    story.tell("artifact_produced", output_class="final_output", **made, **step("m"))
    story.tell(
        "delivery",
        idempotency_key="evil",
        delivery_kind="email",
        status="failed",
        destination_summary=EVIL,
        **step("m"),
    )
    story.tell("activation_failed", error_code="evil", error_message=EVIL, **step("m"))
    await _report(admin, story)
    saved = """mutation ($name: String!) {
      saveTemplate(input: {name: $name, description: $name, useConditions: [$name]}) { record { id } }
    }"""
    template = (await admin.ask(saved, name=EVIL))["saveTemplate"]["record"]["id"]
    drawn = await _hostile_design(admin, template)
    run = "/runs/evil:run"
    made = (await admin.ask(_EVIL_WORDS, name=EVIL)).values()
    dataset, tool, prompt = (one["recordId"] for one in made)
    await admin.ask('mutation { assessRun(run: {source: "evil", key: "run"}) { recordId } }')
    pages = [run, f"{run}/deliverables", f"{run}/context", "/lineage/evil:evil-art", "/tasks/evil:evil-task"]
    return [
        *pages,
        *drawn,
        f"/templates/{template}",
        "/entities/evil:who",
        f"/search?text={EVIL[:30]}",
        "/home",
        "/tasks/history?first=500",
        *("/assessments", "/artifacts?runs=evil:run", "/evaluations", "/tools", "/prompts"),
        *(f"/evaluations/{dataset}", f"/tools/{tool}", f"/prompts/{prompt}"),
    ]


async def _report(admin: Caller, story: Story) -> None:
    body = b"\n".join(orjson.dumps(one) for one in story.events)
    answers = [orjson.loads(line) for line in (await admin.client.post("/v1/events", content=body)).iter_lines()]
    assert {one["outcome"] for one in answers} == {"accepted"}, answers


async def _hostile_design(admin: Caller, template: str) -> list[str]:
    """Its graph, its blueprint and a design, all of which have nothing but hostile words."""
    names = {"name": EVIL, "purpose": EVIL}
    graph = {
        "modules": [{"moduleKey": EVIL[:60], "moduleType": "step.judge", "config": json.dumps({"a": EVIL}), **names}],
        "cables": [],
    }
    blueprint = {
        **dict.fromkeys(("name", "description", "businessOrPersonalGoal", "taskType"), EVIL),
        "steps": [{"stepKey": EVIL[:60], "whyItExists": EVIL, **names}],
        "criteria": [{"statement": EVIL}],
        "reviewPoints": [{"statement": EVIL, "before": EVIL[:60]}],
        "contracts": [{"side": "output", "name": EVIL[:60], "kind": "document", "description": EVIL}],
    }
    saved = """mutation ($of: RecordRefInput!, $graph: TaskGraphInput!, $blueprint: BlueprintInput!, $text: String!) {
      saveGraph(of: $of, graph: $graph) { recordId }
      saveBlueprint(of: $of, input: $blueprint) { recordId }
      startDesignSession(request: {text: $text}) { recordId }
    }"""
    told = await admin.ask(saved, of={"id": template}, graph=graph, blueprint=blueprint, text=EVIL)
    plan, design = told["saveBlueprint"]["recordId"], told["startDesignSession"]["recordId"]
    changed = """mutation ($id: ID!, $name: String!) {
      saveBlueprint(input: {id: $id, name: "Tame", rationale: $name}) { recordId } }"""
    await admin.ask(changed, id=plan, name=EVIL)
    module = quote(EVIL[:60])
    return [
        f"/graphs/{template}?module={module}&showWords=true",
        f"/graphs/{template}/diff?newer=sample:task-damages-review",
        f"/blueprints/{plan}",
        f"/blueprints/{plan}/diff?priorVersion=1",
        f"/preflight/{template}",
        f"/designs/{design}",
        "/designs",
        "/agent?task=evil:evil-task&run=evil:run",
    ]


async def _judgements(admin: Caller) -> int:
    return (await admin.ask("{ feedbackEvents { totalCount } }"))["feedbackEvents"]["totalCount"]


def _without_what_was_asked(page: str) -> str:
    """What the page says itself: without what its own address says, and the query behind it."""
    return re.sub(r'(?:href|value|hx-get|action)="[^"]*"|run-marex-filing-alert', "", page)


def _parts(folder: str) -> list[str]:
    return [one.lower() for one in re.findall(r"\$show(\w+):", text_of(f"{folder}/query.graphql"))]


async def test_a_step_of_a_blueprint_is_changed_by_its_form_and_the_versions_are_compared(
    browser: httpx.AsyncClient, admin: Caller
) -> None:
    saved = """mutation { saveBlueprint(input: {
      name: "Formed", businessOrPersonalGoal: "Forms.", taskType: "forms", steps: [
      {stepKey: "read", purpose: "To read."}, {stepKey: "write", purpose: "To write."}]}) { recordId } }"""
    page = f"/blueprints/{(await admin.ask(saved))['saveBlueprint']['recordId']}"
    forms = Reading((await browser.get(page)).text).posts
    form = next(one for one in forms if one.fields.get("stepKey") == "write")
    sent = form.fields | {"purpose": "To write it twice.", "rationale": "Once was thin."}
    assert (await browser.post(form.attributes["action"], data=sent)).status_code == 303
    diff = (await browser.get(f"{page}/diff?priorVersion=1")).text
    assert all(one in diff for one in ("To write.", "To write it twice.", "Once was thin."))
    assert "To read." not in diff


async def test_a_judge_is_run_again_by_its_button_and_what_cannot_be_done_says_why(
    browser: httpx.AsyncClient, admin: Caller
) -> None:
    story = Story(
        {"source": "judged", "key": "run"}, {"memory_mode": "standard", "data_class": "internal", "matter_ids": []}
    )
    story.tell("run_started", task_key="judged-task").tell("activation_completed", **step("judge"))
    await _report(admin, story)
    saved = """mutation ($graph: TaskGraphInput!) {
      saveTask(input: {name: "Judged", source: "judged", sourceKey: "judged-task", dataClass: internal}) { recordId }
      saveGraph(of: {kind: "Task", source: "judged", key: "judged-task"}, graph: $graph) { recordId } }"""
    await admin.ask(saved, graph={"modules": [{"moduleKey": "judge", "moduleType": "step.judge"}], "cables": []})
    read = Reading((await browser.get("/graphs/judged:judged-task?run=judged:run&module=judge")).text)
    form = next(one for one in read.posts if one.attributes["action"] == "/do/fork-module")
    assert (await browser.post(form.attributes["action"], data=form.fields)).status_code == 303
    told = await admin.ask('{ forks(filter: {moduleKey: {eq: "judge"}}) { nodes { rerunScope } } }')
    assert told["forks"]["nodes"] == [{"rerunScope": "judge_only"}]
    assert any("no operation compares two" in one.get("title", "") for one, _ in read.buttons)


async def test_where_one_came_from_is_a_page_of_ours(admin: Caller) -> None:
    graph = "/graphs/sample:task-damages-review?module=damages"
    read = Reading((await admin.client.get(f"/runs/sample:run-damages-5?from={quote(graph)}")).text)
    assert graph in [*read.links()]
    for address in ("//evil.example", "https://evil.example", "/\\evil.example"):
        page = await admin.client.get(f"/designs?from={quote(address)}")
        assert "Back to where you came from" not in page.text, address


async def test_the_addresses_that_the_api_gives_lead_to_the_module_and_back(admin: Caller) -> None:
    query = """{ moduleQuickAccess(run: {source: "sample", key: "run-damages-5"}, moduleKey: "damages") {
      runInspectorUrl graphInspectorUrl primaryOutputs { displayName } } }"""
    told = (await admin.ask(query))["moduleQuickAccess"]
    in_run = (await admin.client.get(told["runInspectorUrl"])).text
    assert in_run.count('class="here" open') == 1
    in_graph = (await admin.client.get(told["graphInspectorUrl"])).text
    assert 'class="box mod good here"' in in_graph
    assert told["primaryOutputs"][0]["displayName"] in in_graph


async def test_the_lens_of_a_run_says_where_its_page_is(admin: Caller) -> None:
    query = """{ run(source: "sample", key: "run-marex-complaint") {
      header { title } lens { runInspectorUrl graphInspectorUrl }
    } }"""
    told = (await admin.ask(query))["run"]
    page = await admin.client.get(told["lens"]["runInspectorUrl"])
    assert page.status_code == 200
    assert told["header"]["title"] in unescape(page.text)
