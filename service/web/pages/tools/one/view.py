"""What calls came to, as rows to draw: each outcome apart, so that a failure is never taken for little use."""

from service.web.pages.engine.page import Asked, Data

COUNTS = (
    ("successes", "Good", "good"),
    ("executionErrors", "Failed", "bad"),
    ("wrongToolBoundaryRecent", "Handed back", "wait"),
    ("lowUtilityRecent", "Of little use", "wait"),
    ("userCorrectionsRecent", "Asked again", "plain"),
)


def view(data: Data, _asked: Asked) -> Data:
    health: Data = data["toolHealth"]
    if "outcomes" not in health:
        return {"counts": [], "most_axes": 0, "most_errors": 0}
    return {
        "counts": [{"title": title, "count": health[name], "tone": tone} for name, title, tone in COUNTS],
        "most_axes": max((one["count"] for one in health["boundaryAxes"]), default=0),
        "most_errors": max((one["count"] for one in health["errors"]), default=0),
    }
