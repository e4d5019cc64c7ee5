"""A service of two processes on one database: whichever answers, and whichever is killed."""

import asyncio
import json
import re
import signal
import socket
from collections.abc import AsyncGenerator, Iterator
from typing import Any, LiteralString

import httpx
import orjson
import psutil
import pytest

from graph_schema.model.fields import DataClass
from service.access.viewer import OPERATOR, KeyScope
from service.graph.database import Database
from service.principals.commands import Principals
from service.principals.owner import operator_commands
from service.web.pages.engine.tokens import token_for
from tests.bench.client import Client, body_of
from tests.cli.serving import START_SECONDS, STOP_SECONDS, Service, until
from tests.conftest import Server, empty

pytestmark = pytest.mark.slow

SAVE = """mutation ($name: String!, $command: String) { saveGoal(commandId: $command, input: {
  name: $name, goalType: task_outcome_goal, goalStatement: "Reach it."}) { recordId replayed } }"""
EVENTS = """subscription ($after: String) {
  events(after: $after, kinds: ["goal.created"]) { cursor eventId about } }"""
TASK = 'mutation { saveTask(input: {name: "The shared one"}) { recordId } }'
SHARE = """mutation ($task: ID!) { createShare(input: {task: {id: $task}, shareMode: task_design_only}) {
  recordId secret } }"""
REVOKE = "mutation ($share: ID!) { revokeShare(share: {id: $share}) { version } }"
READ = body_of("{ viewer { name } }")
EMBEDDED: LiteralString = "MATCH (c:Card)-[:DESCRIBES]->({id: $id}) RETURN count(c.embedded_hash) > 0"
ACTION, FORGED = "apply-proposal", "This form was not made for this session"
SECONDS = 30.0
TRIES = 200
"""Connections after which each process has had one, but for a chance that nobody will see."""


@pytest.fixture(scope="module")
async def principals(migrated: Database) -> Principals:
    await empty(migrated)
    found = operator_commands(migrated)
    values = {"name": "somebody", "clearance": DataClass.internal, "all_matters": True}
    await found.create_principal(OPERATOR, values)
    return found


async def new_key(principals: Principals) -> tuple[str, str]:
    """A key and its id."""
    scopes = [KeyScope.read, KeyScope.curate]
    created = await principals.create_key(OPERATOR, {"principal": "somebody", "name": "test", "scopes": scopes})
    return created.text or "", created.outcome.result["key"]["id"]


@pytest.fixture(scope="module")
async def key(principals: Principals) -> str:
    return (await new_key(principals))[0]


@pytest.fixture(scope="module")
def started(
    principals: Principals, neo4j_server: Server, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Service]:
    service = Service(
        tmp_path_factory.mktemp("home"),
        neo4j_uri=neo4j_server.uri,
        neo4j_user=neo4j_server.user,
        neo4j_password=neo4j_server.password,
        workers=2,
    )
    service.start()
    yield service
    if service.process.poll() is None:
        service.stop()


@pytest.fixture
def service(started: Service) -> Service:
    """With both processes, also after a test that has killed some."""
    if started.process.poll() is not None:
        started.start()
    until(lambda: len(listening(started)) == 2 and started.announced(), START_SECONDS)
    return started


@pytest.fixture
async def clients(service: Service, key: str) -> AsyncGenerator[dict[int, Client]]:
    """One connected with each process."""
    found = await one_each(service, key)
    yield found
    for client in found.values():
        await client.close()


def processes(service: Service) -> dict[int, psutil.Process]:
    return {one.pid: one for one in psutil.Process(service.process.pid).children()}


def listening(service: Service) -> list[int]:
    """The processes that take connections."""
    return [
        pid
        for pid, process in processes(service).items()
        if any(one.status == psutil.CONN_LISTEN for one in process.net_connections("inet"))
    ]


def working(service: Service) -> int:
    """The process that does what one does for all, also one that has died lately."""
    return int(re.findall(r'"process":(\d+)', service.log())[-1])


def holder(service: Service, port: int) -> int | None:
    """The process that has the other end of a connection."""
    for pid, process in processes(service).items():
        if any(one.raddr and one.raddr.port == port for one in process.net_connections("inet")):
            return pid
    return None


