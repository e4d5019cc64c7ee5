"""A server that cannot be used is told at once, and why."""

import asyncio
import time

import pytest

from service.errors import SettingsInvalid
from service.graph import connect as module
from service.graph.connect import check_version, connect, version_of
from service.graph.database import Database
from service.graph.errors import DatabaseMissing, DatabaseRefusedLogin, DatabaseTooOld, DatabaseUnavailable
from tests.conftest import Server


async def test_a_good_server_is_opened(neo4j_server: Server) -> None:
    database = await connect(neo4j_server.uri, neo4j_server.user, neo4j_server.password, "neo4j")
    assert await database.read("RETURN 1 AS one") == [{"one": 1}]
    await database.close()


@pytest.mark.parametrize("uri", ["bolt://127.0.0.1:1", "neo4j://127.0.0.1:1", "bolt://no-such-host.invalid:7687"])
async def test_an_unreachable_server_is_told_within_seconds(uri: str) -> None:
    started = time.monotonic()
    with pytest.raises(DatabaseUnavailable):
        await connect(uri, "neo4j", "x", "neo4j")
    assert time.monotonic() - started < 8


async def test_a_server_that_says_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ANSWER_SECONDS", 0.5)
    done = asyncio.Event()

    async def silence(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await done.wait()
        writer.close()

    server = await asyncio.start_server(silence, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    with pytest.raises(DatabaseUnavailable, match="within"):
        await connect(f"bolt://127.0.0.1:{port}", "neo4j", "x", "neo4j")
    done.set()
    server.close()
    await server.wait_closed()


async def test_a_wrong_password_is_refused(neo4j_server: Server) -> None:
    if not neo4j_server.password:
        pytest.skip("this server asks for no password")
    with pytest.raises(DatabaseRefusedLogin, match=neo4j_server.user):
        await connect(neo4j_server.uri, neo4j_server.user, "not the password", "neo4j")


async def test_an_unknown_database_is_named(neo4j_server: Server) -> None:
    with pytest.raises(DatabaseMissing, match="nowhere"):
        await connect(neo4j_server.uri, neo4j_server.user, neo4j_server.password, "nowhere")


async def test_an_address_that_is_none_names_its_setting() -> None:
    with pytest.raises(SettingsInvalid, match="TASKLORE_NEO4J_URI"):
        await connect("http://127.0.0.1:7474", "neo4j", "x", "neo4j")


@pytest.mark.parametrize(
    ("agent", "version"),
    [
        ("Neo4j/5.26.29", (5, 26, 29)),
        ("Neo4j/5.27-aura", (5, 27)),
        ("Neo4j/2025.06.0", (2025, 6, 0)),
        ("Neo4j/dev", ()),
    ],
)
def test_versions_are_read(agent: str, version: tuple[int, ...]) -> None:
    assert version_of(agent) == version


@pytest.mark.parametrize("agent", ["Neo4j/5.26.0", "Neo4j/5.27-aura", "Neo4j/2025.01.0"])
def test_new_enough(agent: str) -> None:
    check_version(agent)


@pytest.mark.parametrize("agent", ["Neo4j/5.25.9", "Neo4j/4.4.40", "Neo4j/dev"])
def test_too_old(agent: str) -> None:
    with pytest.raises(DatabaseTooOld, match=r"5\.26"):
        check_version(agent)


async def test_every_feature_is_asked_for(database: Database) -> None:
    for statement in module.FEATURES.values():
        await database.run_alone(statement, labels=["Record"])
