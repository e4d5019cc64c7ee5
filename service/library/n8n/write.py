"""Writes a workflow as n8n reads it, from the graph that is kept of it.

The graph is what counts: somebody may have changed it since it came. What came beside it, the `extra`, gives the order,
the notes on the canvas and all that a graph has no place for, as far as it still fits. Anybody may have written it, so
nothing is taken for granted of it.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from service.library.n8n.wiring import DRAWN, KEPT, is_port, names_of, read_wiring, write_wiring
from service.library.n8n.workflow import STICKY, Json, NotAWorkflow, Unwritable, Wire, is_node_type

_PLACED: Json = {"parameters": {}, "typeVersion": 1, "position": [0, 0]}
"""What n8n wants of every node. One that came from there has it, or does without."""


def write_workflow(nodes: Mapping[str, Json], wires: Iterable[Wire], settings: Any, extra: Any) -> Json:
    """The file again. `nodes` has type and configuration of each by its name, `extra` what `read_workflow` put by."""
    beside = _object(extra)
    came = [key for one in _list(beside.get("nodes")) if (key := _key(one)) is not None]
    _check_types(nodes, {*came})
    written = list(_nodes(_list(beside.get("nodes")), nodes))
    kept = beside.get("connections", {})
    connections = _connections(written, list(wires), _object(kept), {*came} - nodes.keys())
    workflow: Json = {**_object(beside.get("file")), "nodes": written}
    if connections or kept is not None:
        workflow["connections"] = connections
    return {**workflow, "settings": settings} if isinstance(settings, dict) else workflow


def _check_types(nodes: Mapping[str, Json], came: set[str]) -> None:
    """Whatever came from n8n is a type of n8n, and so is what it calls like that."""
    known = {one["type"] for name, one in nodes.items() if name in came}
    for name, one in nodes.items():
        if one["type"] not in known and not is_node_type(one["type"]):
            raise Unwritable(f"its module {name!r} is a {one['type']}, which is no type of n8n")


def _nodes(listed: Sequence[Any], nodes: Mapping[str, Json]) -> Iterator[Json]:
    """The nodes in their order, with the notes between them; then those that are new."""
    left = dict(nodes)
    for one in listed:
        key = _key(one)
        if key is not None and key in left:
            yield {"name": _object(one).get("name", key), **left.pop(key)}
        note = _object(one)
        if note.get("type") == STICKY:
            yield note
    for name in sorted(left):
        yield {"name": name, **_PLACED, **left[name]}


def _key(listed: Any) -> str | None:
    """What the graph calls a node in the order of nodes: its name, unless an other node has the same."""
    key = listed if isinstance(listed, str) else _object(listed).get("key")
    return key if isinstance(key, str) else None


def _connections(nodes: Sequence[Json], wires: Sequence[Wire], kept: Json, gone: set[str]) -> Json:
    """Drawn from the cables, but for those whose connections were kept because cables do not tell all of them."""
    names = names_of(nodes)
    left = sorted(wires, key=_place)
    as_it_was: Json = {}
    # What is kept under a node's id goes first: the cables that are left then are those under its name.
    for tail, outgoing in sorted(kept.items(), key=lambda one: names.get(one[0]) == one[0]):
        rest = None if tail in gone else _without(left, tail, outgoing, names, gone)
        if rest is not None:
            left, as_it_was[tail] = rest, outgoing
    for one in left:
        if not (is_port(one.from_port) and is_port(one.to_port)):
            raise Unwritable(f"its cable from {one.tail!r} to {one.head!r} leads between no ports of n8n, as main:0 is")
    return {**write_wiring(left), **as_it_was}


def _without(
    wires: Sequence[Wire], tail: str, outgoing: Any, names: Mapping[str, str], gone: set[str]
) -> list[Wire] | None:
    """The cables that are left to draw when the connections of a node are written as they were kept.

    None when they have to be drawn instead: a cable or a node of theirs is gone, or the node has got another cable.
    """
    try:
        told = read_wiring({tail: outgoing}, names)
    except NotAWorkflow:
        return None
    wanted = Counter(_ends(one) for one in told.wires)
    rest: list[Wire] = []
    # What was kept comes last in the order of cables, so that it is found first from the end.
    for one in reversed(wires):
        if wanted[_ends(one)]:
            wanted[_ends(one)] -= 1
        else:
            rest.insert(0, one)
    lost = wanted.total() or told.lost & gone or any(one.tail == tail for one in rest)
    return None if lost else rest


def _ends(wire: Wire) -> tuple[str, str, str, str]:
    return wire.tail, wire.from_port, wire.head, wire.to_port


def _place(wire: Wire) -> tuple[int, int, str]:
    """The order in which cables are drawn: as they came, then what somebody added, then what was kept."""
    mark, number = wire.cable_id[:1], wire.cable_id[1:]
    came = mark in {DRAWN, KEPT} and _NUMBER.fullmatch(number) is not None
    if not came:
        return 1, 0, wire.cable_id
    return (0 if mark == DRAWN else 2), int(number), ""


_NUMBER = re.compile(r"[0-9]{1,9}")


def _object(value: Any) -> Json:
    return cast("Json", value) if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else []
