"""How far active runs have come, and the last runs of each task for the little bars beside it."""

from typing import Any

from service.web.pages.engine.page import Asked, Data
from service.web.pages.pictures.sparks import sparks

Row = dict[str, Any]


def view(data: Data, _asked: Asked) -> Data:
    if "often" not in data:
        return {"often": [], "active": []}
    often = [one | {"sparks": _sparks(one, data["recent"]["nodes"])} for one in data["often"]["nodes"]]
    return {"often": often, "active": [_reached(one) for one in data["active"]["nodes"]]}


def _sparks(task: Row, runs: list[Row]) -> Data:
    return sparks([one for one in runs if one["taskKey"] == task["key"]])


def _reached(run: Row) -> Row:
    """Of how many steps it has ended how many: as many as its task's graph has modules, or more in a loop."""
    begun = run["activationCount"] or 0
    ended = max(0, begun - (run["runningCount"] or 0) - (run["waitingCount"] or 0))
    graphs = [graph for task in run["runOf"]["nodes"] for graph in task["hasGraph"]["nodes"]]
    known = max((one["moduleCount"] or 0 for one in graphs), default=0)
    return run | {"ended": ended, "of": max(known, begun) if known else 0}
