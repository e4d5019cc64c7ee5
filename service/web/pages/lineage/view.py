"""The neighbourhood of a record as boxes and lines: what came before on the left, what came after on the right."""

from typing import Any

from service.web.pages.engine.page import Asked, Data
from service.web.pages.pictures.layers import Shape, layered

Row = dict[str, Any]

SHAPE = Shape(width=196, height=46, beside=12, between=56, across=True)
_TOLD = ("art_", "wp_", "ent_", "dlv_", "tomb_")
"""Ids of the kinds whose provenance can be told in a sentence."""


def settle(variables: Data) -> Data:
    """Only of some kinds can be asked where they came from; an outside name does not tell its kind."""
    return {"told": str(variables.get("record", {}).get("id", "")).startswith(_TOLD)}


def view(data: Data, _asked: Asked) -> Data:
    seen = data["lineage"]
    nodes = {one["id"]: one for one in (seen["of"], *seen["nodes"]) if _is_drawn(one, seen["of"])}
    groups = [(f"group {at}", one) for at, one in enumerate(seen["groups"]) if one["of"] in nodes]
    edges = {_pair(one): one for one in seen["edges"] if one["from"] in nodes and one["to"] in nodes}
    pairs = [*edges, *(_towards(name, one) for name, one in groups)]
    picture = layered([*nodes, *(name for name, _ in groups)], pairs, SHAPE)
    drawn = [one | {"address": _address(one), "is": one["id"] == seen["of"]["id"]} for one in nodes.values()]
    drawn += [_grouped(one, nodes) for _, one in groups]
    boxes = [place(one, box) for one, box in zip(drawn, picture.boxes, strict=True)]
    lines = [{"path": one.path, "back": one.back, "edge": edges.get((one.tail, one.head))} for one in picture.lines]
    told = {"boxes": boxes, "lines": lines, "width": picture.width, "height": picture.height}
    return {"drawn": told, "hidden": sum(one["count"] for _, one in groups), "shown": len(nodes)}


def _is_drawn(node: Row, of: Row) -> bool:
    """A run begins each of its steps: lines from it would say nothing of what came from what. The list has it."""
    return node["kind"] != "Run" or node["id"] == of["id"]


def place(row: Row, box: Any) -> Row:
    return row | {"x": box.x, "y": box.y, "width": box.width, "height": box.height}


def _pair(edge: Row) -> tuple[str, str]:
    """What came before first."""
    return (edge["from"], edge["to"]) if edge["upstream"] == edge["from"] else (edge["to"], edge["from"])


def _towards(name: str, group: Row) -> tuple[str, str]:
    return (name, group["of"]) if group["direction"] == "upstream" else (group["of"], name)


def _address(node: Row) -> str:
    return f"/lineage/{node['id']}"


def _grouped(group: Row, nodes: dict[str, Row]) -> Row:
    count = f"{'at least ' if group['atLeast'] else ''}{group['count']}"
    samples = ", ".join(one["name"] for one in group["samples"])
    where = nodes.get(group["of"], {}).get("name", "")
    return {"name": f"{count} more", "kind": group["kind"], "what": f"{group['type']} {where}: {samples}"} | {
        "address": f"/lineage/{group['of']}",
        "is": False,
        "group": True,
    }
