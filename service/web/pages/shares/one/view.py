"""Whether it can still be opened, and what its policies grant, in words."""

from service.web.pages.engine.page import Asked, Data
from service.web.pages.shares.all.view import state_of
from service.web.pages.shares.words import said_of


def view(data: Data, _asked: Asked) -> Data:
    share = data["node"]
    return {"state": state_of(share), "policies": said_of(share)} if "expiresAt" in share else {"state": ""}
