"""Applies what is pending, each thing once however many services start together."""

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from neo4j import exceptions as driver_errors

from graph_schema.model.registry import Registry
from graph_schema.output.ddl import Index, schema_ddl, vector_ddl
from graph_schema.registry import REGISTRY
from service import clock
from service.graph.database import Database, Row, Transaction
from service.graph.leases import Lease, Progress, leased
from service.graph.migrations import cypher, schema
from service.graph.migrations.errors import DatabaseNewer, MigrationChanged, MigrationFailed
from service.graph.migrations.numbered import MIGRATIONS, Migration, Way, checksum
from service.graph.migrations.retired import RETIRED
from service.progress import Part

LOCK = "migrations"
SCHEMA_NUMBER = 0
SCHEMA_NAME = "schema"
_FIRST_LABELS = ("Lock", "Migration")


@dataclass(frozen=True, slots=True)
class Applied:
    number: int
    name: str
    steps: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Found:
    """What the graph says about its own shape."""

    recorded: dict[int, Row]
    shown: dict[str, Row]


@dataclass(frozen=True, slots=True)
class Plan:
    """What this version wants."""

    wanted: tuple[Index, ...]
    vectors: tuple[Index, ...]
    migrations: Sequence[Migration]

    @property
    def facts(self) -> list[str]:
        return sorted(fact for one in self.wanted for fact in one.facts)

    @property
    def indexes(self) -> tuple[Index, ...]:
        return (*self.wanted, *self.vectors)

    def refuse_newer(self, found: Found) -> None:
        """A migration or a piece of schema that we do not know was made by a version that knows more than we do."""
        ours = {one.number: one for one in self.migrations}
        removed = (fact for one in self.migrations for fact in one.removes)
        known = {*self.facts, *removed, *(fact for one in RETIRED for fact in one.facts)}
        for number, row in found.recorded.items():
            if number == SCHEMA_NUMBER:
                unknown = [fact for fact in row["facts"] if fact not in known]
            else:
                unknown = [] if number in ours else [f"migration {number} ({row['name']})"]
            if unknown:
                raise DatabaseNewer(row["by"], unknown)
            if number in ours and row["checksum"] != ours[number].checksum:
                raise MigrationChanged(number, row["name"])

    def todo(self, found: Found) -> list[Migration]:
        recorded = found.recorded
        return [
            one for one in self.migrations if one.number not in recorded or recorded[one.number]["done"] < _steps(one)
        ]

    def schema_is_behind(self, found: Found) -> bool:
        row = found.recorded.get(SCHEMA_NUMBER)
        return (
            row is None or row["checksum"] != checksum(*self.facts) or bool(schema.missing(self.indexes, found.shown))
        )

    def pending(self, found: Found) -> list[str]:
        behind = [SCHEMA_NAME] if self.schema_is_behind(found) else []
        return [*behind, *(one.title for one in self.todo(found))]


def _silent(_text: str) -> None:
    return None


def plan_for(
    registry: Registry, embedder_key: str | None, dimensions: int | None, migrations: Sequence[Migration]
) -> Plan:
    vectors = vector_ddl(registry, embedder_key, dimensions) if embedder_key and dimensions else ()
    return Plan(schema_ddl(registry), vectors, sorted(migrations, key=lambda one: one.number))


async def pending(
    database: Database,
    registry: Registry = REGISTRY,
    *,
    embedder_key: str | None = None,
    dimensions: int | None = None,
    migrations: Sequence[Migration] = MIGRATIONS,
) -> list[str]:
    """What is not applied yet, for the health check. A graph of a newer version is an error."""
    plan = plan_for(registry, embedder_key, dimensions, migrations)
    found = await find(database)
    plan.refuse_newer(found)
    return plan.pending(found)


async def applied(database: Database) -> list[Row]:
    """What was done to the graph's shape, when, and by which version."""
    return await database.read(cypher.APPLIED_MIGRATIONS)


async def migrate(
    database: Database,
    registry: Registry = REGISTRY,
    *,
    embedder_key: str | None = None,
    dimensions: int | None = None,
    migrations: Sequence[Migration] = MIGRATIONS,
    progress: Progress = _silent,
) -> list[Applied]:
    """Bring the graph up to date and wait until its indexes answer. Does nothing when there is nothing to do."""
    plan = plan_for(registry, embedder_key, dimensions, migrations)
    found = await find(database)
    plan.refuse_newer(found)
    done: list[Applied] = []
    if plan.pending(found):
        first = [one for one in plan.wanted if one.labels[0] in _FIRST_LABELS]
        await schema.ensure(database, schema.missing(first, found.shown))
        async with leased(database, LOCK, progress) as lease:
            done = await _Run(database, plan, lease, progress).all()
    await schema.wait_until_online(database, plan.indexes, progress)
    return done


