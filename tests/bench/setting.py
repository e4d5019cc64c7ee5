"""What the measurements run on: a local Neo4j, the bare driver beside it, and the service as a process of its own."""

import asyncio
import os
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import neo4j

from graph_schema.model.fields import DataClass
from graph_schema.registry import REGISTRY
from service.access.viewer import OPERATOR, KeyScope, Viewer
from service.access.viewers import Viewers
from service.graph.connect import connect
from service.graph.database import Database
from service.graph.local import LocalServer
from service.graph.migrations import migrate
from service.principals.owner import operator_commands
from service.settings import Settings
from tests.bench.world import FEW, open_matters
from tests.ports import free_port

READY_SECONDS = 120.0
TASKLORE = Path(sys.executable).with_name("tasklore")


@dataclass(frozen=True)
class Setting:
    database: Database
    driver: neo4j.AsyncDriver
    port: int
    pid: int
    key: str
    """Of a caller who sees everything."""
    narrow_key: str
    """Of a caller who sees one goal in a hundred."""
    environment: dict[str, str]
    """What a service on the same database is started with."""

    async def viewer(self, key: str) -> Viewer:
        viewers = Viewers(self.database)
        try:
            return await viewers.of_key(key)
        finally:
            await viewers.close()


@asynccontextmanager
async def served(settings: Settings, server: LocalServer) -> AsyncGenerator[Setting]:
    database = await connect(server.uri, server.user, server.password, "neo4j")
    await migrate(database, REGISTRY)
    await open_matters(database)
    key = await new_key(database, "wide", all_matters=True)
    narrow = await new_key(database, "narrow", matter_ids=[FEW])
    port = free_port()
    environment = {
        **os.environ,
        "TASKLORE_HOME": str(settings.home / "service"),
        "TASKLORE_NEO4J_URI": server.uri,
        "TASKLORE_NEO4J_USER": server.user,
        "TASKLORE_NEO4J_PASSWORD": server.password,
        "TASKLORE_REQUESTS_PER_SECOND": "0",
        "TASKLORE_LOG_LEVEL": "warning",
    }
    process = await asyncio.create_subprocess_exec(
        TASKLORE, "serve", "--port", str(port), env=environment, stdout=asyncio.subprocess.DEVNULL
    )
    try:
        await _ready(port)
        async with neo4j.AsyncGraphDatabase.driver(server.uri, auth=(server.user, server.password)) as driver:  # pyright: ignore[reportUnknownMemberType]
            yield Setting(database, driver, port, process.pid, key, narrow, environment)
    finally:
        process.terminate()
        await process.wait()
        await database.close()


async def new_key(database: Database, name: str, **access: object) -> str:
    commands = operator_commands(database)
    await commands.create_principal(OPERATOR, {"name": name, "clearance": DataClass.internal, **access})
    values = {"principal": name, "name": "bench", "scopes": [KeyScope.read, KeyScope.curate, KeyScope.report]}
    created = await commands.create_key(OPERATOR, values)
    return created.text or ""


async def _ready(port: int) -> None:
    async with asyncio.timeout(READY_SECONDS), httpx.AsyncClient() as client:
        while True:
            try:
                if (await client.get(f"http://127.0.0.1:{port}/health/ready")).is_success:
                    return
            except httpx.TransportError:
                pass
            await asyncio.sleep(0.2)
