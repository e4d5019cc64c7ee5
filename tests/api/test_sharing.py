"""A share as people meet it: made by a person, opened by whoever has the link, over HTTP; and not by guessing."""

from typing import Any

import pytest

from graph_schema.registry import REGISTRY
from service.graph.bookmarks import HEADER
from tests.api.conftest import Api, Caller
from tests.api.marked import CLASSED, OF_MATTER, marked_id, ref
from tests.memory.stories import Story, step

RUN = {"source": "sharing", "key": "the-review"}
MARK = "Quillfeather"
CREATE = """mutation ($input: ShareInput!) {
  createShare(input: $input) { record { id permission } secret path }
}"""
REVOKE = "mutation ($id: ID!) { revokeShare(share: {id: $id}) { record { id } } }"
TASK = 'mutation { saveTask(input: {name: "Quillfeather task"}) { recordId } }'
TOLD = "Shared with you"
UNKNOWN = "A" * 43


def _review() -> list[dict[str, Any]]:
    return (
        Story(RUN)
        .tell("run_started", task_key="review", task_name=f"{MARK} review")
        .tell("activation_started", **step("write"))
        .tell("activation_completed", **step("write"), cost_usd=0.5)
        .tell("run_completed")
        .events
    )


@pytest.fixture
async def shared(api: Api, admin: Caller) -> dict[str, Any]:
    reported = await admin.client.post("/v1/events", json=_review())
    assert reported.status_code == 200, reported.text
    asked = {"run": {"kind": "Run", **RUN}, "shareMode": "specific_run_summary"}
    return (await admin.ask(CREATE, input=asked))["createShare"]


async def test_whoever_has_the_link_sees_it_and_is_written_down(
    shared: dict[str, Any], nobody: Caller, admin: Caller
) -> None:
    answer = await nobody.client.get(f"/v1/shares/{shared['secret']}")
    assert answer.status_code == 200, answer.text
    assert shared["path"].endswith(shared["secret"])
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert "set-cookie" not in answer.headers
    assert HEADER not in answer.headers, "nobody outside is told how much was written"
    told = await admin.ask(
        """query ($id: String!) {
          shareEvents(filter: {shareId: {eq: $id}}) { nodes { eventKind actorId } }
        }""",
        id=shared["record"]["id"],
    )
    assert {"eventKind": "share_opened", "actorId": None} in told["shareEvents"]["nodes"]


async def test_the_api_tells_the_same_to_somebody_with_a_key(shared: dict[str, Any], outsider: Caller) -> None:
    query = "query ($secret: String!) { sharedManifest(secret: $secret) { __typename } }"
    assert (await outsider.ask(query, secret=shared["secret"]))["sharedManifest"]
    assert (await outsider.refused(query, secret=UNKNOWN))["code"] == "share_not_found"


async def test_revoked_and_unknown_are_one_answer(
    shared: dict[str, Any], nobody: Caller, outsider: Caller, admin: Caller
) -> None:
    await admin.ask(REVOKE, id=shared["record"]["id"])
    revoked = await nobody.client.get(f"/v1/shares/{shared['secret']}")
    unknown = await nobody.client.get(f"/v1/shares/{UNKNOWN}")
    assert (revoked.status_code, revoked.json()) == (unknown.status_code, unknown.json())
    assert {*revoked.headers} == {*unknown.headers}
    asked = {"query": "query ($s: String!) { sharedManifest(secret: $s) { __typename } }"}
    by_key = [
        (await outsider.client.post("/graphql", json={**asked, "variables": {"s": one}})).json()
        for one in (shared["secret"], UNKNOWN)
    ]
    assert [{*one.get("extensions", {})} for one in by_key] == [{*by_key[1].get("extensions", {})}] * 2
    assert revoked.json()["errors"][0]["extensions"]["code"] == "share_not_found"
    for method in ("post", "put", "delete"):
        assert (await getattr(nobody.client, method)(f"/v1/shares/{shared['secret']}")).status_code in {401, 405}
    assert (await outsider.client.get("/v1/shares/../../graphql")).status_code in {400, 404, 405}


