"""What a running service has open, opened in order and closed in reverse. Everything else is handed its parts."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from embeddings import SECOND, Embedder, EmbeddingError, EmbeddingQueue, load
from graph_schema.model.registry import Registry
from graph_schema.registry import REGISTRY
from service.access.access import Access, make_access
from service.access.log import AccessLog
from service.access.viewers import Viewers
from service.artifacts import ensure
from service.capability import Ground, Services
from service.cards.embedding import embed_behind, mark_behind
from service.commands import Commands
from service.errors import TaskloreError
from service.events import Head, Numberer, keep_retention
from service.graph.database import Database
from service.graph.leases import by_one
from service.graph.local import LocalNeo4j, LocalServer, WatchedServer
from service.graph.migrations import migrate
from service.graph.open import connected
from service.observe import Health, Metrics, log
from service.observe.pool import connections_in_use
from service.principals.commands import Principals
from service.principals.owner import ensure_owner
from service.runtime.administration import Administration
from service.runtime.checks import checks_of
from service.runtime.compose import check_settings, compose, endless, hooks, shared
from service.settings import Settings

Progress = Callable[[str], None]

DOCUMENTS = "/docs/"
FILES = "/pages/files/"
"""Scripts and styles of the pages."""
"""Where the documentation is served: nobody needs a key to read it."""

BESIDE_REQUESTS = "beside requests"
"""The lease on what one process does for all."""

TELL_EVERY_S = 5.0

EMBED_EVERY_S = 1.0
EMBED_BACK_OFF_S = 5.0
EMBED_AT_ONCE = 256


@dataclass(frozen=True)
class Runtime:
    settings: Settings
    registry: Registry
    database: Database
    embeddings: EmbeddingQueue
    access: Access
    principals: Principals
    commands: Commands
    services: Services
    events: Head
    numberer: Numberer
    local: LocalNeo4j | None
    """The local Neo4j; None when the settings name a server."""
    web_files: tuple[Path, ...]
    """The jars with files for the browser: the pages' htmx, the API explorer's scripts."""
    metrics: Metrics
    health: Health


class ModelUnavailable(TaskloreError):
    """The embedding engine's error, which knows nothing of ours, as one that a user may see."""

    code = "model_unavailable"

    def __init__(self, cause: EmbeddingError) -> None:
        super().__init__(cause.message, field="TASKLORE_EMBEDDING_MODEL", remedy=cause.remedy)


@asynccontextmanager
async def running(
    settings: Settings, progress: Progress, metrics: Metrics, watched: WatchedServer | None = None
) -> AsyncGenerator[Runtime]:
    """Everything is there and ready when the block begins, and closed when it ends, the local Neo4j last.

    `watched`: a local Neo4j that another process of the service has started, and ends.
    """
    check_settings(settings)
    async with AsyncExitStack() as stack:
        web_files = [
            file
            for group in (("pages", "web") if settings.explorer else ("pages",))
            for file in await asyncio.to_thread(ensure, group, settings.cache, progress)
        ]
        # Before the database: a model that cannot be loaded is told at once, not after the database has come up.
        embedder = await asyncio.to_thread(load_embedder, settings, progress)
        second = await asyncio.to_thread(load_second, settings, progress)
        local = watched or (
            await stack.enter_async_context(LocalServer(settings, progress)) if settings.is_local else None
        )
        database = await stack.enter_async_context(_migrated(settings, local, embedder, progress, metrics))
        embeddings = EmbeddingQueue(embedder, second=second, max_waiting=settings.embedding_max_waiting)
        stack.push_async_callback(embeddings.aclose)
        runtime = _composed(
            settings=settings,
            database=database,
            embeddings=embeddings,
            local=local,
            web_files=tuple(web_files),
            metrics=metrics,
        )
        stack.push_async_callback(runtime.access.close)
        if settings.is_local:
            await ensure_owner(database, settings.home)
        await stack.enter_async_context(in_background(*_endless_work(runtime)))
        yield runtime


@asynccontextmanager
async def _migrated(
    settings: Settings, local: LocalNeo4j | None, embedder: Embedder, progress: Progress, metrics: Metrics
) -> AsyncGenerator[Database]:
    connection = local.connection if local else None
    progress(f"Connecting to Neo4j at {connection.uri if connection else settings.neo4j_uri}")
    async with connected(settings, connection, metrics.cypher) as database:
        progress("Bringing the graph's schema up to date")
        await migrate(database, REGISTRY, embedder_key=embedder.key, dimensions=embedder.dimensions, progress=progress)
        yield database


