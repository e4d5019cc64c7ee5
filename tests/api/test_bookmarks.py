"""A write answers with a bookmark; whoever brings it reads what was written, whichever process answers."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import orjson
import pytest

from service.graph.bookmarks import HEADER, MOST_CHARACTERS
from service.mcp.server import BOOKMARK_META
from tests.api.conftest import Api, Caller
from tests.api.door import client_of
from tests.api.sockets import asked_once
from tests.bolt.cluster import Cluster, modes, started
from tests.bolt.fronting import Fronting
from tests.cli.serving import Service
from tests.conftest import Server

SAVE = """mutation ($key: String!, $kind: EntityKind!) {
  saveEntity(input: {name: $key, kind: $kind, source: "bookmarks", sourceKey: $key}) { recordId }
}"""
READ = "query ($id: ID!) { node(id: $id) { id } }"


@pytest.fixture(scope="module")
async def cluster(neo4j_server: Server) -> AsyncGenerator[Cluster]:
    """The same graph behind members that route, read and write."""
    async with started(Fronting(neo4j_server.uri)) as cluster:
        yield cluster


@pytest.fixture(scope="module")
async def other(
    api: Api, cluster: Cluster, neo4j_server: Server, tmp_path_factory: pytest.TempPathFactory
) -> AsyncGenerator[Service]:
    """Another process in front of the same graph, which it knows as a cluster."""
    home: Path = tmp_path_factory.mktemp("other")
    named = {"neo4j_uri": cluster.uri, "neo4j_user": neo4j_server.user, "neo4j_password": neo4j_server.password}
    service = Service(home, requests_per_second=0, **named)
    await asyncio.to_thread(service.start)
    yield service
    await asyncio.to_thread(service.stop)


def _carried(cluster: Cluster, bookmark: str) -> bool:
    """Whether reads brought it, and all of them to readers."""
    reads = [one for one in cluster.asked if one.mode == "r" and one.message == "RUN" and bookmark in one.bookmarks]
    return bool(reads) and all(one.member != cluster.leader for one in reads)


def _event(key: str) -> dict[str, Any]:
    return {
        "event_id": f"bookmarks {key}",
        "kind": "run_started",
        "occurred_at": "2026-01-31T09:30:00.000Z",
        "run": {"source": "bookmarks", "key": key},
        "policy": {"memory_mode": "standard", "data_class": "internal", "matter_ids": []},
    }


async def _saved(caller: Caller, key: str, kind: str = "person") -> httpx.Response:
    answer = await caller.post(SAVE, key=key, kind=kind)
    assert "errors" not in answer.json(), answer.json()
    return answer


async def test_a_write_answers_with_one_and_a_read_with_none(admin: Caller) -> None:
    written = await _saved(admin, "one")
    assert written.headers[HEADER] == written.json()["extensions"]["bookmark"]
    read = await admin.post(READ, id=written.json()["data"]["saveEntity"]["recordId"])
    assert HEADER not in read.headers
    assert "bookmark" not in read.json()["extensions"]


async def test_a_write_by_way_of_a_cluster_goes_to_its_leader_and_answers_with_one(
    api: Api, other: Service, cluster: Cluster
) -> None:
    caller = replace(api, service=other).caller("admin")
    cluster.asked.clear()
    async with caller.client:
        written = await _saved(caller, "by the leader")
        assert written.headers[HEADER] == written.json()["extensions"]["bookmark"]
        assert {*modes(cluster.runs("CREATE (command:Command"))} == {("one", "w")}
        cluster.lead("two")()
        await _saved(caller, "by the next")
    assert cluster.runs("CREATE (command:Command")[-1].member == "two"


async def test_reports_answer_with_one_too(admin: Caller) -> None:
    line = orjson.dumps(_event("reported"))
    answer = await admin.client.post("/v1/events", content=line, headers={"content-type": "application/x-ndjson"})
    assert answer.headers[HEADER]


async def test_who_brings_it_reads_a_new_matter_at_once_by_another_process(
    api: Api, admin: Caller, other: Service, cluster: Cluster
) -> None:
    """What a viewer may see is remembered for a second. A matter that was opened since is not in it."""
    headers = {"authorization": f"Bearer {api.keys['admin']}"}
    async with httpx.AsyncClient(base_url=other.url, headers=headers, timeout=60) as elsewhere:
        for number in range(3):
            await elsewhere.post("/graphql", json={"query": "{ me { name } }"})
            written = (await _saved(admin, f"matter {number}", "matter")).json()
            asked = {"query": READ, "variables": {"id": written["data"]["saveEntity"]["recordId"]}}
            by_header = {HEADER: written["extensions"]["bookmark"]}
            assert (await elsewhere.post("/graphql", json=asked, headers=by_header)).json()["data"]["node"]
            with_it = asked | {"extensions": {"bookmark": written["extensions"]["bookmark"]}}
            assert (await elsewhere.post("/graphql", json=with_it)).json()["data"]["node"]
            assert _carried(cluster, written["extensions"]["bookmark"])


async def test_a_socket_is_opened_with_it(api: Api, admin: Caller, other: Service, cluster: Cluster) -> None:
    """From then on it is answered by one process, which reads what it has written itself."""
    written = (await _saved(admin, "by socket", "matter")).json()
    record, bookmark = written["data"]["saveEntity"]["recordId"], written["extensions"]["bookmark"]
    assert (await asked_once(other.url, api.keys["admin"], READ, bookmark, id=record))["data"]["node"]
    assert _carried(cluster, bookmark)


async def test_an_agent_brings_it_with_a_call(api: Api, other: Service, cluster: Cluster) -> None:
    async with client_of(api, "admin") as writing, client_of(replace(api, service=other), "admin") as client:
        written = await writing.call_tool("report", {"events": [_event("by an agent")]})
        assert written.meta, written
        assert not written.is_error, written
        assert written.structured_content["rejected"] == 0, written
        read = await client.call_tool("search", {"text": "Marex"}, meta={BOOKMARK_META: written.meta[BOOKMARK_META]})
        assert not read.is_error
        assert _carried(cluster, written.meta[BOOKMARK_META])
        refused = await client.call_tool("search", {"text": "Marex"}, meta={BOOKMARK_META: "a mark"})
        assert "bookmark_invalid" in str(refused.content)


@pytest.mark.parametrize(
    "bookmark", ["a mark", "made-up", "x" * (MOST_CHARACTERS + 1), 7, ["FB:x"], "FB:kcwQ\u00e9", "a,,b"]
)
async def test_what_is_none_is_refused_and_disturbs_nobody(bookmark: object, admin: Caller) -> None:
    body = {"query": "{ me { name } runs(first: 1) { nodes { id } } }", "extensions": {"bookmark": bookmark}}
    error = (await admin.client.post("/graphql", json=body)).json()["errors"][0]
    assert error["extensions"]["code"] == "bookmark_invalid"
    assert error["extensions"]["field"] == "bookmark"
    assert await admin.ask("{ runs(first: 1) { nodes { id } } }")
