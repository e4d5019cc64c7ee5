"""Who may see what a report speaks of, once all of it is folded: access flows to what is made from what.

The same rule as for commands, over the links of this report. Where it changes what was there before, the graph is
walked from there (`service.commands.inheritance`).
"""

from collections.abc import Iterator

from service.access.audience import Access
from service.commands.inheritance import flows, is_unplaced, named_by
from service.memory.reporting.node import Node
from service.memory.reporting.world import World

Flow = tuple[Node, Node]
"""From whom, to whom."""


def close(world: World) -> None:
    """Let class and matters flow until nothing changes; loops are harmless because both only grow."""
    all_flows = [*_to_parts(world), *_along_links(world)]
    moving = True
    while moving:
        moving = False
        for source, derived in all_flows:
            if source.properties["audience"] != derived.properties["audience"]:
                moving |= _join(derived, source)
    _name(world)


def _to_parts(world: World) -> Iterator[Flow]:
    runs = {state.id: world.nodes[handle] for handle, state in world.runs.items() if handle in world.nodes}
    for handle, node in world.nodes.items():
        run = runs.get(node.properties.get("run_id", ""))
        if run is not None and handle[0] == node.label:
            yield run, node


def _along_links(world: World) -> Iterator[Flow]:
    nodes = {node.id: node for node in world.nodes.values()}
    for (tail_id, kind, head_id), facts in world.links.items():
        tail, head = nodes.get(tail_id), nodes.get(head_id)
        if tail is None or head is None:
            continue
        to_tail, to_head = flows(world.registry, tail.label, kind, facts)
        if to_tail and not is_unplaced(head.label, head.properties):
            yield head, tail
        if to_head and not is_unplaced(tail.label, tail.properties):
            yield tail, head


def _join(derived: Node, source: Node) -> bool:
    held = Access.of(derived.properties)
    joined = held.joined(Access.of(source.properties))
    if joined == held:
        return False
    for name, value in joined.values().items():
        derived.properties[name] = value
    derived.changed = True
    return True


def _name(world: World) -> None:
    """What is only named so far is as closed as all that names it."""
    nodes = {node.id: node for node in world.nodes.values()}
    unplaced = {node_id for node_id, node in nodes.items() if is_unplaced(node.label, node.properties)}
    namers: dict[str, set[Access]] = {}
    for tail, _kind, head in world.links if unplaced else ():
        for named, namer in ((tail, head), (head, tail)):
            if named in unplaced and namer in nodes and namer not in unplaced:
                namers.setdefault(named, set()).add(Access.of(nodes[namer].properties))
    for named, accesses in namers.items():
        node = nodes[named]
        for name, value in named_by(node.properties, world.viewer.principal_id, accesses).items():
            if node.properties.get(name) != value:
                node.properties[name] = value
                node.changed = True
