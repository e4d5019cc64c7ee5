"""The statements of attention, planned before somebody waits for them."""

from service import clock
from service.access.viewer import Viewer
from service.attention.deciding import cypher
from service.attention.deciding.read import MOST_EVENTS
from service.attention.inbox.read import Inboxes
from service.capability import Services


async def plan_ahead(services: Services, viewer: Viewer) -> None:
    database = services.ground.database
    await database.read(cypher.DUE, now=clock.now(), most=1)
    known = {"at": clock.now(), "most": MOST_EVENTS, "few": 1, "audiences": viewer.audiences}
    await database.read(cypher.DECISION_FACTS, session="atse_none", **known)
    await services[Inboxes].of(viewer)
