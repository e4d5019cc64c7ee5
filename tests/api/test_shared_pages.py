"""Shared pages over HTTP: what somebody outside sees, and all that they must not get."""

import re
from typing import Any

import httpx
import pytest
from jinja2 import DictLoader

from service.sharing.secrets import new_secret
from service.web.pages.engine.errors import ShellDependency
from service.web.pages.engine.rendering import templates
from service.web.pages.shared.routes import GONE, PAGE, POLICY, check_shell_free
from tests.api.conftest import Api, Caller
from tests.memory.stories import Story, step
from tests.pages.reading import Reading

CREATE = "mutation ($input: ShareInput!) { createShare(input: $input) { record { id } secret } }"
REVOKE = "mutation ($id: ID!) { revokeShare(share: {id: $id}) { recordId } }"
EVENTS = "query ($id: ID!) { node(id: $id) { ... on ShareCapsule { shareEvents { nodes { eventKind targetRef } } } } }"
EVIL = """<script>alert(1)</script>"'><img src=x onerror=alert(1)>{{ 7*7 }}</title>"""
RUN = {"kind": "Run", "source": "shared", "key": "hostile"}
MODES = ("specific_run_summary", "specific_run_with_artifacts", "collaborative_task_workspace", "audit_packet")
PROFILES = ("public_safe", "external_professional", "firm_collaborator", "trusted_internal")


@pytest.fixture
async def hostile(admin: Caller) -> dict[str, Any]:
    """A run whose every text is hostile."""
    story = Story(
        {"source": "shared", "key": "hostile"}, {"memory_mode": "standard", "data_class": "internal", "matter_ids": []}
    )
    story.tell("run_started", name=EVIL, task_key="hostile-task", task_name=EVIL)
    story.tell("activation_started", name=EVIL, module_type="agent", **step("m"))
    made = {"artifact_key": "hostile-art", "artifact_kind": "document", "name": EVIL, "summary": EVIL}
    story.tell("artifact_produced", output_class="final_output", **made, **step("m"))
    story.tell("activation_completed", output_summary=[EVIL], **step("m"))
    answer = await admin.client.post("/v1/events", json=story.events)
    assert answer.status_code == 200, answer.text
    return RUN


async def _shared(admin: Caller, **given: Any) -> tuple[str, str]:
    made = (await admin.ask(CREATE, input=given))["createShare"]
    return made["secret"], made["record"]["id"]


@pytest.mark.parametrize("mode", MODES)
async def test_a_shared_page_says_what_the_manifest_says_and_nothing_of_the_house(
    admin: Caller, nobody: Caller, hostile: dict[str, Any], mode: str
) -> None:
    for profile in PROFILES:
        secret, share = await _shared(admin, run=hostile, shareMode=mode, redactionProfile=profile)
        answer = await nobody.client.get(f"/share/{secret}")
        assert answer.status_code == 200, answer.text
        read = Reading(answer.text)
        assert not read.dangers()
        assert not read.forms
        assert "<script>alert" not in answer.text
        assert ("&lt;script&gt;alert(1)" in answer.text) == (profile != "public_safe")
        shell = ("/home", "/search", "/review", "/explorer", "/signout", "/administration", share, "admin")
        assert not [one for one in shell if one in answer.text]
        own = (f"/share/{secret}?", f"/v1/shares/{secret}")
        assert [one for one in read.links() if one.startswith("/") and not one.startswith(own)] == []


async def test_who_looks_closer_is_told_to_its_sender(admin: Caller, nobody: Caller, hostile: dict[str, Any]) -> None:
    secret, share = await _shared(
        admin, run=hostile, shareMode="specific_run_with_artifacts", redactionProfile="trusted_internal"
    )
    page = Reading((await nobody.client.get(f"/share/{secret}")).text)
    [closer] = [one for one in page.links() if "?record=" in one]
    near = Reading((await nobody.client.get(closer)).text)
    assert f"/share/{secret}" in [*near.links()], "and leads back"
    told = (await admin.ask(EVENTS, id=share))["node"]["shareEvents"]["nodes"]
    assert [one["eventKind"] for one in told] == ["share_opened", "artifact_opened"]
    assert told[1]["targetRef"] == closer.rpartition("=")[2]


