"""A workflow of n8n as the library sees it, and why a file is none."""

import re
from dataclasses import dataclass, replace
from typing import Any

from service.errors import TaskloreError
from service.notices import Notice

SOURCE = "n8n"
"""Under whose name imported templates and capabilities are known."""

STICKY = "n8n-nodes-base.stickyNote"
"""A note on the canvas: a node that does nothing."""

MOST_BYTES = 5_000_000
MOST_NODES = 1_000

Json = dict[str, Any]

_TYPES = re.compile(r"(@[^/]+/)?n8n-nodes-[^.]+\..+|CUSTOM\..+")


def is_node_type(module_type: str) -> bool:
    """Whether n8n calls types of nodes so: its own packages, those of others, and a folder of custom nodes."""
    return _TYPES.fullmatch(module_type) is not None


@dataclass(frozen=True, slots=True)
class Node:
    """A node that does something. `config` is all that the file says of it but its name and its type."""

    name: str
    type: str
    config: Json
    purpose: str | None
    disabled: bool


@dataclass(frozen=True, slots=True)
class Wire:
    """A connection between two nodes that are both there. A port is its kind and number: `main:0`."""

    cable_id: str
    tail: str
    head: str
    from_port: str
    to_port: str


@dataclass(frozen=True, slots=True)
class Need:
    """A capability that a workflow cannot do without, and what using it may do to the outside world."""

    key: str
    name: str
    kind: str
    side_effect_classes: tuple[str, ...] = ()
    possible: tuple[str, ...] = ()
    """Side effects that it may have: what the node is set to do is a default, an expression or not known."""

    def with_(self, other: "Need") -> "Need":
        """The same need, of two nodes."""
        sure = {*self.side_effect_classes, *other.side_effect_classes}
        possible = {*self.possible, *other.possible}
        return replace(self, side_effect_classes=tuple(sorted(sure)), possible=tuple(sorted(possible)))


@dataclass(frozen=True, slots=True)
class Workflow:
    """One workflow. `extra` holds what modules, cables and settings do not, so that it can be written as it was."""

    key: str
    name: str
    description: str | None
    tags: tuple[str, ...]
    nodes: tuple[Node, ...]
    wires: tuple[Wire, ...]
    settings: Json | None
    extra: Json
    needs: tuple[Need, ...]
    steps: tuple[str, ...] = ()
    warnings: tuple[Notice, ...] = ()
    handed_on: tuple[str, ...] = ()
    """Side effects that nodes may have which need nothing themselves: they run something else."""

    @property
    def side_effect_classes(self) -> list[str]:
        return sorted({one for need in self.needs for one in need.side_effect_classes})

    @property
    def possible_side_effect_classes(self) -> list[str]:
        """What it may do beside."""
        possible = {*self.handed_on, *(one for need in self.needs for one in need.possible)}
        return sorted(possible - {*self.side_effect_classes})


class NotAWorkflow(TaskloreError):
    """A file that cannot be imported. It never stops the others."""

    code = "workflow_unreadable"

    def __init__(self, problem: str, remedy: str = "Export the workflow from n8n again, as JSON.") -> None:
        super().__init__(problem, field="workflows", remedy=remedy)


class NotFromN8n(TaskloreError):
    code = "not_from_n8n"

    def __init__(self, template: str, problem: str) -> None:
        super().__init__(
            f"{template} cannot be written as a workflow of n8n: {problem}.",
            field="template",
            remedy="Export a template that was imported with importN8n, or one whose modules are nodes of n8n.",
        )


class Unwritable(Exception):
    """Why a graph is no workflow of n8n. Whoever knows the template makes a refusal of it."""
