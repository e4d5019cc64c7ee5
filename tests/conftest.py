"""The test database: one real Neo4j for each process of the run, emptied before every test that asks for it."""

import gc
import os
import shutil
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from graph_schema.registry import REGISTRY
from service import collector
from service.graph.connect import connect
from service.graph.database import Database
from service.graph.local import LocalServer
from service.graph.local.configuration import Configuration
from service.graph.migrations import migrate
from service.settings import Settings, load_settings
from tests import laws
from tests.order import longest_first, shuffled
from tests.orphans import ended_with_us
from tests.ports import free_port
from tests.store import CLASSES, kept_store, put_store

if TYPE_CHECKING:
    from xdist.remote import Producer
    from xdist.scheduler import Scheduling

# Tests plan thousands of statements once each, in a graph that is filled and emptied all the time. The JVM's second
# compiler takes more than it gives in the minutes of a run. To plan a statement anew for another size of graph, or of a
# list among its parameters, takes half of all.
BRIEF_FLAGS = (
    "-XX:TieredStopAtLevel=1",
    "-XX:ReservedCodeCacheSize=240m",
    "-XX:-UseG1GC",
    "-XX:+UseSerialGC",
)
BRIEF_CONF = (
    "dbms.cypher.min_replan_interval=1d",
    "dbms.cypher.statistics_divergence_threshold=1.0",
    "internal.cypher.use_parameter_size=false",
)

# Servers that tests start themselves, as users have them, are up for seconds too: half of a start is that compiler.
os.environ.setdefault("JDK_JAVA_OPTIONS", BRIEF_FLAGS[0])

# Homes of servers are kept in memory where there is room: nothing of a test outlives the machine, and every commit
# waits for a disk.
_MEMORY = Path("/dev/shm")  # noqa: S108 - pytest makes a folder of its own there, for this user alone
if _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free > 6_000_000_000:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(_MEMORY))

# The settings of whoever runs the tests are not those of the tests. Where downloads are kept is theirs to say.
for _key in [key for key in os.environ if key.startswith("TASKLORE_")]:
    if not _key.startswith("TASKLORE_TEST_") and _key != "TASKLORE_CACHE":
        del os.environ[_key]


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("tasklore")
    group.addoption("--thorough", action="store_true", help="try every law with many examples")
    group.addoption("--shuffle", metavar="SEED", help="run the tests in another order, the same for the same seed")


# All modules of tests and of the service are imported now, and stay.
gc.disable()


def pytest_collection_finish() -> None:
    gc.enable()
    collector.calm()


