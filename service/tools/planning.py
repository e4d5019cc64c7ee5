"""The statements of tools, planned before somebody waits for them."""

from service.access.viewer import Viewer
from service.capability import Services
from service.tools.known import ToolShelf


async def plan_ahead(services: Services, viewer: Viewer) -> None:
    for request in (None, "fetch a page"):
        await services[ToolShelf].known(viewer, request)
