"""The steps in lanes, the flow as boxes, the timeline as bars."""

from itertools import groupby
from typing import Any

from service.web.pages.engine.page import Asked, Data
from service.web.pages.pictures.bars import gantt
from service.web.pages.pictures.layers import Picture, Shape, layered
from service.web.pages.run.follow import live_address

STATUSES = ("error", "waiting", "running", "pending", "success", "skipped", "cancelled")
QUIET = 6
"""So many steps that succeeded, one after another, are folded in a run that has more to tell."""
LARGE = 25

Row = dict[str, Any]


def view(data: Data, asked: Asked) -> Data:
    run = data["run"]
    told: Data = {"statuses": STATUSES, "live": "", "lanes": [], "flow": {"boxes": []}, "gantt": None, "here": ""}
    if "header" in run:
        told["live"] = live_address(run["id"], run["header"]["status"])
    if "steps" in run:
        told["lanes"] = lanes(run["steps"]["rows"], folds=not (asked.one("search") or asked.all("status")))
        told["here"] = chosen(run["steps"]["rows"], asked.one("module"), asked.one("activation"))
    if "flow" in run:
        told["flow"] = flow(run["flow"]["rows"], each=asked.one("flow") == "each")
    if "timeline" in run:
        told["gantt"] = gantt(run["timeline"]["bars"])
    return told


def chosen(rows: list[Row], module: str, activation: str) -> str:
    """The step that the address names: of a module without an activation the last one that is shown."""
    found = [row for row in rows if row["moduleKey"] == module and activation in ("", str(row["activationSeq"]))]
    return found[-1]["activationId"] if found else ""


def lanes(rows: list[Row], *, folds: bool) -> list[Data]:
    """Branches stay together as they were reported. In a long run what simply succeeded is folded."""
    long = folds and len(rows) > LARGE
    told: list[Data] = []
    for label, branch in groupby(rows, lambda row: row["branchLabel"]):
        for quiet, group in groupby(branch, _is_quiet if long else lambda _row: False):
            found = list(group)
            first = not told or told[-1]["branch"] != label
            told.append({"branch": label, "first": first, "rows": found, "quiet": quiet and len(found) > QUIET})
    return told


def _is_quiet(row: Row) -> bool:
    return row["status"] in ("success", "skipped") and not row["hasEvaluation"]


def flow(rows: list[Row], *, each: bool) -> Data:
    """A box for each module, with how often it ran, or for each activation."""
    name = {row["activationId"]: row["activationId"] if each else row["moduleKey"] for row in rows}
    grouped: dict[str, list[Row]] = {}
    for row in rows:
        grouped.setdefault(name[row["activationId"]], []).append(row)
    edges = [(name[one], name[row["activationId"]]) for row in rows for one in row["after"] if one in name]
    picture = layered(list(grouped), edges, Shape())
    boxes = [_box(picture, at, found) for at, found in enumerate(grouped.values())]
    return {"picture": picture, "boxes": boxes, "folded": any(one["count"] > 1 for one in boxes)}


def _box(picture: Picture, at: int, rows: list[Row]) -> Data:
    """It has the status of what ran last."""
    box, last = picture.boxes[at], rows[-1]
    told = {"label": last["moduleLabel"], "status": last["status"], "count": len(rows), "first": last["activationId"]}
    return told | {"x": box.x, "y": box.y, "width": box.width, "height": box.height}