async def one_each(service: Service, key: str) -> dict[int, Client]:
    found: dict[int, Client] = {}
    for _ in range(TRIES):
        client = await Client.connect(service.port, key)
        await client.ask(READ)
        pid = holder(service, client.local_port)
        if pid is None or pid in found:
            await client.close()
        else:
            found[pid] = client
        if len(found) == 2:
            return found
    raise AssertionError(f"of {TRIES} connections all went to {[*found]}")


async def ask(client: Client, query: str, **variables: Any) -> dict[str, Any]:
    return orjson.loads(await client.ask(body_of(query, variables)))


async def test_it_is_announced_once_when_both_answer(service: Service, clients: dict[int, Client]) -> None:
    assert json.loads(service.announced())["API"] == f"{service.url}/graphql"
    assert {*clients} == {*listening(service)}
    for client in clients.values():
        assert json.loads(await client.get("/health/ready"))["status"] == "ready"


async def test_a_command_is_carried_out_once_whichever_process_it_reaches(clients: dict[int, Client]) -> None:
    first, second = clients.values()
    told = (await ask(first, SAVE, name="Once", command="the-same"))["data"]["saveGoal"]
    again = (await ask(second, SAVE, name="Once", command="the-same"))["data"]["saveGoal"]
    assert (told["replayed"], again["replayed"]) == (False, True)
    assert told["recordId"] == again["recordId"]
    other = await ask(second, SAVE, name="Another", command="the-same")
    assert other["errors"][0]["extensions"]["code"] == "command_id_reused"


async def test_a_revoked_key_is_dead_in_both_within_a_second(service: Service, principals: Principals) -> None:
    text, key_id = await new_key(principals)
    for client in (found := await one_each(service, text)).values():
        assert b'"somebody"' in await client.ask(READ)
    await principals.revoke_key(OPERATOR, key_id)
    await asyncio.sleep(1.0)
    for client in found.values():
        assert b'"unauthenticated"' in await client.ask(READ)
        await client.close()


async def test_a_revoked_share_opens_nothing_in_either(service: Service, clients: dict[int, Client]) -> None:
    first, second = clients.values()
    task = (await ask(first, TASK))["data"]["saveTask"]["recordId"]
    share = (await ask(first, SHARE, task=task))["data"]["createShare"]
    path = f"/v1/shares/{share['secret']}"
    for client in clients.values():
        assert b"The shared one" in await client.get(path)
    await ask(second, REVOKE, share=share["recordId"])
    for client in clients.values():
        assert b'"share_not_found"' in await client.get(path)


async def test_a_session_and_the_tokens_of_its_forms_work_in_both(service: Service, principals: Principals) -> None:
    address = await principals.create_sign_in(OPERATOR, "somebody", [KeyScope.read, KeyScope.curate])
    form, origin = {"token": address.text or ""}, {"origin": service.url}
    async with httpx.AsyncClient(base_url=service.url, headers={**origin, "connection": "close"}) as anybody:
        [(name, session)] = (await anybody.post("/signin", data=form)).cookies.items()
        assert {(await anybody.post("/signin", data=form)).status_code for _ in range(6)} == {401}
    ours, forged = token_for(session, ACTION), token_for("another", ACTION)
    for browser in (await _browsers(service, {name: session}, origin)).values():
        assert (await browser.get("/home")).status_code == 200
        told = [(await browser.post(f"/do/{ACTION}", data={"token": one})).text for one in (ours, forged)]
        assert [FORGED in one for one in told] == [False, True]
        await browser.aclose()


async def test_figures_are_those_of_both_together(service: Service, clients: dict[int, Client]) -> None:
    asked = 'tasklore_http_requests_total{method="GET",route="/docs/{path:path}",status="404"}'
    for client in clients.values():
        for _ in range(3):
            await client.get("/docs/nothing.md")
    shown = [(await client.get("/metrics")).decode() for client in clients.values()]
    assert all(line == f"{asked} 6.0" for one in shown for line in one.splitlines() if line.startswith(asked)), shown
    assert all("tasklore_processes 2.0" in one for one in shown)


