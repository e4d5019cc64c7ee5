"""Opening a database: within seconds it either answers and has what we need, or there is an error that says why not."""

import asyncio
import logging
import re
from typing import LiteralString

import neo4j
from neo4j import exceptions as driver_errors

from service.errors import SettingsInvalid
from service.graph.database import Database, Observer, unobserved
from service.graph.errors import (
    DatabaseLacksFeature,
    DatabaseMissing,
    DatabaseRefusedLogin,
    DatabaseTooOld,
    DatabaseUnavailable,
)

MINIMUM = (5, 26)
ANSWER_SECONDS = 10.0
_CONNECT_SECONDS = 5.0
_ACQUIRE_SECONDS = 20.0
_RETRY_SECONDS = 15.0
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
    driver = _driver(uri, user, password)
    database = Database(driver, name, read_timeout=read_timeout, observe=observe)
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            await _check(driver, user, name)
            await _check_features(database)
    except BaseException as error:
        await driver.close()
        if isinstance(error, TimeoutError):
            raise DatabaseUnavailable(f"no answer from {uri} within {ANSWER_SECONDS:.0f} seconds") from error
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
            liveness_check_timeout=_IDLE_SECONDS,
            max_connection_pool_size=_POOL_SIZE,
            notifications_min_severity="OFF",
            user_agent="tasklore",
        )
    except (driver_errors.DriverError, ValueError) as error:
        raise SettingsInvalid("TASKLORE_NEO4J_URI", str(error).rstrip(".")) from error


async def _check(driver: neo4j.AsyncDriver, user: str, name: str) -> None:
    try:
        agent = await _agent(driver, name)
    except driver_errors.Neo4jError as error:
        if (error.code or "").startswith(_SECURITY):
            raise DatabaseRefusedLogin(user) from error
        if error.code == _DATABASE_NOT_FOUND:
            raise DatabaseMissing(name) from error
        raise DatabaseUnavailable(_first_line(error)) from error
    except (driver_errors.DriverError, OSError) as error:
        raise DatabaseUnavailable(_first_line(error)) from error
    check_version(agent)


async def _agent(driver: neo4j.AsyncDriver, name: str) -> str:
    async with driver.session(database=name) as session:  # pyright: ignore[reportUnknownMemberType]
        result = await session.run("RETURN 1 AS one")
        return (await result.consume()).server.agent


async def _check_features(database: Database) -> None:
    for feature, statement in FEATURES.items():
        try:
            await database.run_alone(statement, labels=["Record"])
        except driver_errors.ClientError as error:
            raise DatabaseLacksFeature(feature) from error


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0].rstrip(".:") or type(error).__name__
