"""The cases of the newest replay, gathered by what would have become of them."""

from service.web.pages.engine.page import Asked, Data

LANES = ("regressed", "repaired", "changed", "could_not_be_replayed", "same")
"""What somebody has to look at first stands first."""


def view(data: Data, _asked: Asked) -> Data:
    replays = data["node"].get("replays", {"nodes": []})["nodes"]
    replay = replays[0] if replays else None
    cases: list[Data] = replay["hasCase"]["nodes"] if replay else []
    lanes: list[Data] = [{"name": lane, "cases": [one for one in cases if one["result"] == lane]} for lane in LANES]
    return {"replay": replay, "lanes": [one for one in lanes if one["cases"]]}
