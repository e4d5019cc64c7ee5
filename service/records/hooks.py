"""What capabilities add to the commands on records: checks of their own, and what follows from a change."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from service.access.audience import Access
from service.access.viewer import Viewer
from service.commands import Work
from service.commands.work import State
from service.graph.database import Database
from service.notices import Notice
from service.settings import Settings

Values = Mapping[str, Any]
Check = Callable[[Values | None, Values], None]
AfterSave = Callable[[Work, State | None, State], Awaitable[None]]
OnGraph = Callable[[Work, State, str], Awaitable[None]]
AfterLink = Callable[[Work, State, str, State, bool], Awaitable[State]]
Advise = Callable[[Database, Settings, Viewer, Iterable[str], Access | None], Awaitable[tuple[Notice, ...]]]


@dataclass(frozen=True, slots=True)
class Hooks:
    checks: Mapping[str, Check] = field(default_factory=dict[str, Check])
    """What must hold of a record beyond its model, by label: asked with what it was and what it is to be."""

    after_save: tuple[AfterSave, ...] = ()
    """What a save, or a change of state, brings about: asked with what the record was and what it is."""

    after_link: tuple[AfterLink, ...] = ()
    """What a link, or its removal (the last argument), brings about. Each gives the tail as it is then."""

    advice: tuple[Advise, ...] = ()
    """What is known of records that somebody is to use, beyond what these say. With an access, only what whoever has
    that may know: for answers that are kept for others."""
    on_graph: tuple[OnGraph, ...] = ()
    """What must hold of a task or template before it gets a graph, which the hash tells."""


def joined(hooks: Iterable[Hooks]) -> Hooks:
    some = [*hooks]
    return Hooks(
        {label: check for one in some for label, check in one.checks.items()},
        tuple(step for one in some for step in one.after_save),
        tuple(step for one in some for step in one.after_link),
        tuple(step for one in some for step in one.advice),
        tuple(step for one in some for step in one.on_graph),
    )