async def test_a_subscription_goes_on_in_the_other_process_when_its_own_is_killed(
    service: Service, clients: dict[int, Client], key: str
) -> None:
    """No event is lost, and none comes twice."""
    [(killed, _), (_, other)] = clients.items()
    start = (await ask(other, "{ events(first: 1) { head } }"))["data"]["events"]["head"]
    saved = [(await ask(other, SAVE, name=f"Goal {number}"))["data"]["saveGoal"]["recordId"] for number in range(6)]
    heard: list[dict[str, Any]] = []
    async for event in _events(service, key, start, inside=killed):
        heard.append(event)
        if len(heard) == 3:
            gone = processes(service)[killed]
            gone.kill()
            gone.wait(10)  # until then whoever connects may still be dealt to it
            break
    async with asyncio.timeout(SECONDS):
        async for event in _events(service, key, heard[-1]["cursor"]):
            heard.append(event)
            if len(heard) == len(saved):
                break
    assert [one["about"] for one in heard] == saved
    assert len({one["eventId"] for one in heard}) == len(saved)


async def test_one_that_is_killed_is_started_again_and_meanwhile_the_other_answers(
    service: Service, clients: dict[int, Client], migrated: Database
) -> None:
    """What it did for both is taken over within seconds."""
    until(lambda: working(service) in clients, SECONDS)
    killed = working(service)
    first = processes(service)[killed]
    [other] = (client for pid, client in clients.items() if pid != killed)
    first.kill()
    first.wait(10)
    saved = (await ask(other, SAVE, name="Embedded soon"))["data"]["saveGoal"]["recordId"]
    for _ in range(10):
        assert service.get("/health/live").is_success
    async with asyncio.timeout(SECONDS):
        while not await migrated.read_value(EMBEDDED, {"id": saved}):  # noqa: ASYNC110 - another process does it
            await asyncio.sleep(0.1)
    until(lambda: len(listening(service)) == 2, START_SECONDS)
    assert killed not in processes(service)
    assert "ended (killed by signal 9); starting it again" in service.log()


def test_what_is_in_flight_in_each_is_finished_when_it_stops(service: Service, key: str) -> None:
    asked = [_begun(service, key) for _ in range(8)]
    until(lambda: all(holder(service, one.getsockname()[1]) for one in asked), SECONDS)
    service.process.send_signal(signal.SIGTERM)
    for one in asked:
        one.sendall(READ[10:])
        assert one.makefile("rb").read().startswith(b"HTTP/1.1 200")
        one.close()
    assert service.process.wait(STOP_SECONDS) == 0
    assert "Traceback" not in service.log()


def test_the_processes_end_when_the_one_that_watches_over_them_is_killed(service: Service) -> None:
    left = [*processes(service).values()]
    assert service.stop(signal.SIGKILL) == -signal.SIGKILL
    _, alive = psutil.wait_procs(left, STOP_SECONDS)
    assert alive == []


async def _events(service: Service, key: str, after: str, inside: int | None = None) -> AsyncGenerator[dict[str, Any]]:
    """What a subscriber hears, in the process that is told or in any."""
    asked = {"query": EVENTS, "variables": {"after": after}}
    headers = {"authorization": f"Bearer {key}", "accept": "text/event-stream"}
    for _ in range(TRIES):
        async with (
            httpx.AsyncClient(base_url=service.url, headers=headers, timeout=SECONDS) as client,
            client.stream("POST", "/graphql", json=asked) as answer,
        ):
            if inside in {None, holder(service, _port_of(answer))}:
                async for line in answer.aiter_lines():
                    if line.startswith("data: {"):
                        yield orjson.loads(line.removeprefix("data: "))["data"]["events"]
                return


async def _browsers(
    service: Service, cookies: dict[str, str], headers: dict[str, str]
) -> dict[int | None, httpx.AsyncClient]:
    """One with a connection to each process."""
    found: dict[int | None, httpx.AsyncClient] = {}
    for _ in range(TRIES):
        browser = httpx.AsyncClient(base_url=service.url, cookies=cookies, headers=headers, timeout=SECONDS)
        pid = holder(service, _port_of(await browser.get("/health/live")))
        if pid in found:
            await browser.aclose()
        found.setdefault(pid, browser)
        if len(found) == 2:
            break
    return found


def _port_of(answer: httpx.Response) -> int:
    return answer.extensions["network_stream"].get_extra_info("client_addr")[1]


def _begun(service: Service, key: str) -> socket.socket:
    """A request whose body has only begun to come."""
    connection = socket.create_connection(("127.0.0.1", service.port))
    head = f"POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(READ)}\r\nConnection: close\r\n"
    headers = f"{head}Content-Type: application/json\r\nAuthorization: Bearer {key}\r\n\r\n"
    connection.sendall(headers.encode() + READ[:10])
    return connection
