"""The local server for real. A start takes seconds, so one home goes through a whole life."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import LiteralString

import neo4j
import psutil
import pytest

from service.graph import local
from service.graph.local import Connection, HomeInUse, LocalServer
from service.graph.local.errors import AdminFailed, BackupExists
from service.graph.local.home import Home
from service.graph.local.state import read_state
from service.settings import Settings, load_settings
from tests.ports import free_port

SUPERVISOR = """
import asyncio, sys
from pathlib import Path
from service.graph.local import LocalServer
from service.settings import load_settings

async def main():
    home, bolt, http = sys.argv[1:]
    settings = load_settings(
        home=Path(home), local_bolt_port=int(bolt), local_http_port=int(http), local_heap_mb=512, local_page_cache_mb=64
    )
    async with LocalServer(settings, print) as server:
        print("up", server.pid, flush=True)
        await asyncio.sleep(600)

asyncio.run(main())
"""


@pytest.fixture
async def settings(tmp_path: Path) -> AsyncGenerator[Settings]:
    settings = load_settings(
        home=tmp_path / "home",
        neo4j_uri=None,
        local_bolt_port=free_port(),
        local_http_port=free_port(),
        local_heap_mb=512,
        local_page_cache_mb=64,
    )
    yield settings
    assert not await local.stop(settings, print), "a test left a server running"


@pytest.fixture
def home(settings: Settings) -> Home:
    return Home(settings)


@asynccontextmanager
async def _session(connection: Connection) -> AsyncGenerator[neo4j.AsyncSession]:
    auth = (connection.user, connection.password)
    driver = neo4j.AsyncGraphDatabase.driver(connection.uri, auth=auth)  # pyright: ignore[reportUnknownMemberType]
    async with driver, driver.session() as session:  # pyright: ignore[reportUnknownMemberType]
        yield session


async def _run(connection: Connection, query: LiteralString) -> object:
    async with _session(connection) as session:
        record = await (await session.run(query)).single()
        return record[0] if record else None


async def _eventually(condition: Callable[[], bool | Awaitable[bool]], seconds: float) -> None:
    async with asyncio.timeout(seconds):
        while True:
            met = condition()
            if met if isinstance(met, bool) else await met:
                return
            await asyncio.sleep(0.1)


def _recoveries(home: Home) -> int:
    return (home.logs / "debug.log").read_text().count("Recovery required from position")


def _listening(pid: int) -> set[str]:
    return {
        one.laddr.ip.removeprefix("::ffff:")
        for one in psutil.Process(pid).net_connections()
        if one.status == psutil.CONN_LISTEN and one.laddr
    }


def _fetch(url: str) -> int:
    with urllib.request.urlopen(url, timeout=10) as answer:  # noqa: S310 - our own server on loopback
        return answer.status


@pytest.mark.slow
async def test_a_home_goes_through_a_life(settings: Settings, home: Home, tmp_path: Path) -> None:
    await _it_starts_on_loopback_survives_a_crash_and_stops(settings, home)
    await _the_server_of_a_killed_service_is_found_and_used(settings, home)
    await _a_backup_comes_back(settings, home, tmp_path)
    await _a_reset_leaves_no_data_but_the_backups(settings, home)


async def _it_starts_on_loopback_survives_a_crash_and_stops(settings: Settings, home: Home) -> None:
    lines: list[str] = []
    with socket.create_server(("127.0.0.1", settings.local_bolt_port)):  # the port is taken
        server = await LocalServer(settings, lines.append).__aenter__()
    try:
        assert server.state == "running"
        assert any(f"Port {settings.local_bolt_port} is taken" in line and server.uri[-5:] in line for line in lines)
        assert _listening(server.pid) == {"127.0.0.1"}
        assert os.getsid(server.pid) == server.pid
        assert home.password_file.stat().st_mode & 0o777 == 0o600
        await _eventually(lambda: "HTTP enabled" in home.console_log.read_text(), 120)
        assert await asyncio.to_thread(_fetch, server.browser_url) == 200
        await _refuses_a_second_service(settings)
        await _comes_back_after_a_crash(server, home)
    finally:
        pid = server.pid
        await server.__aexit__(None, None, None)
    assert server.state == "stopped"
    assert not psutil.pid_exists(pid)


async def _refuses_a_second_service(settings: Settings) -> None:
    with pytest.raises(HomeInUse, match=f"in use by process {os.getpid()}") as refused:
        await LocalServer(settings, print).__aenter__()
    assert str(settings.home) in refused.value.message
    with pytest.raises(HomeInUse):
        await local.stop(settings, print)
    with pytest.raises(HomeInUse):
        await local.backup(settings, settings.home / "refused.dump", print)


async def _comes_back_after_a_crash(server: LocalServer, home: Home) -> None:
    uri = server.uri
    await _run(server.connection, "CREATE (:Kept {name: 'before the crash'})")
    os.kill(server.pid, signal.SIGKILL)
    await _eventually(lambda: server.state == "restarting", 60)
    await _eventually(lambda: server.state == "running", 300)
    assert (server.restarts, server.last_exit, server.uri) == (1, "killed by signal 9", uri)
    assert await _run(server.connection, "MATCH (k:Kept) RETURN k.name") == "before the crash"
    assert _recoveries(home) > 0


async def _the_server_of_a_killed_service_is_found_and_used(settings: Settings, home: Home) -> None:
    recoveries = _recoveries(home)
    ports = [str(settings.local_bolt_port), str(settings.local_http_port)]
    supervisor = await asyncio.to_thread(_start_supervisor, str(settings.home), *ports)
    orphan = read_state(home)
    assert orphan
    assert _recoveries(home) == recoveries, "the stop before was not clean"
    supervisor.kill()
    supervisor.wait()
    assert orphan.process.alive

    lines: list[str] = []
    found = await local.start_detached(settings, lines.append)
    assert (found.state, found.pid, found.detached) == ("running", orphan.pid, True)
    assert f"process {orphan.pid}" in lines[0]
    async with LocalServer(settings, print) as server, local.borrowed(settings, print) as connection:
        assert server.pid == orphan.pid
        assert await _run(connection, "MATCH (k:Kept) RETURN count(k)") == 1
    assert orphan.process.alive, "one that was started by hand goes on without the service"


def _start_supervisor(*arguments: str) -> subprocess.Popen[str]:
    supervisor = subprocess.Popen([sys.executable, "-c", SUPERVISOR, *arguments], stdout=subprocess.PIPE, text=True)
    assert supervisor.stdout
    with supervisor.stdout as output:
        if not any(line.startswith("up") for line in output):
            pytest.fail(f"the supervisor ended with {supervisor.wait()}")
    return supervisor


async def _a_backup_comes_back(settings: Settings, home: Home, tmp_path: Path) -> None:
    dump = tmp_path / "tasklore.dump"
    before = read_state(home)
    assert before
    assert await local.backup(settings, dump, print) == dump
    with pytest.raises(BackupExists):
        await local.backup(settings, dump, print)
    after = read_state(home)
    assert after, "it ran before and runs again"
    assert after.pid != before.pid
    await _run(after.connection(home), "MATCH (k:Kept) DETACH DELETE k")
    assert await local.stop(settings, print)

    broken = tmp_path / "broken.dump"
    broken.write_bytes(dump.read_bytes()[:2000])
    with pytest.raises(AdminFailed):
        await local.restore(settings, broken, print)
    await local.restore(settings, dump, print)
    async with local.borrowed(settings, print) as connection:
        assert await _run(connection, "MATCH (k:Kept) RETURN k.name") == "before the crash"
    assert (await local.status(settings)).state == "stopped"


async def _a_reset_leaves_no_data_but_the_backups(settings: Settings, home: Home) -> None:
    home.backups.mkdir()
    await local.reset(settings, print)
    assert not home.has_data
    assert not home.password_file.exists()
    assert home.backups.is_dir()
