"""What administrators are told and may do over the API; and that nobody else is told any of it."""

import httpx
import pytest

from tests.api.conftest import Api, Caller

EVERYTHING = """{ administration {
  settings { key value origin meaning } database { local uri name user browserUrl }
  health { name ok detail } migrations { number name by appliedAt } retention { retentionClass kind count held samples }
  accessLog(first: 20) { time event facts } principals { id name kind clearance matterIds version }
  keys(includeDead: true) { id name principal hint scopes purpose expiresAt revokedAt }
} }"""
NEW = """mutation ($name: String!) { createPrincipal(name: $name, kind: person, clearance: internal) {
  replayed principal { id name version matterIds }
} }"""
KEY = """mutation ($principal: String!, $scopes: [KeyScope!]!, $command: String) {
  createKey(principal: $principal, name: "a test", scopes: $scopes, commandId: $command) { text key { id scopes hint } }
}"""

GRANT = """mutation ($who: String!, $m: [ID!]!) {
  grantMatters(principal: $who, matterIds: $m) { principal { matterIds } }
}"""


async def test_an_administrator_is_told_how_the_service_does(admin: Caller) -> None:
    told = (await admin.ask(EVERYTHING))["administration"]
    assert {one["name"] for one in told["health"]} >= {"database", "migrations", "indexes", "model"}
    assert all(one["ok"] for one in told["health"])
    assert [one["number"] for one in told["migrations"]] == [*range(len(told["migrations"]))]
    assert all(one["appliedAt"] for one in told["migrations"])
    assert {"admin", "outsider"} <= {one["name"] for one in told["principals"]}
    assert "TASKLORE_PORT" in {one["key"] for one in told["settings"]}


async def test_no_secret_is_told(api: Api, admin: Caller) -> None:
    answer = (await admin.post(EVERYTHING)).text
    assert not [name for name, key in api.keys.items() if key in answer]
    masked = {
        one["value"] for one in (await admin.ask(EVERYTHING))["administration"]["settings"] if "PASSWORD" in one["key"]
    }
    assert masked <= {None, "********"} | {one for one in masked if one and "/" in one}


@pytest.mark.parametrize(
    "part", ["settings { key }", "principals { id }", "keys { id }", "accessLog { time }", "health { ok }"]
)
async def test_nobody_else_is_told(outsider: Caller, agent: Caller, part: str) -> None:
    for caller in (outsider, agent):
        error = await caller.refused(f"{{ administration {{ {part} }} }}")
        assert (error["code"], "scope admin" in error["message"]) == ("not_allowed", True)


async def test_nobody_else_changes_who_may_use_it(outsider: Caller, agent: Caller) -> None:
    for caller in (outsider, agent):
        assert (await caller.refused(NEW, name="intruder"))["code"] == "not_allowed"
        assert (await caller.refused(KEY, principal="admin", scopes=["admin"]))["code"] == "not_allowed"


async def test_somebody_is_added_gets_a_key_once_and_loses_it(api: Api, admin: Caller) -> None:
    made = (await admin.ask(NEW, name="newcomer"))["createPrincipal"]["principal"]
    key = (await admin.ask(KEY, principal="newcomer", scopes=["read"], command="newcomer-key"))["createKey"]
    again = (await admin.ask(KEY, principal="newcomer", scopes=["read"], command="newcomer-key"))["createKey"]
    assert key["text"].endswith(key["key"]["hint"])
    assert (again["text"], again["key"]["id"]) == (None, key["key"]["id"])
    async with httpx.AsyncClient(base_url=api.service.url) as client:
        caller = Caller(client)
        client.headers["authorization"] = f"Bearer {key['text']}"
        assert (await caller.ask("{ viewer { name clearance } }"))["viewer"] == {
            "name": "newcomer",
            "clearance": "internal",
        }
        matter = api.matters["Marex"]
        granted = await admin.ask(GRANT, who=made["id"], m=[matter])
        assert granted["grantMatters"]["principal"]["matterIds"] == [matter]
        assert (await caller.ask("{ viewer { matters } }"))["viewer"]["matters"] == [matter]
        await admin.ask("mutation ($id: ID!) { revokeKey(key: $id) { key { revokedAt } } }", id=key["key"]["id"])
        assert (await caller.post("{ viewer { name } }")).status_code == 401
    log = (await admin.ask("{ administration { accessLog(first: 50) { event facts } } }"))["administration"][
        "accessLog"
    ]
    told = [one["facts"].get("kind") for one in log if one["event"] == "administered"]
    assert told[:4] == [
        "access.key_revoked",
        "access.matters_granted",
        "access.key_created",
        "access.principal_created",
    ]


async def test_an_agents_key_never_administers(admin: Caller) -> None:
    await admin.ask('mutation { createPrincipal(name: "robot", kind: agent) { principal { id } } }')
    assert (await admin.refused(KEY, principal="robot", scopes=["admin"]))["code"] == "scope_not_allowed"