async def test_what_a_sender_notes_is_their_own_and_so_is_closing_it(
    shared: dict[str, Any], outsider: Caller, admin: Caller
) -> None:
    query = "query ($id: ID!) { node(id: $id) { ... on ShareCapsule { permission note recipients } } }"
    asked = {"task": {"id": (await admin.ask(TASK))["saveTask"]["recordId"]}, "shareMode": "task_design_only"}
    made = (await admin.ask(CREATE, input={**asked, "note": "Mind him.", "recipients": ["outsider"]}))["createShare"]
    share = made["record"]["id"]
    theirs = (await outsider.ask(query, id=share))["node"]
    assert theirs == {"permission": "view_only", "note": None, "recipients": None}
    own = (await admin.ask(query, id=share))["node"]
    assert (own["note"], len(own["recipients"])) == ("Mind him.", 1)
    assert (await outsider.refused(REVOKE, id=share))["code"] == "not_allowed"


async def test_a_link_on_another_site_leads_on_to_whoever_has_signed_in(shared: dict[str, Any], nobody: Caller) -> None:
    """A browser keeps back the cookie of who comes from elsewhere; it does not when our own page sends them on."""
    path = f"/share/{shared['secret']}"
    landing = await nobody.client.get(path, headers={"sec-fetch-site": "cross-site"})
    assert (landing.status_code, 'http-equiv="refresh"' in landing.text) == (200, True)
    assert TOLD not in landing.text
    assert TOLD in (await nobody.client.get(path, headers={"sec-fetch-site": "same-origin"})).text


async def test_an_expired_link_says_what_an_unknown_one_says(
    api: Api, shared: dict[str, Any], nobody: Caller, admin: Caller
) -> None:
    over = "MATCH (s:ShareCapsule {id: $id}) SET s.expires_at = '2026-01-01T00:00:00.000Z'"
    await api.database.run_alone(over, id=shared["record"]["id"])
    for path in (f"/v1/shares/{shared['secret']}", shared["path"]):
        expired = await nobody.client.get(path)
        unknown = await nobody.client.get(path.replace(shared["secret"], UNKNOWN))
        assert (expired.status_code, expired.text) == (unknown.status_code, unknown.text)
    why = "query ($id: String!) { shareEvents(filter: {shareId: {eq: $id}}) { nodes { eventKind reasonCode } } }"
    told = (await admin.ask(why, id=shared["record"]["id"]))["shareEvents"]["nodes"]
    assert {"eventKind": "policy_blocked", "reasonCode": "expired"} in told


async def test_the_link_is_in_no_log(api: Api, shared: dict[str, Any], nobody: Caller) -> None:
    await nobody.client.get(f"/v1/shares/{shared['secret']}?record=run_x")
    assert shared["secret"] not in api.service.log()


async def test_a_link_opens_nothing_else(shared: dict[str, Any], nobody: Caller) -> None:
    headers = {"authorization": f"Bearer {shared['secret']}"}
    answer = await nobody.client.post("/graphql", json={"query": "{ runs { totalCount } }"}, headers=headers)
    assert answer.status_code == 401


async def test_an_agents_key_shares_nothing(agent: Caller) -> None:
    asked = {"run": {"kind": "Run", **RUN}, "shareMode": "specific_run_summary"}
    assert (await agent.refused(CREATE, input=asked))["code"] in {"not_allowed", "approval_required"}


async def test_what_is_hidden_is_shared_as_what_is_missing(stranger: Caller) -> None:
    run, share = REGISTRY.types["Run"], REGISTRY.types["ShareCapsule"]
    for hidden in (marked_id(run, CLASSED), marked_id(run, OF_MATTER), "run_missing"):
        error = await stranger.refused(CREATE, input={"run": ref(hidden), "shareMode": "specific_run_summary"})
        assert (error["code"], error["message"]) == ("not_found", f"There is no record {hidden} that you can see.")
    for hidden in (marked_id(share, CLASSED), marked_id(share, OF_MATTER), f"{share.prefix}_missing"):
        error = await stranger.refused(REVOKE, id=hidden)
        assert (error["code"], error["message"]) == ("not_found", f"There is no record {hidden} that you can see.")
