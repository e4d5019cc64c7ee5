"""The services of a process: what stands below the capabilities, and what each capability in the one list adds."""

from collections.abc import Coroutine
from types import ModuleType
from typing import Any

from starlette.routing import BaseRoute

from embeddings import EmbeddingQueue
from graph_schema.capabilities import parts_of
from graph_schema.registry import REGISTRY
from service.access.turns import Turns
from service.capability import Factories, Ground, Services
from service.commands import Commands
from service.events import Events, Head
from service.graph.database import Database
from service.graph.leases import Begin
from service.memory.audit.files import Shelf
from service.memory.retention.aged import Aged
from service.observe import Metrics
from service.records import Hooks, Records, joined
from service.records.names import Names
from service.records.read import Histories
from service.search import Search
from service.settings import Settings, load_settings

GROUND: Factories = {
    Events: lambda on: Events(on.ground.database, on.ground.events),
    Records: lambda on: Records(
        on.ground.commands, on.ground.hooks, forget_export=Shelf(on.ground.settings.home).forget
    ),
    Names: lambda on: Names(on.ground.database),
    Histories: lambda on: Histories(on.ground.database, on.ground.registry),
    Search: lambda on: Search(on.ground.database, on.ground.embeddings, on.ground.registry),
}
"""What stands below the capabilities."""


def compose(ground: Ground, more: Factories | None = None) -> Services:
    """`more`: what only a running service has."""
    return Services(ground, (GROUND, *(getattr(one, "SERVICES", {}) for one in _capabilities()), more or {}))


def hooks() -> Hooks:
    """What the capabilities add to the commands on records."""
    return joined(one.HOOKS for one in _capabilities() if hasattr(one, "HOOKS"))


def check_settings(settings: Settings) -> None:
    """Refuse at the start what a capability could not use later."""
    for one in _capabilities():
        if hasattr(one, "check_settings"):
            one.check_settings(settings)


def routes(services: Services, turns: Turns) -> list[BaseRoute]:
    """What the capabilities serve beside GraphQL."""
    makers = (one.routes for one in _capabilities() if hasattr(one, "routes"))
    return [route for make in makers for route in make(services, turns)]


def endless(services: Services) -> list[Coroutine[Any, Any, None]]:
    """What the capabilities do beside the requests in every process, for as long as it runs."""
    makers = (one.endless for one in _capabilities() if hasattr(one, "endless"))
    return [work for make in makers for work in make(services)]


def shared(services: Services) -> list[Begin]:
    """What begins the work of the capabilities that one process does for all."""
    makers = (one.shared for one in _capabilities() if hasattr(one, "shared"))
    return [work for make in makers for work in make(services)]


def aged() -> list[Aged]:
    """What of the capabilities goes with time, beside runs."""
    return [found for one in _capabilities() for found in getattr(one, "AGED", ())]


def services_alone(
    database: Database, queue: EmbeddingQueue | None = None, settings: Settings | None = None
) -> Services:
    """Services for a command or a test that has a database to itself: nobody needs to be told of what changes."""

    def changed(_new_readers: bool) -> None:
        pass

    return compose(
        Ground(
            settings=settings or load_settings(),
            registry=REGISTRY,
            database=database,
            commands=Commands(database, REGISTRY, changed),
            events=Head(database, lambda: None),
            hooks=hooks(),
            metrics=Metrics(),
            changed=changed,
            queue=queue,
        )
    )


def _capabilities() -> list[ModuleType]:
    return parts_of("service", module="capability")
