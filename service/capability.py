"""What a capability brings to the running service. `graph_schema.capabilities` lists the capabilities, once.

    service/<name>/__init__.py      COMMANDS: what it adds to the command line. Read for every `tasklore --help`.
    service/<name>/capability.py    SERVICES: what it does, each made when it is first asked for, by its own type
                                    HOOKS: what it adds to the commands on records
                                    routes(services, turns): its routes beside GraphQL
                                    endless(services): its work without end in every process, beside the requests
                                    shared(services): what begins its work without end that one process does for all
                                    AGED: what of it goes with time, beside runs (`service.memory.retention.aged`)
                                    check_settings(settings): refuses, at the start, what it could not use later

Each of them may be left out.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:  # the command line reads this module for every call, and needs none of these
    from embeddings import EmbeddingQueue
    from graph_schema.model.registry import Registry
    from service.access.audience import Access
    from service.access.viewer import Viewer
    from service.commands import Commands
    from service.events import Head
    from service.graph.database import Database
    from service.notices import Notice
    from service.observe import Metrics
    from service.records import Hooks
    from service.settings import Settings

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class CommandAt:
    """A command whose module is imported when it is called. The module has it under the command's own name."""

    name: str
    module: str
    summary: str
    found_as: str | None = None
    """What the module calls it, where the command's name is a word of Python."""


@dataclass(frozen=True, kw_only=True)
class Ground:
    """What services are made of."""

    settings: "Settings"
    registry: "Registry"
    database: "Database"
    commands: "Commands"
    events: "Head"
    hooks: "Hooks"
    metrics: "Metrics"
    changed: Callable[[bool], None]
    """Told after every change, with whether new readers may see something."""

    queue: "EmbeddingQueue | None" = None

    @property
    def embeddings(self) -> "EmbeddingQueue":
        """Absent where somebody writes without a model at hand: then nothing that compares texts can be made."""
        if self.queue is None:
            raise LookupError("no embedding model was loaded")
        return self.queue

    async def advise(
        self, viewer: "Viewer", record_ids: "Iterable[str]", within: "Access | None" = None
    ) -> "tuple[Notice, ...]":
        """What the capabilities know of records that somebody is to use. `within`: told to whoever has this access."""
        ids = [*record_ids]
        if not ids:
            return ()
        found = [await one(self.database, self.settings, viewer, ids, within) for one in self.hooks.advice]
        return tuple(notice for some in found for notice in some)


class Services:
    """The services of a process, each found by its type. One is made when it is first asked for, and kept."""

    def __init__(self, ground: Ground, factories: "Iterable[Factories]") -> None:
        self.ground = ground
        self._factories = {kind: make for some in factories for kind, make in some.items()}
        self._made: dict[type, Any] = {}

    def __getitem__(self, kind: type[T]) -> T:
        if kind not in self._made:
            self._made[kind] = self._factories[kind](self)
        return self._made[kind]


Factories = Mapping[type, Callable[[Services], Any]]
