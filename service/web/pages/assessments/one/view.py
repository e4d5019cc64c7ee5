"""Findings: the problems first, the weightiest before the others, by what they are about."""

from itertools import groupby

from service.web.pages.engine.page import Asked, Data

WEIGHTS = ("critical", "major", "minor", "note")
SAVED_BY = {"final_output_not_saved": "save-work-product", "useful_output_kept_with_run": "find-artifact"}
"""What is better by one operation on the output that shows it."""


def view(data: Data, _asked: Asked) -> Data:
    found: list[Data] = [_with_action(one) for one in data["node"].get("found", {"nodes": []})["nodes"]]
    problems = sorted((one for one in found if one["tone"] == "problem"), key=_weight)
    kinds: list[Data] = [
        {"kind": kind, "findings": [*each]} for kind, each in groupby(sorted(problems, key=_kind), key=_kind)
    ]
    kinds.sort(key=lambda one: _weight(one["findings"][0]))
    counts = [{"severity": one, "count": sum(each["severity"] == one for each in problems)} for one in WEIGHTS]
    return {
        "kinds": kinds,
        "others": [one for one in found if one["tone"] != "problem"],
        "counts": [one for one in counts if one["count"]],
    }


def _with_action(one: Data) -> Data:
    action = SAVED_BY.get((one["rule"] or "").split()[0] if one["rule"] else "")
    outputs = [each for each in one["evidencedBy"]["nodes"] if each["__typename"] == "Artifact"]
    return one | {"action": action if outputs else None, "output": outputs[0] if outputs else None}


def _kind(one: Data) -> str:
    return one["portfolioIssue"] or one["findingKind"]


def _weight(one: Data) -> tuple[int, int]:
    return (WEIGHTS.index(one["severity"]) if one["severity"] in WEIGHTS else len(WEIGHTS), one["position"])
