"""Connections of n8n and cables of a graph: how one becomes the other, and back.

n8n keeps them by the name of the node that they leave, then by kind, then by output:
`{"Gmail": {"main": [[{"node": "Set", "type": "main", "index": 0}]]}}`
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from service.library.n8n.workflow import STICKY, Json, NotAWorkflow, Wire

DRAWN, KEPT = "c", "k"
"""How the id of a cable begins: its connection is written from the graph, or as it was kept."""

FIRST = "main:0"
MOST_KIND = 100


@dataclass(frozen=True, slots=True)
class Wiring:
    """`kept` are the connections of those nodes whose cables would not give them back as they were."""

    wires: tuple[Wire, ...]
    kept: Json
    lost_ends: int
    """Connections that leave or enter a node that is not there."""

    lost: frozenset[str]
    """What those nodes are called."""


def read_wiring(connections: Any, names: Mapping[str, str]) -> Wiring:
    """The cables of a workflow. `names` finds a node by its name, and by its id, which some tools write instead."""
    if not isinstance(connections, dict):
        raise NotAWorkflow("its connections are not an object")
    found: list[Wire] = []
    kept: Json = {}
    lost_ends = 0
    lost: set[str] = set()
    for tail, outgoing in cast("Json", connections).items():
        ends = list(_ends(tail, outgoing))
        own = [_wire(names[tail], names[one[0]], one) for one in ends if tail in names and one[0] in names]
        lost_ends += len(ends) - len(own)
        lost |= {one for one in (tail, *(end[0] for end in ends)) if one not in names}
        whole = _is_drawable(own) and write_wiring(own) == {tail: outgoing}
        if not whole:
            kept[tail] = outgoing
        mark = DRAWN if whole else KEPT
        found += [replace(one, cable_id=f"{mark}{number}") for number, one in enumerate(own, start=len(found) + 1)]
    return Wiring(tuple(found), kept, lost_ends, frozenset(lost))


def names_of(nodes: Sequence[Json]) -> dict[str, str]:
    """The nodes that do something, by their names and by their ids."""
    doing = [one for one in nodes if one["type"] != STICKY]
    by_id = {one["id"]: one["name"] for one in doing if isinstance(one.get("id"), str)}
    return {**by_id, **{one["name"]: one["name"] for one in doing}}


def is_port(port: str) -> bool:
    """Whether n8n could have a port like this: a kind, and a number that is not beyond all outputs."""
    return _PORT.fullmatch(port) is not None


def _is_drawable(wires: Iterable[Wire]) -> bool:
    """Whether the export may draw them again. An index of `0.0` or `false` equals 0 here, and is no port of n8n."""
    return all(is_port(port) for one in wires for port in (one.from_port, one.to_port))


def _wire(tail: str, head: str, end: tuple[str, str, str]) -> Wire:
    _, from_port, to_port = end
    return Wire("", tail, head, from_port, to_port)


def write_wiring(wires: Iterable[Wire]) -> Json:
    """Connections as n8n keeps them, from cables in their order."""
    connections: Json = {}
    for one in wires:
        kind, output = _kind_and_number(one.from_port)
        into, index = _kind_and_number(one.to_port)
        branches: list[Any] = connections.setdefault(one.tail, {}).setdefault(kind, [])
        branches.extend([] for _ in range(output + 1 - len(branches)))
        branches[output].append({"node": one.head, "type": into, "index": index})
    return connections


def _ends(tail: str, outgoing: Any) -> Iterator[tuple[str, str, str]]:
    """Where each connection of a node leads, with the ports at both ends."""
    if not isinstance(outgoing, dict):
        raise NotAWorkflow(f"the connections of {tail!r} are not an object")
    for kind, branches in cast("Json", outgoing).items():
        if not isinstance(branches, list) or len(kind) > MOST_KIND:
            raise NotAWorkflow(f"the connections of {tail!r} are not lists by kind")
        for output, branch in enumerate(cast("list[Any]", branches)):
            for one in _branch(tail, branch):
                yield one["node"], f"{kind}:{output}", f"{one.get('type', kind)}:{one.get('index', 0)}"


def _branch(tail: str, branch: Any) -> list[Json]:
    """The connections of one output. An output without any may be null."""
    if branch is None:
        return []
    ends = cast("list[Any]", branch) if isinstance(branch, list) else [branch]
    for one in ends:
        if not isinstance(one, dict) or not isinstance(cast("Json", one).get("node"), str):
            raise NotAWorkflow(f"a connection of {tail!r} does not name the node that it leads to")
        port = [str(cast("Json", one).get(field)) for field in ("type", "index")]
        if any(len(part) > MOST_KIND for part in port):
            raise NotAWorkflow(f"a connection of {tail!r} enters no port that has a name")
    return cast("list[Json]", ends)


_PORT = re.compile(r".{1,100}:[0-9]{1,3}", re.DOTALL)


def _kind_and_number(port: str) -> tuple[str, int]:
    kind, _, number = port.rpartition(":")
    return kind, int(number) if number.isdecimal() else 0
