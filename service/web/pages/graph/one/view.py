"""Modules as boxes with what a run of them did; the chosen module; where one came from."""

from collections.abc import Iterable
from typing import Any

from service.web.pages.engine.page import Asked, Data
from service.web.pages.pictures.layers import Shape, layered

Row = dict[str, Any]

SHAPE = Shape(width=196, height=48)
_AT_WORK = ("running", "waiting", "pending")


_KINDS = {"isTask": "task_", "isTemplate": "tpl_", "isSegment": "seg_", "isGraph": "graph_"}
_BY_KEY = ("isTask", "isTemplate")
"""What outside names are given to; segments and saved graphs are asked for by their ids."""


def settle(variables: Data) -> Data:
    """A module has run data where a run is named, too; a segment is tried where one is named.

    Only the kind that the id tells is asked for: a statement for all four takes the database long to plan. A segment is
    a part: it is not examined as a whole, which it could not pass.
    """
    chosen, record = bool(variables.get("module")), str(variables.get("recordId", ""))
    kinds = {name: record.startswith(prefix) if record else name in _BY_KEY for name, prefix in _KINDS.items()}
    whole = not kinds["isSegment"]
    return {
        "chosen": chosen,
        "inRun": chosen and "run" in variables,
        "fits": "segment" in variables,
        "whole": whole,
    } | kinds


def view(data: Data, asked: Asked) -> Data:
    node = data["node"]
    snapshot = snapshot_of(node)
    run = next(iter(node.get("shown", {"nodes": []})["nodes"]), None)
    issues: list[Row] = data["validateGraph"]["issues"] if "validateGraph" in data else []
    modules = [_told(one, run, issues, asked.one("module")) for one in modules_of(snapshot)]
    mark_next(modules, run)
    chosen = next(iter(snapshot.get("chosen", {"nodes": []})["nodes"]), None) if snapshot else None
    return {"snapshot": snapshot, "run": run, "drawn": drawn(modules), "modules": modules, "chosen": chosen} | {
        "issues": [one for one in issues if chosen and one["moduleKey"] == chosen["moduleKey"]],
        "unplaced": [one for one in issues if not one["moduleKey"]],
    }


def snapshot_of(node: Row) -> Row | None:
    """The graph itself, or the one that a task, template or segment has."""
    if node["__typename"] == "GraphSnapshot":
        return node
    return next(iter(node.get("graph", {"nodes": []})["nodes"]), None)


def modules_of(snapshot: Row | None) -> list[Row]:
    return snapshot["hasModule"]["nodes"] if snapshot else []


def _told(module: Row, run: Row | None, issues: Iterable[Row], chosen: str) -> Row:
    """A module with what its latest activation came to, and nothing more than a picture has room for."""
    ran = [one for one in run["activated"]["nodes"] if one["moduleKey"] == module["moduleKey"]] if run else []
    last = max(ran, key=lambda one: one["activationSeq"], default=None)
    made = [one for step in ran for one in step["produced"]["nodes"]]
    scores = [one for one in made if one["score"] is not None or one["verdict"]]
    return module | {
        "status": last["status"] if last else "",
        "times": len(ran),
        "made": sum(one["produced"]["totalCount"] for one in ran),
        "score": scores[-1] if scores else None,
        "issues": sum(one["moduleKey"] == module["moduleKey"] for one in issues),
        "here": module["moduleKey"] == chosen,
        "next": False,
    }


def mark_next(modules: list[Row], run: Row | None) -> None:
    """What a module at work leads to, and has not begun."""
    if run is None or run["status"] not in _AT_WORK:
        return
    heads = {edge["node"]["id"] for one in modules if one["status"] in _AT_WORK for edge in one["cable"]["edges"]}
    for one in modules:
        one["next"] = one["id"] in heads and not one["status"]


def drawn(modules: list[Row]) -> Row:
    edges = {(one["id"], edge["node"]["id"]): edge for one in modules for edge in one["cable"]["edges"]}
    picture = layered([one["id"] for one in modules], edges, SHAPE)
    boxes = [
        one | {"x": box.x, "y": box.y, "width": box.width, "height": box.height}
        for one, box in zip(modules, picture.boxes, strict=True)
    ]
    lines = [{"path": one.path, "back": one.back, "cable": edges[one.tail, one.head]} for one in picture.lines]
    return {"boxes": boxes, "lines": lines, "width": picture.width, "height": picture.height}
