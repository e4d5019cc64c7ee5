"""The entries of the queue that a report makes, in the transaction of the report."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, LiteralString

from service.access.audience import Access
from service.commands.inheritance import is_unplaced
from service.ids import new_id
from service.memory.extraction import cypher
from service.memory.reporting.node import Node
from service.memory.reporting.policy import PRIVATE
from service.memory.reporting.world import World

Row = dict[str, Any]
_PRIVATE = [mode.value for mode in PRIVATE]


@dataclass(slots=True)
class Lane:
    """Rows for the statements of a report, and for those of the queue itself."""

    records: list[Row] = field(default_factory=list[Row])
    links: list[Row] = field(default_factory=list[Row])
    waiting: list[Row] = field(default_factory=list[Row])
    withdrawn: list[Row] = field(default_factory=list[Row])
    revealed: list[Row] = field(default_factory=list[Row])

    def writes(self) -> list[tuple[LiteralString, list[Row]]]:
        return [
            (cypher.QUEUE, self.waiting),
            (cypher.WITHDRAW, self.withdrawn),
            (cypher.REVEAL, self.revealed),
        ]


def of(world: World, nodes: Mapping[str, Node]) -> Lane:
    """What is new cannot be queued yet, so its entries are made like any record; for the rest the graph is asked."""
    lane = Lane()
    private = {state.id for state in world.runs.values() if state.rules.mode in PRIVATE}
    for (about_id, reason), run in sorted(world.queued.items()):
        about = nodes[about_id]
        if _owner(about) in private:
            continue
        own = Access.of(world.nodes[run].properties)
        access = own.joined(Access.of(about.properties))
        properties = entry(about.label, about_id, reason, world.at)
        properties |= {**own.as_own(), **access.values(), "stub": is_unplaced(about.label, about.properties)}
        if about.is_new:
            lane.records.append({"labels": ["Extraction", "Record"], "properties": properties})
            lane.links.append({"tail": properties["id"], "type": "EXTRACTS_FROM", "head": about_id, "properties": {}})
        else:
            lane.waiting.append({"about_id": about_id, "properties": properties, "private": _PRIVATE})
    for node in nodes.values():
        if not node.is_new and is_unplaced(node.label, node.before) and not is_unplaced(node.label, node.properties):
            (lane.withdrawn if _owner(node) in private else lane.revealed).append({"about_id": node.id})
    return lane


def entry(kind: str, about_id: str, reason: str, at: str) -> Row:
    """The properties of an entry. It is as closed as what it is about, and as the run that gave the reason."""
    return {
        "id": new_id("extr"),
        "name": reason.replace("_", " "),
        "about_id": about_id,
        "about_kind": kind,
        "reason": reason,
        "state": "queued",
        "lifecycle_state": "active",
        "created_at": at,
        "updated_at": at,
        "version": 1,
        "schema_version": 1,
        "own_data_class": "public",
        "own_matter_ids": [],
        "legal_hold": False,
    }


def _owner(node: Node) -> str:
    """Id of the run that it belongs to, or is."""
    return node.properties.get("run_id", node.id)
