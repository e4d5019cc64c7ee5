"""Each principal with its keys, and the matters by their names."""

from typing import Any

from service.web.pages.engine.page import Asked, Data

KINDS = ("person", "agent", "executor", "service")
CLASSES = ("public", "internal", "privileged", "local_only")
SCOPES = (
    ("read", "queries and subscriptions"),
    ("report", "what executors report"),
    ("curate", "saving, linking, sharing"),
    ("declassify", "opening records up, for a person"),
    ("admin", "principals, keys, holds, erasure"),
)


def view(data: Data, _asked: Asked) -> Data:
    here = data["administration"]
    keys: dict[str, list[Any]] = {}
    for one in here["keys"]:
        keys.setdefault(one["principalId"], []).append(one)
    matters = {one["id"]: one["name"] for one in data["entities"]["nodes"]}
    rows = [_row(one, keys.get(one["id"], []), matters) for one in here["principals"]]
    return {"rows": rows, "kinds": KINDS, "classes": CLASSES, "scopes": SCOPES, "matters": data["entities"]["nodes"]}


def _row(principal: Data, keys: list[Any], matters: dict[str, str]) -> Data:
    names = [matters.get(one) or one for one in principal["matterIds"]]
    return principal | {"keys": keys, "matters": [*zip(principal["matterIds"], names, strict=True)]}