async def test_what_a_browser_is_told_of_it(admin: Caller, nobody: Caller, hostile: dict[str, Any]) -> None:
    secret, _ = await _shared(admin, run=hostile, shareMode="specific_run_summary")
    for answer in [await nobody.client.get(f"/share/{one}") for one in (secret, new_secret())]:
        assert answer.headers["content-security-policy"] == POLICY
        assert "unsafe" not in POLICY
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cache-control"] == "no-store"
        assert "noindex" in answer.headers["x-robots-tag"]
        assert "set-cookie" not in answer.headers
        assert '<meta name="robots" content="noindex' in answer.text
    data = await nobody.client.get(f"/v1/shares/{secret}")
    assert "noindex" in data.headers["x-robots-tag"]


async def test_unknown_revoked_and_misspelled_are_one_page(
    admin: Caller, nobody: Caller, outsider: Caller, hostile: dict[str, Any]
) -> None:
    secret, share = await _shared(admin, run=hostile, shareMode="specific_run_summary")
    assert (await nobody.client.get(f"/share/{secret}")).status_code == 200
    await admin.ask(REVOKE, id=share)
    told = [await nobody.client.get(f"/share/{one}") for one in (secret, new_secret(), "tls_short", "%3Cb%3E")]
    told += [await outsider.client.get(f"/share/{secret}")]
    assert {one.status_code for one in told} == {404}
    assert len({one.text for one in told}) == 1
    assert len({tuple(sorted(_lasting(one))) for one in told}) == 1


async def test_it_is_only_looked_at(admin: Caller, nobody: Caller, hostile: dict[str, Any]) -> None:
    secret, _ = await _shared(admin, run=hostile, shareMode="specific_run_summary")
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        answer = await nobody.client.request(method, f"/share/{secret}")
        assert answer.status_code in (401, 405)
    for path in ("/share/", f"/share/{secret}/more", "/share/../home", f"/share/{secret}%2F..%2Fhome"):
        assert (await nobody.client.get(path)).status_code in (401, 404)
    assert (await nobody.client.get("/shares")).status_code == 401


async def test_the_link_is_in_no_log(api: Api, admin: Caller, nobody: Caller, hostile: dict[str, Any]) -> None:
    secret, _ = await _shared(admin, run=hostile, shareMode="specific_run_summary")
    for path in (f"/share/{secret}", f"/share/{secret}?section=no", f"/share/{secret}/x"):
        await nobody.client.get(path)
    await nobody.client.post(f"/share/{secret}")
    assert secret not in api.service.log()
    told = await admin.ask("{ administration { accessLog(first: 100) { facts } } }")
    assert secret not in str(told)


async def test_a_link_is_shown_once_also_without_a_script(admin: Caller) -> None:
    """A form that is sent again makes no second share, and shows no secret."""
    form = Reading((await admin.client.get("/shares/new?record=sample:run-marex-complaint")).text).posts[0]
    kept = {name: form.fields[name] for name in ("token", "commandId", "back", "run")}
    data = kept | {"shareMode": "specific_run_summary", "redactionProfile": "external_professional"}
    first, again = [await admin.client.post(form.attributes["action"], data=data) for _ in range(2)]
    assert [one.status_code for one in (first, again)] == [200, 200]
    assert len({*re.findall(r"tls_[\w-]{43}", first.text)}) == 1
    assert "tls_" not in again.text
    assert "was shown when it was made" in again.text
    for answer in (first, again):
        assert not Reading(answer.text).dangers()


@pytest.mark.parametrize(
    "source",
    [
        '{% extends "shell/shell.html" %}',
        '{% include "shell/shell.html" %}',
        "{{ viewer.name }}",
        "{% for one in sections %}{{ one }}{% endfor %}",
        "{{ token('create-share') }}",
    ],
)
def test_a_shared_page_that_leans_on_the_shell_is_refused(source: str) -> None:
    environment = templates().overlay(loader=DictLoader({PAGE: source, "shell/shell.html": "{{ data.viewer }}"}))
    with pytest.raises(ShellDependency) as refused:
        check_shell_free(environment, PAGE)
    assert refused.value.code == "validation.task_shared_surface_shell_dependency"


def test_our_shared_pages_do_not() -> None:
    for name in (PAGE, GONE):
        check_shell_free(templates(), name)


def _lasting(answer: httpx.Response) -> list[tuple[str, str]]:
    return [
        (name, value) for name, value in answer.headers.items() if not re.match("date|x-request-id|tasklore-", name)
    ]
