"""What would change, line by line, and the cases of the newest replay by what would have become of them."""

import json
from typing import Any, cast

from service.web.pages.engine.page import Asked, Data

LANES = ("regressed", "repaired", "changed", "could_not_be_replayed", "same")
"""What somebody has to look at first stands first."""
RESULTS = (*zip(LANES, ("worse", "repaired", "otherwise", "not replayable", "the same"), strict=True),)


def view(data: Data, _asked: Asked) -> Data:
    replays = data["node"].get("replays", {"nodes": []})["nodes"]
    replay = replays[0] if replays else None
    cases: list[Data] = replay.get("hasCase", {"nodes": []})["nodes"] if replay else []
    lanes: list[Data] = [{"name": lane, "cases": [one for one in cases if one["result"] == lane]} for lane in LANES]
    changes = [one | differs(one) for one in data["node"].get("hasChange", {"nodes": []})["nodes"]]
    return {"changes": changes, "replay": replay, "lanes": [one for one in lanes if one["cases"]], "results": RESULTS}


def differs(change: Data) -> Data:
    """Of a list what goes, what comes, and how much of it stays."""
    was, will = _lines(change["before"]), _lines(change["value"])
    if change["operation"] == "add_to_list":
        return {"was": [], "will": will, "stays": len(was)}
    if change["operation"] == "remove_from_list":
        return {"was": will, "will": [], "stays": len([one for one in was if one not in will])}
    gone, come = [one for one in was if one not in will], [one for one in will if one not in was]
    return {"was": gone, "will": come, "stays": len(was) - len(gone)}


def _lines(told: str | None) -> list[str]:
    """Values are told as JSON: a list is a line for each."""
    if told is None:
        return []
    try:
        value: Any = json.loads(told)
    except ValueError:
        return [told]
    values = cast("list[Any]", value) if isinstance(value, list) else [value]
    return [one if isinstance(one, str) else json.dumps(one, ensure_ascii=False) for one in values]
