"""Steps with the packets that were made for them, and the scope in one list."""

from typing import Any

from service.web.pages.engine.page import Asked, Data
from service.web.pages.run.follow import live_address

Row = dict[str, Any]


def view(data: Data, _asked: Asked) -> Data:
    run = data["run"]
    told: Data = {"live": "", "steps": [], "scope": []}
    if "header" in run:
        told["live"] = live_address(run["id"], run["header"]["status"])
    if record := run.get("record"):
        told["steps"] = [_given(one) for one in record.get("activated", {"nodes": []})["nodes"]]
    if scope := data.get("runScope"):
        told["scope"] = [item for items in scope["resolvedScope"].values() for item in items or ()]
    return told


def _given(step: Row) -> Row:
    """With its packet, or that it had something to go on without one."""
    packet = next(iter(step["packets"]["nodes"]), None)
    by_others = bool(step["prompted"]["totalCount"] or step["consumed"]["totalCount"])
    return step | {"packet": packet, "unpacked": packet is None and by_others}