async def find(database: Database) -> Found:
    recorded = {row["number"]: row for row in await database.read(cypher.RECORDED_MIGRATIONS)}
    return Found(recorded, await schema.shown_indexes(database))


def _steps(migration: Migration) -> int:
    return len(migration.statements)


@dataclass(slots=True)
class _Run:
    """One process's turn: it holds the lease and applies what is still pending."""

    database: Database
    plan: Plan
    lease: Lease
    progress: Progress

    async def all(self) -> list[Applied]:
        found = await find(self.database)
        self.plan.refuse_newer(found)
        todo = self.plan.todo(found)
        if todo and not found.recorded and not await self._holds_anything():
            return await self._from_the_start(todo)
        before = [one for one in todo if one.before_schema]
        after = [one for one in todo if not one.before_schema]
        return [
            *[await self._timed(self._numbered, one, found) for one in before],
            *([await self._timed(self._schema)] if self.plan.schema_is_behind(found) else []),
            *[await self._timed(self._numbered, one, found) for one in after],
        ]

    async def _holds_anything(self) -> bool:
        row = await self.database.read_one(cypher.ANYTHING)
        return bool(row and row["there"])

    async def _from_the_start(self, todo: Sequence[Migration]) -> list[Applied]:
        """A graph that is new gets the schema of now. There is nothing in it that a former version could have left."""
        for one in todo:
            await self._record(one, _steps(one))
        return [await self._timed(self._schema)]

    async def _timed(self, work: Callable[..., Awaitable[tuple[int, str, int]]], *arguments: Any) -> Applied:
        started = time.perf_counter()
        number, name, steps = await work(*arguments)
        return Applied(number, name, steps, round(time.perf_counter() - started, 3))

    async def _schema(self) -> tuple[int, str, int]:
        shown = await schema.shown_indexes(self.database)
        steps = schema.steps(self.plan.indexes, shown, RETIRED)
        for done, step in enumerate(steps):
            self.progress(Part("Schema", done + 1, len(steps), step.title))
            self.lease.check()
            await _reporting(SCHEMA_NAME, done, len(steps), step.run(self.database))
        # Every index that comes online changes the schema, and a statement is planned anew when the schema changes.
        await schema.wait_until_online(self.database, self.plan.indexes, self.progress)
        facts = self.plan.facts
        await self._write(
            cypher.RECORD_SCHEMA, number=SCHEMA_NUMBER, name=SCHEMA_NAME, checksum=checksum(*facts), facts=facts
        )
        return SCHEMA_NUMBER, SCHEMA_NAME, sum(len(step.statements) for step in steps)

    async def _numbered(self, migration: Migration, found: Found) -> tuple[int, str, int]:
        steps = _steps(migration)
        recorded = found.recorded.get(migration.number)
        for done in range(recorded["done"] if recorded else 0, steps):
            self.progress(Part(f"Migration {migration.title}", done + 1, steps))
            self.lease.check()
            await _reporting(migration.title, done, steps, self._step(migration, done))
        if not steps:
            await self._record(migration, 0)
        return migration.number, migration.name, steps

    async def _step(self, migration: Migration, index: int) -> None:
        statement = migration.statements[index]
        if migration.way is Way.data:
            await self._record(migration, index + 1, statement)
            return
        await self.database.run_alone(statement)
        await self._record(migration, index + 1)

    async def _record(self, migration: Migration, done: int, *statements: Any) -> None:
        """Note how far a migration came; statements that change data are run in the same transaction."""
        await self._write(
            cypher.RECORD_STEP,
            *statements,
            number=migration.number,
            name=migration.name,
            checksum=migration.checksum,
            done=done,
            steps=_steps(migration),
        )

    async def _write(self, record: Any, *statements: Any, **parameters: Any) -> None:
        async def work(transaction: Transaction) -> None:
            await self.lease.fence(transaction)
            for statement in statements:
                await transaction.run(statement)
            await transaction.run(record, **parameters, at=clock.now(), by=version("tasklore"))

        await self.database.write(work)


async def _reporting(title: str, done: int, steps: int, work: Awaitable[None]) -> None:
    try:
        await work
    except driver_errors.Neo4jError as error:
        detail = (error.message or str(error)).strip()
        raise MigrationFailed(title, done, steps, detail) from error
