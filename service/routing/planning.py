"""The statements of routing, planned before somebody waits for them."""

from service.access.viewer import Viewer
from service.capability import Services
from service.routing.decision.read import TaskModes
from service.routing.decision.request import TaskModeRequest

REQUESTS = (
    "Review this complaint",
    "Every Monday compile the figures, draft a report and send it to the team for approval",
    "Where is the draft task?",
    "Send me the output from the draft task",
)
"""Plain work, work that comes again, a question about a run, and one for its output."""


async def plan_ahead(services: Services, viewer: Viewer) -> None:
    for text in REQUESTS:
        await services[TaskModes].decide(viewer, TaskModeRequest(text=text))
