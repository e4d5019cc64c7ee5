"""Runs gathered by their task, for the little bars beside it."""

from typing import Any

from service.web.pages.engine.page import Asked, Data
from service.web.pages.pictures.sparks import sparks

Row = dict[str, Any]


def view(data: Data, _asked: Asked) -> Data:
    told: Data = {"often": []}
    if "often" in data:
        told["often"] = [one | {"sparks": _sparks(one, data["recent"]["nodes"])} for one in data["often"]["nodes"]]
    return told


def _sparks(task: Row, runs: list[Row]) -> Data:
    return sparks([one for one in runs if one["taskKey"] == task["key"]])
