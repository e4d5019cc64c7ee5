"""Writes a workflow as n8n reads it, from the graph that was kept of it."""

from collections.abc import Iterable, Mapping
from typing import Any

from service.library.n8n.wiring import DRAWN, write_wiring
from service.library.n8n.workflow import Json, Wire


def write_workflow(nodes: Mapping[str, Json], wires: Iterable[Wire], settings: Json | None, extra: Json) -> Json:
    """The file again. `nodes` has type and configuration of each by its name, `extra` what `read_workflow` put by."""
    drawn = write_wiring(sorted((one for one in wires if one.cable_id.startswith(DRAWN)), key=_number))
    workflow: Json = {
        **extra["file"],
        "nodes": [_node(one, nodes) for one in extra["nodes"]],
        "connections": {**drawn, **extra["connections"]},
    }
    return workflow if settings is None else {**workflow, "settings": settings}


def _node(one: Any, nodes: Mapping[str, Json]) -> Json:
    """A node of the graph by its name; a note of the canvas is there as it is."""
    return {"name": one, **nodes[one]} if isinstance(one, str) else one


def _number(wire: Wire) -> int:
    return int(wire.cable_id.removeprefix(DRAWN))
