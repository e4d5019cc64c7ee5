"""What administrators look at: settings, health, migrations, what is due to go, who was refused, the database."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from service.access.log import AccessLog
from service.access.viewer import KeyScope, Viewer
from service.commands.errors import NotAllowed
from service.graph.database import Database
from service.graph.local import LocalNeo4j
from service.graph.migrations import applied
from service.memory.retention import AgedDue, Due, due, due_aged
from service.memory.retention.settings import ages_of
from service.observe import Health
from service.principals import read
from service.principals.shown import AccessKey, PrincipalNow
from service.runtime.compose import aged
from service.settings import Settings, effective
from service.views import JsonObject, Time

MOST_LINES = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingNow:
    """A setting as it is in force."""

    key: Annotated[str, "The variable of the environment."]
    value: Annotated[str | None, "Its value; a mask instead of a secret."]
    origin: Annotated[str, "Whether it is the default, or from the environment."]
    meaning: Annotated[str, "What it is for."]


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthCheck:
    """One thing without which the service cannot do its work."""

    name: Annotated[str, "What is looked at."]
    ok: Annotated[bool, "Whether it is well."]
    detail: Annotated[str, "How it is, in a few words."]
    facts: Annotated[JsonObject, "More about it."]


@dataclass(frozen=True, slots=True, kw_only=True)
class MigrationNow:
    """A numbered change of the graph's shape. Number 0 is the schema itself."""

    number: Annotated[int, "Its number."]
    name: Annotated[str, "What it does."]
    by: Annotated[str, "The version that applied it."]
    applied_at: Annotated[Time | None, "When it was done; null while it is under way."]


@dataclass(frozen=True, slots=True, kw_only=True)
class RetentionPreview:
    """What retention would take of one class and kind if it ran now. Nothing was taken to find out."""

    retention_class: Annotated[str, "The class of the runs; of what is no part of a run, its kind."]
    kind: Annotated[str, "What would go: runs, or parts of them."]
    count: Annotated[int, "How many."]
    held: Annotated[int, "How many more would, if no hold or active matter kept them."] = 0
    samples: Annotated[tuple[str, ...], "Ids of some."] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessLine:
    """A line of the access log. It never holds a key."""

    time: Annotated[Time, "When."]
    event: Annotated[str, "A refused request, a key that was used, or something that was administered."]
    facts: Annotated[JsonObject, "Who, from where, why."]


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseNow:
    """Where the graph is."""

    local: Annotated[bool, "Whether this service runs it itself."]
    uri: Annotated[str, "Where drivers connect."]
    name: Annotated[str, "What it is called there."]
    user: Annotated[str, "The user that the service is."]
    browser_url: Annotated[str | None, "Where its Neo4j Browser is, if it is this service's."]


class Administration:
    """What the parts of the service tell about themselves. It checks nobody: `now` does, before it hands this on."""

    def __init__(
        self, settings: Settings, database: Database, health: Health, log: AccessLog, local: LocalNeo4j | None
    ) -> None:
        self._settings = settings
        self._database = database
        self._health = health
        self._log = log
        self._local = local

    def now(self, viewer: Viewer) -> "AdministrationNow":
        if KeyScope.admin not in viewer.scopes:
            raise NotAllowed(KeyScope.admin, viewer.scopes)
        return AdministrationNow(viewer=viewer, parts=self)

    def settings(self) -> list[SettingNow]:
        found = effective(self._settings)
        return [SettingNow(key=one.key, value=one.value, origin=one.origin, meaning=one.meaning) for one in found]

    def database(self) -> DatabaseNow:
        local, settings = self._local, self._settings
        return DatabaseNow(
            local=local is not None,
            uri=local.uri if local else settings.neo4j_uri or "",
            name=settings.neo4j_database,
            user=local.user if local else settings.neo4j_user,
            browser_url=local.browser_url if local else None,
        )

    async def health(self) -> list[HealthCheck]:
        report = await self._health.report()
        return [
            HealthCheck(name=name, ok=one.ok, detail=one.detail, facts=one.facts) for name, one in report.checks.items()
        ]

    async def migrations(self) -> list[MigrationNow]:
        return [MigrationNow(**row) for row in await applied(self._database)]

    async def retention(self) -> list[RetentionPreview]:
        runs = await due(self._database, ages_of(self._settings))
        others = await due_aged(self._database, aged(), self._settings)
        return [*(row for one in runs for row in _due_runs(one)), *map(_due_others, others)]

    def access_log(self, first: int) -> list[AccessLine]:
        lines = self._log.last(min(first, MOST_LINES))
        return [AccessLine(time=one.pop("time"), event=one.pop("event"), facts=one) for one in lines]

    async def principals(self, viewer: Viewer) -> list[PrincipalNow]:
        return [PrincipalNow.of(one) for one in await read.principals(self._database, viewer)]

    async def keys(self, viewer: Viewer, principal: str | None, *, include_dead: bool) -> list[AccessKey]:
        found = await read.keys(self._database, viewer, principal, include_dead=include_dead)
        return [AccessKey.of(one) for one in found]


@dataclass(frozen=True, slots=True, kw_only=True)
class AdministrationNow:
    """How the service is set up, and how it does. Each part is looked at when it is asked for."""

    viewer: Viewer
    parts: Administration

    def settings(self) -> Annotated[tuple[SettingNow, ...], "All settings, as they are in force."]:
        return tuple(self.parts.settings())

    def database(self) -> Annotated[DatabaseNow, "Where the graph is."]:
        return self.parts.database()

    async def health(self) -> Annotated[tuple[HealthCheck, ...], "What the service needs, and whether it has it."]:
        return tuple(await self.parts.health())

    async def migrations(self) -> Annotated[tuple[MigrationNow, ...], "What was applied to the graph, in order."]:
        return tuple(await self.parts.migrations())

    async def retention(self) -> Annotated[tuple[RetentionPreview, ...], "What `tasklore retain` would take now."]:
        return tuple(await self.parts.retention())

    def access_log(
        self, first: Annotated[int, f"At most so many lines, up to {MOST_LINES}."] = 50
    ) -> Annotated[
        tuple[AccessLine, ...], "The newest lines first: of the file, where one is named; else what this process wrote."
    ]:
        return tuple(self.parts.access_log(first))

    async def principals(self) -> Annotated[tuple[PrincipalNow, ...], "Who may use the service."]:
        return tuple(await self.parts.principals(self.viewer))

    async def keys(
        self,
        principal: Annotated[str | None, "Only those of this principal, by id or name."] = None,
        include_dead: Annotated[bool, "Also those that no longer work."] = False,
    ) -> Annotated[tuple[AccessKey, ...], "The keys, oldest first."]:
        return tuple(await self.parts.keys(self.viewer, principal, include_dead=include_dead))


def _due_runs(one: Due) -> Iterator[RetentionPreview]:
    kept = one.retention_class.value
    yield RetentionPreview(retention_class=kept, kind="runs", count=one.runs, held=one.held, samples=tuple(one.samples))
    for kind, count in one.parts.items():
        yield RetentionPreview(retention_class=kept, kind=kind, count=count)


def _due_others(one: AgedDue) -> RetentionPreview:
    return RetentionPreview(
        retention_class=one.kind, kind="records", count=one.due, held=one.held, samples=tuple(one.samples)
    )
