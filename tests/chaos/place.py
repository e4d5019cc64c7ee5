"""Where a campaign happens: one local Neo4j that is started again when it dies, two services, and a way between them
and it that can be cut."""

import asyncio
import tempfile
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from graph_schema.model.fields import DataClass
from service.access.viewer import OPERATOR, KeyScope
from service.graph.connect import connect
from service.graph.database import Database
from service.graph.local import LocalServer
from service.graph.local.configuration import Configuration
from service.principals.owner import operator_commands
from service.settings import load_settings
from tests.chaos.caller import Caller
from tests.chaos.luck import Luck
from tests.cli.serving import Service
from tests.conftest import BRIEF_CONF, BRIEF_FLAGS, put_schema
from tests.events.proxy import Proxy
from tests.orphans import ended_with_us
from tests.ports import free_port

SERVICES = 2
STEADY_S = 0.0
"""A campaign kills the database more often than misfortune does: its restarts need not grow rarer."""


@dataclass(frozen=True)
class Way:
    """A service, and its way to the database."""

    service: Service
    proxy: Proxy


@dataclass(frozen=True)
class Place:
    server: LocalServer
    database: Database
    """A way of our own, which no fault touches."""
    ways: tuple[Way, ...]
    key: str
    """Of somebody who may do and see everything."""
    narrow_key: str
    """Of somebody who sees what is internal and of no matter."""

    @property
    def urls(self) -> list[str]:
        return [one.service.url for one in self.ways]

    def caller(self, luck: Luck) -> Caller:
        return Caller(self.urls, self.key, luck)


@asynccontextmanager
async def opened(tell: Callable[[str], None]) -> AsyncGenerator[Place]:
    with tempfile.TemporaryDirectory(prefix="tasklore-chaos-", dir=_memory(), ignore_cleanup_errors=True) as folder:
        home = Path(folder)
        await put_schema(home)
        async with AsyncExitStack() as stack:
            server = await stack.enter_async_context(_database(home, tell))
            database = await connect(server.uri, server.user, server.password, "neo4j")
            stack.push_async_callback(database.close)
            wide = await _key(database, "wide", clearance=DataClass.local_only, all_matters=True)
            narrow = await _key(database, "narrow", [KeyScope.read], clearance=DataClass.internal)
            ways = [await stack.enter_async_context(_way(home / f"service-{one}", server)) for one in range(SERVICES)]
            yield Place(server, database, tuple(ways), wide, narrow)


@asynccontextmanager
async def _database(home: Path, tell: Callable[[str], None]) -> AsyncGenerator[LocalServer]:
    ports = {"local_bolt_port": free_port(), "local_http_port": free_port()}
    settings = load_settings(home=home, local_heap_mb=768, local_page_cache_mb=256, **ports)
    wanted = replace(Configuration.wanted(settings), more_conf=BRIEF_CONF, more_flags=BRIEF_FLAGS)
    async with LocalServer(settings, tell, wanted=wanted, steady_s=STEADY_S) as server:
        watch = asyncio.create_task(_ended_with_us(server))
        try:
            yield server
        finally:
            watch.cancel()
            with suppress(asyncio.CancelledError):
                await watch


async def _ended_with_us(server: LocalServer) -> None:
    """Also what is started in the place of one that was killed."""
    while True:
        pid = server.pid
        with ended_with_us(pid):
            while server.pid == pid:  # noqa: ASYNC110 - the supervisor tells nobody
                await asyncio.sleep(0.2)


@asynccontextmanager
async def _way(home: Path, server: LocalServer) -> AsyncGenerator[Way]:
    async with Proxy(server.uri) as proxy:
        named = {"neo4j_uri": proxy.uri, "neo4j_user": server.user, "neo4j_password": server.password}
        service = Service(home, **named, requests_per_second=0)
        await asyncio.to_thread(service.start)
        try:
            yield Way(service, proxy)
        finally:
            if service.process.poll() is None:
                await asyncio.to_thread(service.stop)


async def _key(database: Database, name: str, scopes: Iterable[KeyScope] = tuple(KeyScope), **access: object) -> str:
    commands = operator_commands(database)
    await commands.create_principal(OPERATOR, {"name": name, **access})
    created = await commands.create_key(OPERATOR, {"principal": name, "name": "chaos", "scopes": [*scopes]})
    assert created.text
    return created.text


def _memory() -> str | None:
    """Nothing of a campaign outlives the machine: its files are kept in memory where that is a folder."""
    folder = Path("/dev/shm")  # noqa: S108 - a folder of our own is made in it
    return str(folder) if folder.is_dir() else None