def pytest_configure(config: pytest.Config) -> None:
    laws.load(thorough=bool(config.getoption("thorough")))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: "Producer") -> "Scheduling":
    from tests.parallel import Together  # noqa: PLC0415 - not in every environment that loads this file

    return Together(config, log)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of tests with the same name, processes that share the run would run one only."""
    names = Counter(item.nodeid for item in items)
    if double := [name for name, count in names.items() if count > 1]:
        raise pytest.UsageError(f"several tests have the name {double[0]}")
    seed = config.getoption("shuffle")
    items[:] = shuffled(items, seed, config.rootpath) if seed else longest_first(items)


@dataclass(frozen=True)
class Server:
    uri: str
    user: str
    password: str


@pytest.fixture(scope="session")
async def neo4j_server(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Server]:
    """A server that the environment names, else a container, else the local server that users get."""
    uri = os.environ.get("TASKLORE_TEST_NEO4J_URI")
    if uri and "PYTEST_XDIST_WORKER" in os.environ:
        pytest.exit("the server named by TASKLORE_TEST_NEO4J_URI has one graph, for one process: use -n 0", 2)
    if uri:
        yield Server(
            uri,
            os.environ.get("TASKLORE_TEST_NEO4J_USER", "neo4j"),
            os.environ.get("TASKLORE_TEST_NEO4J_PASSWORD", ""),
        )
    elif _container_engine_answers():
        async with _container() as server:
            yield server
    else:
        async with _local(tmp_path_factory.mktemp("neo4j-home")) as server:
            yield server


@pytest.fixture(scope="session")
async def migrated(neo4j_server: Server) -> AsyncGenerator[Database]:
    async with _graph_of(neo4j_server) as database:
        yield database


@pytest.fixture
async def database(migrated: Database) -> Database:
    """An empty graph with its schema in place."""
    await empty(migrated)
    return migrated


async def empty(database: Database) -> None:
    """Take everything out of the test graph but its schema."""
    await database.run_alone(
        "MATCH (n) WHERE NOT n:Migration AND NOT n:TaskloreTestGraph "
        "CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 10000 ROWS"
    )


@asynccontextmanager
async def _graph_of(server: Server) -> AsyncGenerator[Database]:
    """The test graph with its schema in place. A graph that is not ours and not empty is refused."""
    database = await connect(server.uri, server.user, server.password, "neo4j")
    try:
        await _claim(database)
        await migrate(database, REGISTRY)
        yield database
    finally:
        await database.close()


async def _claim(database: Database) -> None:
    row = await database.read_one("RETURN COUNT { MATCH (n) } AS nodes, COUNT { MATCH (:TaskloreTestGraph) } AS marks")
    assert row
    if row["nodes"] and not row["marks"]:
        pytest.exit("the server named by TASKLORE_TEST_NEO4J_URI holds a graph that is not a test graph", 2)
    await database.run_alone("MERGE (:TaskloreTestGraph)")


def _container_engine_answers() -> bool:
    host = os.environ.get("DOCKER_HOST", "unix:///var/run/docker.sock")
    if host.startswith("unix://") and not Path(host.removeprefix("unix://")).exists():
        return False
    from docker import errors, from_env  # noqa: PLC0415 - not in every environment that loads this file

    try:
        client = from_env(timeout=2)
    except errors.DockerException:
        return False
    client.close()
    return True


@asynccontextmanager
async def _container() -> AsyncGenerator[Server]:
    from testcontainers.neo4j import Neo4jContainer  # noqa: PLC0415 - not in every environment that loads this file

    with Neo4jContainer("neo4j:5.26-community") as container:
        yield Server(container.get_connection_url(), "neo4j", container.password)


@asynccontextmanager
async def _local(home: Path) -> AsyncGenerator[Server]:
    await put_schema(home)
    async with _running(home) as server:
        yield server


async def put_schema(home: Path) -> None:
    """Give the local server of a home a graph with its schema in place. To make that takes longer than the start."""
    settings = _local_settings(home)
    await put_store(settings, _make_store)
    classes = kept_store(settings) / CLASSES
    if classes.exists():
        os.environ["JDK_JAVA_OPTIONS"] = f"{BRIEF_FLAGS[0]} -XX:SharedArchiveFile={classes}"


async def _make_store(home: Path) -> None:
    async with (
        _running(home, f"-XX:ArchiveClassesAtExit={home / CLASSES}") as server,
        _graph_of(server) as database,
    ):
        await _name_all(database)


async def _name_all(database: Database) -> None:
    """A statement with a name that the graph does not know is planned again as soon as it does: know all of them."""
    from tests.statements import words  # noqa: PLC0415 - imports all that there is

    known = words()
    await database.run_alone("UNWIND $names AS name CALL db.createLabel(name)", names=known.labels)
    await database.run_alone("UNWIND $names AS name CALL db.createRelationshipType(name)", names=known.types)
    await database.run_alone("UNWIND $names AS name CALL db.createProperty(name)", names=known.properties)


@asynccontextmanager
async def _running(home: Path, *more_flags: str) -> AsyncGenerator[Server]:
    settings = _local_settings(home)
    flags = (*BRIEF_FLAGS, *more_flags)
    wanted = replace(Configuration.wanted(settings), more_conf=BRIEF_CONF, more_flags=flags)
    async with LocalServer(settings, print, wanted=wanted) as server:
        with ended_with_us(server.pid):
            yield Server(server.uri, server.user, server.password)


def _local_settings(home: Path) -> Settings:
    return load_settings(
        home=home,
        local_heap_mb=768,
        local_page_cache_mb=256,
        local_bolt_port=free_port(),
        local_http_port=free_port(),
    )
