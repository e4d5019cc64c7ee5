"""What came out of each test, beside the prompt as it is."""

import json
from collections.abc import Mapping
from typing import Any

from service.web.pages.engine.page import Asked, Data

AS_IT_IS = "As it is"


def view(data: Data, _asked: Asked) -> Data:
    tests: list[Data] = data["node"].get("promptEvaluations", {"nodes": []})["nodes"]
    return {"tests": [one | {"rows": _rows(one)} for one in tests]}


def _rows(test: Data) -> list[Data]:
    names: Mapping[str, str] = {one["id"]: one["name"] for one in test["tries"]["nodes"]}
    rows = [_row(one, names) for one in json.loads(test["results"] or "[]")]
    return sorted(rows, key=lambda one: -one["score"])


def _row(result: Mapping[str, Any], names: Mapping[str, str]) -> Data:
    candidate = result.get("candidate")
    return {
        "id": candidate,
        "name": names.get(candidate, "A candidate that you may not see") if candidate else AS_IT_IS,
        "score": result["mean_score"],
        "examples": result["examples"],
        "unreadable": result.get("parser_failures", 0),
    }
