"""A screen that follows one run: live, after a reconnect, and when it may not."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

import httpx
import orjson

from tests.api.conftest import Api, Caller
from tests.api.sockets import subscribed
from tests.memory.stories import Story, step

FOLLOW = """subscription ($run: ID!, $after: String, $kinds: [String!]) {
  runChanges(run: {id: $run}, after: $after, kinds: $kinds) {
    cursor runId status event { eventId kind changed about } run { name activationCount }
    parts { id kind key name status version moduleKey activationSeq record { ... on Activation { costUsd } } }
  }
}"""
PAST = """query ($run: ID!, $after: String) {
  events(about: {id: $run}, after: $after, kinds: ["task.*"]) { nodes { eventId cursor } } }"""
SECONDS = 30
Change = dict[str, Any]


async def _report(caller: Caller, story: Story, begin: int = 0) -> str:
    body = b"\n".join(orjson.dumps(one) for one in story.events[begin:])
    answers = [orjson.loads(line) for line in (await caller.client.post("/v1/events", content=body)).iter_lines()]
    assert {one["outcome"] for one in answers} == {"accepted"}, answers
    return answers[0]["run_id"]


class _Follower:
    """One connection, and what came over it."""

    def __init__(self, api: Api, key: str, **variables: Any) -> None:
        self._payloads = subscribed(api.service.url, api.keys[key], FOLLOW, **variables)
        self.seen: list[Change] = []

    async def __aenter__(self) -> "_Follower":
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self._payloads.aclose()

    async def payload(self) -> dict[str, Any]:
        try:
            async with asyncio.timeout(SECONDS):
                return await anext(self._payloads)
        except AssertionError as error:  # how a subscriber is told that there will be nothing
            return {"errors": error.args[0]}

    async def next(self) -> Change:
        payload = await self.payload()
        assert not payload.get("errors"), payload
        self.seen.append(payload["data"]["runChanges"])
        return self.seen[-1]

    async def until(self, part: str, status: str) -> Change:
        """The change in which a part, by its name or key, has come so far."""
        while True:
            change = await self.next()
            if any(part in (one["name"], one["key"]) and one["status"] == status for one in change["parts"]):
                return change

    async def until_told(self, *names: str) -> None:
        """Until each of these reports has been among what changed."""
        missing = {*names}
        while missing:
            change = await self.next()
            missing -= {*change["event"]["changed"]} if change["event"] else set()

    def event_ids(self) -> list[str]:
        return [one["event"]["eventId"] for one in self.seen if one["event"]]


def _story(key: str, **policy: Any) -> Story:
    usual: dict[str, Any] = {"memory_mode": "standard", "data_class": "internal", "matter_ids": []}
    return Story({"source": "follow", "key": key}, {**usual, **policy}).tell("run_started", name="Followed")


async def test_a_run_is_followed_and_caught_up_with(api: Api, admin: Caller) -> None:
    story = _story("live")
    run = await _report(admin, story)
    async with _Follower(api, "outsider", run=run) as first:
        opening = await first.next()
        assert (opening["event"], opening["status"], opening["parts"]) == (None, "running", [])
        assert opening["run"] == {"name": "Followed", "activationCount": 0}
        story.tell("activation_started", **step("draft"))
        await _report(admin, story, 1)
        change = await first.until("draft #1", "running")
        [part] = change["parts"]
        assert (part["kind"], part["moduleKey"], part["activationSeq"]) == ("Activation", "draft", 1)
        assert change["event"]["changed"] == ["activation_started"]
    story.tell("artifact_produced", artifact_key="follow-memo", artifact_kind="document", **step("draft"))
    story.tell("activation_completed", cost_usd=0.25, **step("draft"))
    story.tell("gate_opened", gate_key="g1", gate_kind="approval", **step("send"))
    await _report(admin, story, 2)
    async with _Follower(api, "outsider", run=run, after=first.seen[-1]["cursor"]) as second:
        story.tell("delivery", idempotency_key="mail", delivery_kind="email", status="delivered", **step("send"))
        story.tell("gate_decided", gate_key="g1", status="approved", **step("send"))
        story.tell("run_completed")
        await _report(admin, story, 5)
        await second.until_told("delivery", "run_completed")
        told = {(part["kind"], part["key"]): part for change in second.seen for part in change["parts"]}
        assert second.seen[-1]["status"] == "completed"
    assert {kind for kind, _ in told} >= {"Activation", "Artifact", "Gate"}
    assert told["Artifact", "follow-memo"]["status"] == "active"
    costs = [part["record"] for change in second.seen for part in change["parts"] if part["kind"] == "Activation"]
    assert {"costUsd": 0.25} in costs
    await _assert_each_once(admin, run, opening["cursor"], first, second)


async def _assert_each_once(admin: Caller, run: str, after: str, *followers: _Follower) -> None:
    """Both connections together told every event up to where they came, once and in order."""
    past = [one["eventId"] for one in (await admin.ask(PAST, run=run, after=after))["events"]["nodes"]]
    told = [one for follower in followers for one in follower.event_ids()]
    assert told == past[: len(told)]
    assert len(past) - len(told) <= 3  # what came after the last look, of the same report


async def test_only_some_kinds(api: Api, admin: Caller) -> None:
    story = _story("kinds")
    run = await _report(admin, story)
    async with _Follower(api, "admin", run=run, kinds=["task.delivery.recorded"]) as follower:
        await follower.next()
        story.tell("activation_started", **step("send"))
        story.tell("delivery", idempotency_key="m", delivery_kind="email", status="delivered", **step("send"))
        await _report(admin, story, 1)
        change = await follower.next()
    assert change["event"]["kind"] == "task.delivery.recorded"
    assert [(part["kind"], part["status"]) for part in change["parts"]] == [("Delivery", "delivered")]


async def test_parts_that_are_hidden_are_not_told(api: Api, admin: Caller) -> None:
    story = _story("parts", capture_outputs="full_local_only")
    run = await _report(admin, story)
    async with _Follower(api, "outsider", run=run) as follower:
        await follower.next()
        story.tell("artifact_produced", artifact_key="local", artifact_kind="document", **step("m"))
        story.tell("run_completed")
        await _report(admin, story, 1)
        await follower.until_told("artifact_produced", "run_completed")
    assert not [part for change in follower.seen for part in change["parts"] if part["kind"] == "Artifact"]


async def test_a_run_that_is_hidden_is_like_one_that_is_not_there(api: Api, admin: Caller) -> None:
    story = _story("hidden from others", data_class="privileged")
    run = await _report(admin, story)
    async with (
        _Follower(api, "outsider", run=run) as hidden,
        _Follower(api, "outsider", run="run_missing") as missing,
        _Follower(api, "admin", run=run) as seen,
    ):
        await seen.next()
        silent = [asyncio.create_task(one.payload()) for one in (hidden, missing)]
        story.tell("run_completed")
        await _report(admin, story, 1)
        await seen.until_told("run_completed")
        done, _ = await asyncio.wait(silent, timeout=1.5)
        assert not done
        for task in silent:
            task.cancel()
        await asyncio.gather(*silent, return_exceptions=True)


async def test_a_cursor_that_is_too_old_has_its_code(api: Api, admin: Caller) -> None:
    story = _story("expired")
    run = await _report(admin, story)
    async with _Follower(api, "admin", run=run) as follower:
        old = await follower.next()
        await _report(admin, story.tell("activation_started", **step("before")), 1)
        await follower.next()
    rows = await api.database.read("MATCH (l:Lock {name: 'events'}) RETURN l.floor AS floor")
    await api.database.run_alone("MATCH (l:Lock {name: 'events'}) SET l.floor = l.seq")
    try:
        for after, code in ((old["cursor"], "cursor_expired"), ("garbled", "invalid_cursor")):
            async with _Follower(api, "admin", run=run, after=after) as follower:
                story.tell("activation_started", **step(code))
                await _report(admin, story, len(story.events) - 1)
                payload = await follower.payload()
            assert payload["errors"][0]["extensions"]["code"] == code
    finally:
        await api.database.run_alone("MATCH (l:Lock {name: 'events'}) SET l.floor = $floor", floor=rows[0]["floor"])


async def test_the_same_over_sse(api: Api, admin: Caller) -> None:
    story = _story("sse")
    run = await _report(admin, story)
    body = {"query": FOLLOW, "variables": {"run": run}}
    headers = {"accept": "text/event-stream"}
    async with (
        admin.client.stream("POST", "/graphql", json=body, headers=headers, timeout=SECONDS) as answer,
        aclosing(_lines(answer)) as changes,
    ):
        assert (await anext(changes))["event"] is None
        await _report(admin, story.tell("run_completed"), 1)
        assert any([change["status"] == "completed" async for change in _some(changes)])


async def _some(changes: AsyncGenerator[Change]) -> AsyncGenerator[Change]:
    """Changes up to the end of the run."""
    async for change in changes:
        yield change
        if change["status"] == "completed":
            return


async def _lines(answer: httpx.Response) -> AsyncGenerator[Change]:
    async for line in answer.aiter_lines():
        if line.startswith("data: {"):
            yield orjson.loads(line.removeprefix("data: "))["data"]["runChanges"]


async def test_following_needs_the_scope_to_read(api: Api, admin: Caller) -> None:
    run = await _report(admin, _story("scope"))
    async with _Follower(api, "executor", run=run) as follower:
        payload = await follower.payload()
    assert payload["errors"][0]["extensions"]["code"] == "not_allowed"
