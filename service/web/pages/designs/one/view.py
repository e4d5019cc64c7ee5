"""What was found, by what it was looked at as; the draft as a picture; what is still open."""

from typing import Any

from service.web.pages.engine.page import Asked, Data
from service.web.pages.pictures.graphs import modules

Row = dict[str, Any]

FOUND = ("template", "preset", "pattern", "case", "blueprint", "segment")
HOLDS = ("preference", "restriction", "directive", "policy", "goal")
USABLE = ("capability", "unavailable_capability", "denied_capability")


def view(data: Data, _asked: Asked) -> Data:
    node, state = data["node"], data["designSession"]
    snapshot = next(iter(node.get("draftedGraph", {"nodes": []})["nodes"]), None)
    seen = state["considered"]
    matters = [one for one in state["slots"] if one["matters"] or one["values"]]
    return {
        "snapshot": snapshot,
        "drawn": modules(snapshot),
        "blueprint": next(iter(node.get("drafted", {"nodes": []})["nodes"]), None),
        "found": [{"role": role, "rows": _of(seen, role)} for role in FOUND if _of(seen, role)],
        "holds": [one for role in (*HOLDS, "looked_up") for one in _of(seen, role)],
        "usable": [one for role in USABLE for one in _of(seen, role)],
        "taken": [one for one in seen if one["response"] == "accepted"],
        "open": [one for one in matters if not one["filled"]],
        "known": [one for one in matters if one["filled"]],
        "newest": max((one["iteration"] for one in state["proposals"]), default=0),
    }


def _of(seen: list[Row], role: str) -> list[Row]:
    return sorted((one for one in seen if one["role"] == role), key=lambda one: one["rank"])