def _composed(
    *,
    settings: Settings,
    database: Database,
    embeddings: EmbeddingQueue,
    local: LocalNeo4j | None,
    web_files: tuple[Path, ...],
    metrics: Metrics,
) -> Runtime:
    viewers = Viewers(database)
    events = Head(database, viewers.forget)
    numberer = Numberer(events)
    changed = _after_commands(viewers, numberer)
    access_log = AccessLog(settings.access_log)
    commands = Commands(database, REGISTRY, changed, access_log)
    _watch(metrics, database, embeddings, local)
    ground = Ground(
        settings=settings,
        registry=REGISTRY,
        database=database,
        commands=commands,
        events=events,
        hooks=hooks(),
        metrics=metrics,
        changed=changed,
        queue=embeddings,
    )
    principals = Principals(commands, changed=viewers.forget, log=access_log)
    health = Health(checks_of(database, REGISTRY, embeddings, local))
    administration = Administration(settings, database, health, access_log, local)
    return Runtime(
        settings=settings,
        registry=REGISTRY,
        database=database,
        embeddings=embeddings,
        access=_access(settings, viewers, access_log),
        principals=principals,
        commands=commands,
        services=compose(ground, {Principals: lambda _: principals, Administration: lambda _: administration}),
        events=events,
        numberer=numberer,
        local=local,
        web_files=web_files,
        metrics=metrics,
        health=health,
    )


def _endless_work(runtime: Runtime) -> tuple[Coroutine[Any, Any, None], ...]:
    by_anybody = [
        partial(keep_embedded, runtime.database, runtime.embeddings),
        partial(keep_retention, runtime.database, runtime.settings.event_retention_days),
        *shared(runtime.services),
    ]
    return (
        runtime.numberer.run(),
        keep_told(runtime.metrics),
        by_one(runtime.database, BESIDE_REQUESTS, by_anybody),
        *endless(runtime.services),
    )


@asynccontextmanager
async def in_background(*works: Coroutine[Any, Any, None]) -> AsyncGenerator[None]:
    """Work without an end beside the block; cancelled, and waited for, when the block ends."""
    tasks = [asyncio.create_task(work, name=work.__name__) for work in works]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def keep_told(metrics: Metrics, every_s: float = TELL_EVERY_S) -> None:
    """Have the figures of the moment at hand for the other processes of the service."""
    while True:
        metrics.refresh()
        await asyncio.sleep(every_s)


async def keep_embedded(database: Database, embeddings: EmbeddingQueue, every_s: float = EMBED_EVERY_S) -> None:
    """Give cards their vectors soon after they change. One process does it; should two, some are embedded twice."""
    marked = False
    while True:
        try:
            if not marked:
                await mark_behind(database, embeddings)
                marked = True
            embedded = await embed_behind(database, embeddings, EMBED_AT_ONCE)
        except Exception as error:  # whatever it was, the next round may go better; the service must not lose this task
            log.warning("cards are not embedded", problem=str(error), kind=type(error).__name__)
            await asyncio.sleep(EMBED_BACK_OFF_S)
        else:
            if embedded < EMBED_AT_ONCE:
                await asyncio.sleep(every_s)


def load_embedder(settings: Settings, progress: Progress) -> Embedder:
    """Takes half a second and more: call it from a thread."""
    return _loaded(settings.embedding_model, settings, progress)


def load_second(settings: Settings, progress: Progress) -> Embedder | None:
    """The model that helps the one in force to match, if there is one and it is wanted."""
    name = SECOND.get(settings.embedding_model.lower()) if settings.embedding_second else None
    return _loaded(name, settings, progress) if name else None


def _loaded(name: str, settings: Settings, progress: Progress) -> Embedder:
    progress(f"Loading the embedding model {name}")
    try:
        return load(name, lambda group: ensure(group, settings.cache, progress)[0])
    except EmbeddingError as error:
        raise ModelUnavailable(error) from error


def _after_commands(viewers: Viewers, numberer: Numberer) -> Callable[[bool], None]:
    def changed(new_audience: bool) -> None:
        if new_audience:
            viewers.forget()
        numberer.notify()

    return changed


def _access(settings: Settings, viewers: Viewers, log: AccessLog) -> Access:
    return make_access(
        viewers,
        log,
        host=settings.host,
        allowed_hosts=settings.allowed_hosts,
        allowed_origins=settings.allowed_origins,
        public_prefixes=(DOCUMENTS, FILES),
        body_bytes=settings.max_body_bytes,
        requests_a_second=settings.requests_per_second,
        request_burst=settings.request_burst,
    )


def _watch(metrics: Metrics, database: Database, embeddings: EmbeddingQueue, local: LocalNeo4j | None) -> None:
    metrics.watch(
        pool_in_use=lambda: sum(map(connections_in_use, database.drivers)),
        queue_depth=lambda: embeddings.depth,
        restarts=lambda: local.restarts if local else 0,
    )
