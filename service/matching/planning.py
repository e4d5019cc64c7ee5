"""The statements of matching, planned before somebody waits for them."""

from service.access.viewer import Viewer
from service.capability import Services
from service.matching.read import Matching
from service.matching.request import MatchRequest

REQUESTS = ("Draft an answer", "Draft an answer to the complaint and send it to the client for review")
"""A short one and a long one: a text of another magnitude is planned for otherwise, as a list is."""


async def plan_ahead(services: Services, viewer: Viewer) -> None:
    for text in REQUESTS:
        await services[Matching].match(viewer, "Template", MatchRequest(text=text))
