"""What can be chosen, each with what it means; and until when."""

from datetime import UTC, datetime, timedelta

from graph_schema.sharing.words import ShareMode, ShareProfile
from service import clock
from service.web.pages.engine.page import Asked, Data
from service.web.pages.shares import words

_OF_RUN = (
    *(ShareMode.specific_run_summary, ShareMode.specific_run_with_artifacts),
    *(ShareMode.collaborative_task_workspace, ShareMode.audit_packet),
)
_OF_TASK = (ShareMode.task_design_only, ShareMode.collaborative_task_workspace)
_DAYS = (1, 7, 30, 90, 365)


def view(data: Data, _asked: Asked) -> Data:
    kind = data["node"]["__typename"]
    modes = {"Run": _OF_RUN, "Task": _OF_TASK}.get(kind, ())
    now = datetime.now(UTC)
    return {
        "kind": kind,
        "modes": [(one, words.MODES[one]) for one in modes],
        "files": _files(data["node"]),
        "words": words,
        "ends": [(clock.stamp(now + timedelta(days=days)), days) for days in _DAYS],
        "default_profile": ShareProfile.external_professional,
    }


def _files(run: Data) -> list[Data]:
    steps = run.get("activated", {"nodes": []})["nodes"]
    return list({one["id"]: one for step in steps for one in step["produced"]["nodes"]}.values())
