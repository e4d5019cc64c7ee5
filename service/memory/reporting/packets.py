"""Prompts and the calls that they were made for hold the context packet of their step, whichever came first."""

from collections.abc import Iterable

from service.graph.database import Transaction
from service.memory.reporting import cypher
from service.memory.reporting.fold import Folded
from service.memory.reporting.names import found
from service.memory.reporting.node import Node
from service.memory.reporting.world import Values, World

CALLS = frozenset({"llm_call", "prompt_assembly", "doc24_packet_resolution"})
"""Kinds of span that a packet goes into, or comes out of."""


async def hold_packets(transaction: Transaction, world: World, folded: Iterable[Folded]) -> None:
    """Link what was reported to the packets that are there; those that come later are linked when they are made."""
    holders = {node.id: node.properties for one in folded if (node := _holder(world, one))}
    known = {state.id for state in world.runs.values() if state.known is not None}
    keys = {record_id: _key(values) for record_id, values in holders.items() if values["run_id"] in known}
    rows = [list(key) for key in sorted(set(keys.values()))]
    packets = {
        (run, module, seq): packet for run, module, seq, packet in await found(transaction, cypher.PACKETS, rows)
    }
    for record_id, key in keys.items():
        if key in packets:
            world.links.setdefault((record_id, "HOLDS", packets[key]), {})


def _holder(world: World, one: Folded) -> Node | None:
    node = world.nodes.get(one.main) if one.accepted and one.main else None
    if node is None or "module_key" not in node.properties:
        return None
    prompts = node.label == "Snapshot" and node.properties.get("snapshot_kind") == "prompt"
    calls = node.label == "Span" and node.properties.get("span_kind") in CALLS
    return node if prompts or calls else None


def _key(values: Values) -> tuple[str, str, int]:
    return values["run_id"], values["module_key"], values["activation_seq"]
