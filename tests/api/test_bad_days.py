"""The database dies in a burst of commands, then the service does. Nothing acknowledged is lost, nothing is doubled."""

import asyncio
import signal
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import WebSocketException

from service.principals.owner import owner_key
from tests.api.sockets import subscribed
from tests.cli.serving import Service
from tests.conftest import put_schema
from tests.ports import free_port

COMMANDS = 250
CLIENTS = 8
KILL_AFTER = 60
RECOVERY_SECONDS = 240

SAVE = """mutation ($id: String!, $name: String!) {
  saveGoal(commandId: $id, input: {name: $name, goalType: risk_control_goal, goalStatement: "Survive."}) {
    recordId replayed
  }
}"""
FOLLOW = 'subscription ($after: String) { events(after: $after, kinds: ["goal.created"]) { cursor eventId commandId } }'


@pytest.fixture
async def service(tmp_path: Path) -> AsyncGenerator[Service]:
    await put_schema(tmp_path)
    service = Service(
        tmp_path,
        local_bolt_port=free_port(),
        local_http_port=free_port(),
        local_heap_mb=512,
        local_page_cache_mb=64,
        requests_per_second=0,
        sample_world=False,
    )
    service.start()
    yield service
    if service.process.poll() is None:
        service.stop()


@dataclass
class Burst:
    """Commands sent by several clients at once; what was acknowledged, and what failed and how."""

    service: Service
    key: str
    prefix: str
    acknowledged: dict[str, str] = field(default_factory=dict[str, str])
    failed: dict[str, str] = field(default_factory=dict[str, str])
    enough: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(self, numbers: range) -> None:
        remaining = iter([f"{self.prefix}{number}" for number in numbers])
        await asyncio.gather(*(self._client(remaining) for _ in range(CLIENTS)))

    async def send(self, client: httpx.AsyncClient, command: str) -> dict[str, Any] | None:
        """The payload of an acknowledged command; None when it failed, with the reason noted."""
        body = {"query": SAVE, "variables": {"id": command, "name": command}}
        try:
            answer = (await client.post("/graphql", json=body)).json()
        except (httpx.HTTPError, ValueError) as error:
            self.failed[command] = type(error).__name__
            return None
        if "errors" in answer:
            self.failed[command] = answer["errors"][0]["extensions"]["code"]
            return None
        return answer["data"]["saveGoal"]

    async def _client(self, commands: Iterator[str]) -> None:
        async with self.client() as client:
            for command in commands:
                saved = await self.send(client, command)
                if saved:
                    self.acknowledged[command] = saved["recordId"]
                if len(self.acknowledged) >= KILL_AFTER:
                    self.enough.set()

    def client(self) -> httpx.AsyncClient:
        headers = {"authorization": f"Bearer {self.key}"}
        return httpx.AsyncClient(base_url=self.service.url, headers=headers, timeout=120)

    async def repeat_all(self, total: int) -> None:
        """Send everything again: what was acknowledged answers as before, what failed is carried out now."""
        remaining = iter([f"{self.prefix}{number}" for number in range(total)])

        async def client() -> None:
            async with self.client() as client:
                for command in remaining:
                    saved = await self.send(client, command)
                    assert saved, self.failed[command]
                    if command in self.acknowledged:
                        assert saved == {"recordId": self.acknowledged[command], "replayed": True}
                    self.acknowledged[command] = saved["recordId"]

        await asyncio.gather(*(client() for _ in range(CLIENTS)))


async def test_a_dead_database_and_a_dead_service_lose_and_double_nothing(service: Service) -> None:
    key = owner_key(service.home)
    assert key
    subscriber = asyncio.create_task(_follow(service, key, 2 * COMMANDS, await _head(service, key)))
    first = Burst(service, key, "db-")
    burst = asyncio.create_task(first.run(range(COMMANDS)))
    await asyncio.wait_for(first.enough.wait(), RECOVERY_SECONDS)
    service.databases()[0].kill()
    await burst
    await _ready(service)
    assert set(first.failed.values()) <= {"database_unavailable"}
    await first.repeat_all(COMMANDS)

    second = Burst(service, key, "svc-")
    burst = asyncio.create_task(second.run(range(COMMANDS)))
    await asyncio.wait_for(second.enough.wait(), RECOVERY_SECONDS)
    await asyncio.to_thread(service.stop, signal.SIGKILL)
    await burst
    await asyncio.to_thread(service.start)
    await second.repeat_all(COMMANDS)

    seen = await asyncio.wait_for(subscriber, RECOVERY_SECONDS)
    assert len(seen) == len(set(seen)) == 2 * COMMANDS
    names = await _names(service, key)
    assert sorted(names) == sorted([*first.acknowledged, *second.acknowledged])


async def _head(service: Service, key: str) -> str:
    """Where the log ends before anything is sent."""
    async with httpx.AsyncClient(
        base_url=service.url, headers={"authorization": f"Bearer {key}"}, timeout=120
    ) as client:
        answer = await client.post("/graphql", json={"query": "{ events(first: 1) { head } }"})
        return answer.json()["data"]["events"]["head"]


async def _follow(service: Service, key: str, total: int, cursor: str) -> list[str]:
    """The commands of all events, by a subscriber that comes back wherever it was cut off."""
    seen: list[str] = []
    while len(seen) < total:
        try:
            async with aclosing(subscribed(service.url, key, FOLLOW, after=cursor)) as payloads:
                async for payload in payloads:
                    if not payload.get("data"):
                        break
                    event = payload["data"]["events"]
                    seen.append(event["commandId"])
                    cursor = event["cursor"]
                    if len(seen) == total:
                        break
        except (OSError, WebSocketException, AssertionError):
            await _alive(service)
    return seen


async def _names(service: Service, key: str) -> list[str]:
    query = """query ($after: String) { goals(first: 500, after: $after) {
      nodes { name } pageInfo { hasNextPage endCursor } } }"""
    found: list[str] = []
    after: str | None = None
    async with httpx.AsyncClient(
        base_url=service.url, headers={"authorization": f"Bearer {key}"}, timeout=120
    ) as client:
        while True:
            answer = await client.post("/graphql", json={"query": query, "variables": {"after": after}})
            page = answer.json()["data"]["goals"]
            found += [one["name"] for one in page["nodes"]]
            if not page["pageInfo"]["hasNextPage"]:
                return found
            after = page["pageInfo"]["endCursor"]


async def _ready(service: Service) -> None:
    await _until(service, "/health/ready")


async def _alive(service: Service) -> None:
    await _until(service, "/health/live")


async def _until(service: Service, path: str) -> None:
    async with asyncio.timeout(RECOVERY_SECONDS), httpx.AsyncClient(base_url=service.url) as client:
        while True:
            try:
                if (await client.get(path)).is_success:
                    return
            except httpx.TransportError:
                pass
            await asyncio.sleep(0.2)
