"""The steps of readiness, the cards by family, and what changed, the worst first."""

import json

from graph_schema.knowledge.words import PackReadiness
from service.web.pages.engine.page import Asked, Data

SEVERITIES = ("blocking", "warning", "info")


def view(data: Data, _asked: Asked) -> Data:
    status: Data = data["knowledgeStatus"]
    states = [one.value for one in PackReadiness]
    reached = states.index(status["readinessState"])
    pack: Data | None = status["pack"]
    coverage: dict[str, int] = json.loads(pack["coverage"] or "{}") if pack else {}
    families = sorted(coverage.items(), key=lambda one: (-one[1], one[0]))
    return {
        "ladder": [{"state": one, "reached": at <= reached} for at, one in enumerate(states)],
        "families": families,
        "most": max((count for _, count in families), default=0),
        "drift": sorted(status["drift"], key=lambda one: SEVERITIES.index(one["severity"])),
        "runs": [one | {"scorers": _scorers(one)} for one in data["evalRuns"]["nodes"]],
    }


def _scorers(run: Data) -> list[Data]:
    """Of each scorer the checks that were met, and how many there were."""
    told: dict[str, list[int]] = json.loads(run["scores"] or "{}")
    return [{"name": name, "met": met, "of": made} for name, (met, made) in told.items()]
