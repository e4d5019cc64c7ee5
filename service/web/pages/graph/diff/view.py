"""Both graphs in one picture: what is new, what is gone, what stays."""

from itertools import groupby
from typing import Any

from service.web.pages.engine.page import Asked, Data
from service.web.pages.graph.one.view import SHAPE, modules_of, snapshot_of
from service.web.pages.pictures.layers import layered

Row = dict[str, Any]


def view(data: Data, _asked: Asked) -> Data:
    edits = data["diffGraphs"]["edits"]
    kinds = groupby(sorted(edits, key=lambda one: one["kind"]), lambda one: one["kind"])
    old, new = (modules_of(snapshot_of(data[side])) if data[side] else [] for side in ("old", "new"))
    return {"kinds": [{"kind": kind, "edits": list(found)} for kind, found in kinds], "drawn": together(old, new)}


def together(old: list[Row], new: list[Row]) -> Row:
    """Modules by their keys, cables by the keys of their ends; each says in which of the two it is."""
    before, after = _by_key(old), _by_key(new)
    cables_before, cables_after = _cables(old), _cables(new)
    names = list(dict.fromkeys([*after, *before]))
    picture = layered(names, [*cables_after, *cables_before], SHAPE)
    boxes = [
        (after.get(name) or before[name])
        | {"change": _change(before=name in before, after=name in after)}
        | {"x": box.x, "y": box.y, "width": box.width, "height": box.height}
        for name, box in zip(names, picture.boxes, strict=True)
    ]
    lines: list[Row] = []
    for one in picture.lines:
        pair = (one.tail, one.head)
        change = _change(before=pair in cables_before, after=pair in cables_after)
        lines.append({"path": one.path, "back": one.back, "change": change})
    return {"boxes": boxes, "lines": lines, "width": picture.width, "height": picture.height}


def _by_key(modules: list[Row]) -> dict[str, Row]:
    return {one["moduleKey"]: one for one in modules}


def _cables(modules: list[Row]) -> list[tuple[str, str]]:
    return [(one["moduleKey"], edge["node"]["moduleKey"]) for one in modules for edge in one["cable"]["edges"]]


def _change(*, before: bool, after: bool) -> str:
    return "" if before and after else "added" if after else "removed"
