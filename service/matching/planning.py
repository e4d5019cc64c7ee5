"""The statements of matching, planned before somebody waits for them."""

from service.access.viewer import Viewer
from service.capability import Services
from service.matching.matched import Wanted
from service.matching.read import Matching

A_REQUEST = "Draft an answer to the complaint and send it to the client for review"
"""Several words, as requests have: fewer would be planned for otherwise."""


async def plan_ahead(services: Services, viewer: Viewer) -> None:
    await services[Matching].match(viewer, "Template", Wanted(A_REQUEST))
