"""What calls came to, as rows to draw: each outcome apart, so that a failure is never taken for little use."""

from service.web.pages.engine.page import Asked, Data

COUNTS = (
    ("successes", "Good", "good"),
    ("executionErrors", "Failed", "bad"),
    ("wrongToolBoundaryRecent", "Handed back", "wait"),
    ("lowUtilityRecent", "Of little use", "wait"),
    ("userCorrectionsRecent", "Asked again", "plain"),
)
MOST_CALLS = 20


def view(data: Data, _asked: Asked) -> Data:
    health, tool = data["toolHealth"], data["node"]
    told: Data = {
        "advice": _newest(tool, "recommendations", "createdAt"),
        "calls": _newest(tool, "outcomes", "occurredAt")[:MOST_CALLS],
    }
    if "outcomes" not in health:
        return told | {"counts": [], "most_axes": 0, "most_errors": 0}
    return told | {
        "counts": [{"title": title, "count": health[name], "tone": tone} for name, title, tone in COUNTS],
        "most_axes": max((one["count"] for one in health["boundaryAxes"]), default=0),
        "most_errors": max((one["count"] for one in health["errors"]), default=0),
    }


def _newest(tool: Data, what: str, when: str) -> list[Data]:
    """Of the tool and of its methods together."""
    owners = [tool, *tool.get("methods", {"nodes": []})["nodes"]]
    found = [one for owner in owners for one in owner.get(what, {"nodes": []})["nodes"]]
    return sorted(found, key=lambda one: one[when], reverse=True)
