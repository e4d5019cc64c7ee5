"""Opening a database: within seconds it either answers and has what we need, or there is an error that says why not."""

import asyncio
import logging
import re
from collections.abc import Coroutine, Generator
from contextlib import contextmanager
from typing import LiteralString

import neo4j
from neo4j import exceptions as driver_errors

from service.errors import SettingsInvalid
from service.graph.bookmarks import Bookmarks
from service.graph.database import Database, Observer, unobserved
from service.graph.errors import (
    DatabaseLacksFeature,
    DatabaseMissing,
    DatabaseRefusedLogin,
    DatabaseTooOld,
    DatabaseUnavailable,
)
from service.graph.lane import Lane

MINIMUM = (5, 26)
ANSWER_SECONDS = 10.0  # to greet and log in
FIRST_WORK_SECONDS = 60.0  # a server that has just started compiles its first statements for a while
_CONNECT_SECONDS = 5.0
_ACQUIRE_SECONDS = 8.0  # longer than to connect; then whoever waits for a connection is told to come back
_RETRY_SECONDS = 12.0
# The driver would wait a second before it tries a transaction again. A new leader, or a lock that two wanted at once,
# is there much sooner; the last pause is the longest, so all of them together take about 15 seconds.
_FIRST_PAUSE_SECONDS = 0.1
_PAUSE_GROWS = 1.5
_IDLE_SECONDS = 60.0
_POOL_SIZE = 100
_SCHEMES = ("neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc")

# The driver logs what it also raises; without a handler of its own Python would print that to stderr.
logging.getLogger("neo4j").addHandler(logging.NullHandler())

_DATABASE_NOT_FOUND = "Neo.ClientError.Database.DatabaseNotFound"
_SECURITY = "Neo.ClientError.Security."

# Planned, not run: a server that lacks one of them refuses the statement before anything happens.
FEATURES: dict[str, LiteralString] = {
    "SHOW INDEXES": "SHOW INDEXES YIELD name RETURN count(name) AS indexes",
    "full-text indexes": "EXPLAIN CALL db.index.fulltext.queryNodes('none', 'text') YIELD node RETURN node",
    "vector indexes": "EXPLAIN CALL db.index.vector.queryNodes('none', 1, [1.0]) YIELD node RETURN node",
    "vectors as properties": "EXPLAIN MATCH (n:Card) CALL db.create.setNodeVectorProperty(n, 'v', [1.0]) RETURN n",
    "labels given as parameters": "EXPLAIN CREATE (n:$($labels))",
}


async def connect(
    uri: str,
    user: str,
    password: str | None,
    name: str,
    *,
    read_timeout: float | None = None,
    observe: Observer = unobserved,
) -> Database:
    """Open the one driver of this process and check the server. Without a password the server must ask for none."""
    driver, bookmarks = _driver(uri, user, password), Bookmarks()

    def beside() -> Database:
        return Database(
            _driver(uri, user, password), name, read_timeout=read_timeout, observe=observe, bookmarks=bookmarks
        )

    database = Database(
        driver, name, read_timeout=read_timeout, observe=observe, bookmarks=bookmarks, lane=Lane(beside)
    )
    try:
        await _within(ANSWER_SECONDS, _log_in(driver, user), uri)
        await _within(FIRST_WORK_SECONDS, _check(database, user), uri)
    except BaseException:
        await driver.close()
        raise
    return database


def version_of(agent: str) -> tuple[int, ...]:
    """`Neo4j/5.26.29`, `Neo4j/5.27-aura`, `Neo4j/2025.06.0` -> the numbers in order."""
    found = re.match(r"(\d+(?:\.\d+)*)", agent.removeprefix("Neo4j/"))
    return tuple(int(part) for part in found.group(1).split(".")) if found else ()


def check_version(agent: str) -> None:
    version = version_of(agent)
    if version[: len(MINIMUM)] < MINIMUM:
        raise DatabaseTooOld(agent.removeprefix("Neo4j/"), ".".join(map(str, MINIMUM)))


def _driver(uri: str, user: str, password: str | None) -> neo4j.AsyncDriver:
    if uri.partition("://")[0] not in _SCHEMES:
        raise SettingsInvalid("TASKLORE_NEO4J_URI", f"{uri!r} begins with none of {', '.join(_SCHEMES)}")
    try:
        return neo4j.AsyncGraphDatabase.driver(  # pyright: ignore[reportUnknownMemberType]
            uri,
            auth=(user, password) if password is not None else None,
            connection_timeout=_CONNECT_SECONDS,
            connection_acquisition_timeout=_ACQUIRE_SECONDS,
            max_transaction_retry_time=_RETRY_SECONDS,
            initial_retry_delay=_FIRST_PAUSE_SECONDS,
            retry_delay_multiplier=_PAUSE_GROWS,
            liveness_check_timeout=_IDLE_SECONDS,
            max_connection_pool_size=_POOL_SIZE,
            notifications_min_severity="OFF",
            user_agent="tasklore",
        )
    except (driver_errors.DriverError, ValueError) as error:
        raise SettingsInvalid("TASKLORE_NEO4J_URI", str(error).rstrip(".")) from error


async def _within(seconds: float, work: Coroutine[None, None, None], uri: str) -> None:
    try:
        async with asyncio.timeout(seconds):
            await work
    except TimeoutError as error:
        raise DatabaseUnavailable(f"no answer from {uri} within {seconds:g} seconds") from error


async def _log_in(driver: neo4j.AsyncDriver, user: str) -> None:
    with _explained(user, ""):
        await driver.verify_connectivity()  # pyright: ignore[reportUnknownMemberType]


async def _check(database: Database, user: str) -> None:
    with _explained(user, database.name):
        agent = await _agent(database)
    check_version(agent)
    for feature, statement in FEATURES.items():
        try:
            await database.run_alone(statement, labels=["Record"])
        except driver_errors.ClientError as error:
            raise DatabaseLacksFeature(feature) from error


async def _agent(database: Database) -> str:
    async with database.driver.session(  # pyright: ignore[reportUnknownMemberType]
        database=database.name, default_access_mode=neo4j.READ_ACCESS
    ) as session:
        result = await session.run("RETURN 1 AS one")
        return (await result.consume()).server.agent


@contextmanager
def _explained(user: str, name: str) -> Generator[None]:
    """Whatever the driver says, as one of the reasons that a person can act on."""
    try:
        yield
    except driver_errors.Neo4jError as error:
        if (error.code or "").startswith(_SECURITY):
            raise DatabaseRefusedLogin(user) from error
        if error.code == _DATABASE_NOT_FOUND:
            raise DatabaseMissing(name) from error
        raise DatabaseUnavailable(_first_line(error)) from error
    except (driver_errors.DriverError, OSError) as error:
        raise DatabaseUnavailable(_first_line(error)) from error


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0].rstrip(".:") or type(error).__name__
