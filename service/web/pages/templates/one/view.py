"""The template's graph as a picture, the presets in it, and what each version changed."""

import re
from itertools import pairwise
from typing import Any, cast

from service.web.pages.engine.page import Asked, Data
from service.web.pages.pictures.graphs import modules

Row = dict[str, Any]
_UNTOLD = frozenset({"version", "createdAt", "updatedAt", "schemaVersion", "graphHash", "source", "sourceKey"})
"""What changes with every save, or says nothing to people."""


def view(data: Data, _asked: Asked) -> Data:
    template = data["node"]
    snapshot = next(iter(template.get("hasGraph", {"nodes": []})["nodes"]), None)
    return {
        "snapshot": snapshot,
        "drawn": modules(snapshot),
        "presets": presets(snapshot),
        "versions": versions(template),
    }


def presets(snapshot: Row | None) -> list[Row]:
    """Each once, with the modules that are set with it."""
    found: dict[str, Row] = {}
    for module in snapshot["hasModule"]["nodes"] if snapshot else ():
        for preset in module["usesPreset"]["nodes"]:
            found.setdefault(preset["id"], preset | {"at": []})["at"].append(module["name"] or module["moduleKey"])
    return [*found.values()]


def versions(record: Row) -> list[Row]:
    """Former versions, the newest first, each with what the next one changed."""
    states = record.get("history", {"states": []})["states"]
    then = [record, *(one["values"] for one in states)]
    return [one | {"changes": changes(old, new)} for one, (new, old) in zip(states, pairwise(then), strict=True)]


def changes(old: Row, new: Row) -> list[Row]:
    """Only what both tell can have changed."""
    names = [one for one in old if one in new and one not in _UNTOLD and old[one] != new[one]]
    return [_change(one, _lines(old[one]), _lines(new[one])) for one in names]


def _change(name: str, was: list[str], will: list[str]) -> Row:
    """Of a list what went and what came."""
    gone, come = [one for one in was if one not in will], [one for one in will if one not in was]
    return {"name": re.sub("(?<=[a-z])(?=[A-Z])", " ", name).capitalize(), "was": gone, "will": come}


def _lines(value: Any) -> list[str]:
    if isinstance(value, list):
        return [str(one) for one in cast("list[Any]", value)]
    return [] if value is None or value == "" else [str(value)]
