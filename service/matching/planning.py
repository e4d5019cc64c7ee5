"""The statements of matching, planned before somebody waits for them."""

from service.access.viewer import Viewer
from service.capability import Services
from service.matching.read import Matching
from service.matching.request import MatchRequest

A_REQUEST = "Draft an answer to the complaint and send it to the client for review"
"""Several words, as requests have: fewer would be planned for otherwise."""


async def plan_ahead(services: Services, viewer: Viewer) -> None:
    await services[Matching].match(viewer, "Template", MatchRequest(text=A_REQUEST))
