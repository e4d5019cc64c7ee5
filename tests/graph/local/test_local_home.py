"""The parts of the local server that need no server."""

import asyncio
import os
import socket
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from service.graph.local.configuration import Configuration
from service.graph.local.errors import HomeInUse, PasswordLost
from service.graph.local.home import Home
from service.graph.local.launch import adopt
from service.graph.local.memory import heap_mb, machine_mb, page_cache_mb
from service.graph.local.password import ensure_password
from service.graph.local.ports import choose_port, is_free
from service.graph.local.process import ServerProcess, spawn, stop_process
from service.graph.local.state import ServerState, read_state, write_state
from service.settings import Settings, load_settings


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings(home=tmp_path / "home")


@pytest.fixture
def home(settings: Settings) -> Home:
    home = Home(settings)
    home.prepare()
    return home


def _spawn_idle(home: Home) -> ServerProcess:
    return spawn([sys.executable, "-c", "import signal; signal.pause()"], {}, home.console_log)


def _state(process: ServerProcess, **changes: object) -> ServerState:
    facts: dict[str, object] = {
        "pid": process.pid, "created": process.created, "bolt_port": 9, "http_port": 9, "java": "java",
        "version": "5", "fingerprint": "other", "detached": False,
    }  # fmt: skip
    return ServerState(**{**facts, **changes})  # pyright: ignore[reportArgumentType]


def test_the_password_is_made_once_and_only_its_owner_can_read_it(home: Home) -> None:
    password = ensure_password(home)
    assert len(password) >= 32
    assert ensure_password(home) == password
    assert home.password_file.stat().st_mode & 0o777 == 0o600
    assert home.root.stat().st_mode & 0o777 == 0o700


def test_a_lost_password_is_told_rather_than_replaced(home: Home) -> None:
    (home.data / "databases" / "system").mkdir(parents=True)
    with pytest.raises(PasswordLost, match="password") as lost:
        ensure_password(home)
    assert "tasklore db reset" in lost.value.one_line()


def test_a_second_owner_is_told_who_has_the_home(home: Home) -> None:
    assert home.owner() is None
    with home.owned("a service"):
        assert home.owner() == os.getpid()
        with pytest.raises(HomeInUse, match=f"process {os.getpid()} \\(a service\\)"), home.owned("another"):
            pytest.fail("two owners")
    assert home.owner() is None
    with home.owned("another"):
        assert home.owner() == os.getpid()


def test_a_taken_port_is_replaced_by_a_free_one_that_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        taken = listener.getsockname()[1]
        lines: list[str] = []
        chosen = choose_port(taken, "Bolt", lines.append)
        assert chosen != taken
        assert is_free(chosen)
        assert lines == [f"Port {taken} is taken; the local Neo4j uses {chosen} for Bolt"]


def test_memory_is_modest_and_can_be_set(settings: Settings) -> None:
    assert 512 <= heap_mb(settings) <= 2048
    assert 128 <= page_cache_mb(settings) <= 1024
    assert machine_mb() > 0
    given = load_settings(local_heap_mb=700, local_page_cache_mb=80)
    assert (heap_mb(given), page_cache_mb(given)) == (700, 80)


def test_every_address_is_loopback_and_nothing_is_reported(settings: Settings) -> None:
    lines = Configuration.wanted(settings).conf().splitlines()
    addresses = [line for line in lines if "_address=" in line]
    assert len(addresses) == 6
    assert all(line.split("=")[1].startswith("127.0.0.1") for line in addresses)
    assert "dbms.usage_report.enabled=false" in lines


def test_only_what_was_asked_for_decides_whether_a_server_will_do(settings: Settings) -> None:
    asked = Configuration.wanted(settings).fingerprint
    assert Configuration.wanted(settings).fingerprint == asked
    assert Configuration.wanted(settings.model_copy(update={"local_heap_mb": 700})).fingerprint != asked
    for more in ({"more_conf": ("a=b",)}, {"more_flags": ("-Xss2m",)}):
        assert replace(Configuration.wanted(settings), **more).fingerprint != asked


async def test_a_child_has_its_own_session_and_its_end_is_known(home: Home) -> None:
    process = _spawn_idle(home)
    assert os.getsid(process.pid) == process.pid
    assert process.exit_reason() is None
    os.kill(process.pid, 9)
    async with asyncio.timeout(10):
        while not (reason := process.exit_reason()):  # noqa: ASYNC110 - the kernel tells nobody
            await asyncio.sleep(0.01)
    assert reason == "killed by signal 9"


async def test_a_number_that_was_used_again_is_not_our_server(home: Home) -> None:
    process = _spawn_idle(home)
    write_state(home, _state(process, created=process.created - 1000))
    assert read_state(home) is None
    write_state(home, _state(process))
    assert read_state(home)
    await stop_process(process, print)
    assert read_state(home) is None


async def test_a_server_that_does_not_answer_is_stopped(home: Home, settings: Settings) -> None:
    wanted = Configuration.wanted(settings)
    ensure_password(home)
    process = _spawn_idle(home)
    write_state(home, _state(process, fingerprint=wanted.fingerprint))
    lines: list[str] = []
    assert await adopt(home, wanted, lines.append, detached=False) is None
    assert not process.alive
    assert f"process {process.pid}" in lines[0]
